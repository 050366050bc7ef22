package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Observation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How observations meet rules: by which revision, and what becomes of those that no rule is for. */
class GraderTest {
    private static final Set<Era> LEGACY = Set.of(Era.LEGACY);
    private static final Set<Era> MODERN = Set.of(Era.MODERN);

    @Test
    void theRevisionInForceDecidesNotTheOneOffered() {
        // The target's session offered 2025-11-25; each observation says what was answered.
        assertEquals("pass", Seen.grade(Seen.of("tools-call-wrong-type", 'C', "protocol-error -32602")).verdict().word());
        assertEquals("divergent", Seen.grade(Seen.of("tools-call-wrong-type", 'D', "protocol-error -32602")).verdict().word());
    }

    @Test
    void aVerdictCarriesItsRuleAndTheCitationOfItsRevision() {
        Observation seen = Seen.of("stdin-eof", 'E', "sigterm-needed");
        Graded graded = Seen.grade(seen);
        assertEquals(Seen.SPEC.label(), graded.ruleSet());
        assertEquals("should", graded.level());
        assertEquals("basic/transports/stdio#shutdown", graded.citation());
        assertEquals("The server ends promptly when its stdin does.", graded.requirement());
        assertEquals("End with status 0 when stdin ends.", graded.fix());
        assertEquals("The server ended only on SIGTERM.", graded.verdict().note());
        assertEquals(seen, graded.observation());
        assertEquals("basic/lifecycle#shutdown", Seen.grade(Seen.of("stdin-eof", 'A', "exited 0")).citation());
    }

    @Test
    void nothingIsToBeFixedWhereNothingIsWrong() {
        assertEquals("", Seen.grade(Seen.of("ping", 'D', "result")).fix());
        assertEquals("", Seen.grade(Seen.of("tools-call-wrong-type", 'D', "success undetermined")).fix());
        assertEquals("", Seen.grade(Seen.of("ping", 'E', "protocol-error -32601")).fix());
        assertEquals("Answer ping with the result {}.", Seen.grade(Seen.of("ping", 'D', "protocol-error -32601")).fix());
    }

    @Test
    void anOutcomesOwnFixComesBeforeTheRules() {
        assertEquals("Set isError on results that report an error.", Seen.grade(Seen.of("tools-call-wrong-type", 'D', "success in-band-error")).fix());
    }

    @Test
    void whatTheProbeForTheEraShowedIsGradedThoughThereIsNoSuchEra() {
        Observation plain = Seen.of("era-detect", "", Era.MODERN, "legacy +legacy-handshake");
        assertEquals("not-applicable", Seen.grade(plain, LEGACY).orElseThrow().verdict().word());
        Observation claims = Seen.of("era-detect", "", Era.MODERN, "legacy +legacy-handshake +claims-modern");
        Graded graded = Seen.grade(claims, LEGACY).orElseThrow();
        assertEquals("divergent", graded.verdict().word());
        assertTrue(graded.fix().contains("supportedVersions"));
    }

    @Test
    void aRevisionWithoutARuleMakesTheCheckNotApplicable() {
        Graded graded = Seen.grade(Seen.of("batch-receive", 'C', "no-response"));
        assertEquals("not-applicable", graded.verdict().word());
        assertEquals("Revision 2025-06-18 puts no such demand.", graded.verdict().note());
        assertEquals("none", graded.level());
        assertEquals("", graded.citation());
    }

    @Test
    void anUnknownRevisionIsNeverGradedByAnother() {
        for (String check : List.of("server-initialize", "ping", "stdout-purity", "tools-call-unknown")) {
            for (String revision : List.of("2031-04-01", "draft", "1.0", "=cmd()", "2025-6-18")) {
                Graded graded = Seen.grade(Seen.of(check, revision, Era.LEGACY, Vocabulary.observable(check).orElseThrow().iterator().next()));
                assertEquals("inconclusive", graded.verdict().word(), check + " in " + revision);
                assertFalse(graded.verdict().note().contains(revision), "server text stays out of notes");
            }
        }
        assertEquals("not-run", Seen.grade(Seen.notRun("ping", "2031-04-01", Era.LEGACY, "not sent")).verdict().word());
    }

    @Test
    void aModernRevisionAgreedOnByHandshakeBindsNobody() {
        assertEquals("inconclusive", Seen.grade(Seen.of("tools-call-unknown", "2026-07-28", Era.LEGACY, "tool-error")).verdict().word());
        assertEquals("inconclusive", Seen.grade(Seen.of("tools-call-unknown", "2025-11-25", Era.MODERN, "tool-error"), MODERN).orElseThrow().verdict().word());
    }

    @Test
    void beforeARevisionIsAgreedOnOnlyWhatAllOfTheEraDemandCounts() {
        assertEquals("fail", Seen.grade(Seen.of("server-initialize", "", Era.LEGACY, "no-response")).verdict().word());
        assertEquals("basic/transports#stdio", Seen.grade(Seen.of("stdout-purity", "", Era.LEGACY, "violates +text")).citation());
        assertEquals("fail", Seen.grade(Seen.of("stdout-purity", "", Era.LEGACY, "violates +text")).verdict().word());
        assertEquals("pass", Seen.grade(Seen.of("stdout-utf8", "", Era.LEGACY, "conforms")).verdict().word());
        assertEquals("inconclusive", Seen.grade(Seen.of("stdout-utf8", "", Era.LEGACY, "violates")).verdict().word());
        assertEquals("inconclusive", Seen.grade(Seen.of("batch-receive", "", Era.LEGACY, "no-response")).verdict().word());
        assertEquals("fail", Seen.grade(Seen.of("stdout-utf8", "", Era.MODERN, "violates")).verdict().word());
        assertEquals("not-applicable", Seen.grade(Seen.of("ping", "", Era.MODERN, "no-response")).verdict().word());
        assertEquals("not-run", Seen.grade(Seen.notRun("batch-receive", "", Era.LEGACY, "no handshake")).verdict().word());
    }

    @Test
    void whatWasNotPutIsNotRunAndKeepsItsReason() {
        Graded graded = Seen.grade(Seen.notRun("tools-call-wrong-type", "2025-11-25", Era.LEGACY, "no tool with a typed required argument"));
        assertEquals("not-run", graded.verdict().word());
        assertEquals("Not put: no tool with a typed required argument.", graded.verdict().note());
        assertEquals("must", graded.level());
        assertEquals("not-applicable", Seen.grade(Seen.notRun("ping", "2026-07-28", Era.MODERN, "not sent")).verdict().word());
    }

    @Test
    void aReplyThatWeWouldNotReadLeavesTheQuestionOpen() {
        assertEquals("inconclusive", Seen.grade(Seen.notRun("tools-list", "2025-11-25", Era.LEGACY, "reply past a limit of ours")).verdict().word());
    }

    @Test
    void anEraThatTheServerDoesNotSpeakIsNotApplicable() {
        assertEquals("not-applicable", Seen.grade(Seen.of("discover", "", Era.MODERN, "exited 1"), LEGACY).orElseThrow().verdict().word());
        assertEquals("not-applicable", Seen.grade(Seen.of("server-initialize", "", Era.LEGACY, "protocol-error -32601"), MODERN).orElseThrow().verdict().word());
        // Where no era was found, the failed handshake is all there is and counts.
        assertEquals("fail", Seen.grade(Seen.of("server-initialize", "", Era.LEGACY, "exited 1"), Set.of()).orElseThrow().verdict().word());
        assertEquals("fail", Seen.grade(Seen.of("discover", "2026-07-28", Era.MODERN, "no-response"), Set.of(Era.LEGACY, Era.MODERN)).orElseThrow().verdict().word());
    }

    @Test
    void aCheckThatTheRuleSetSaysNothingOfGivesNoVerdict() {
        assertTrue(Seen.grade(Seen.of("sep-3313-class-enum", 'D', "violates"), LEGACY).isEmpty());
    }

    @Test
    void anObservationOutsideTheVocabularyIsInconclusive() {
        assertEquals("inconclusive", Seen.grade(Seen.of("ping", 'D', "telepathy")).verdict().word());
    }

    @Test
    void anExitStatusIsNoErrorCode() {
        assertEquals("fail", Seen.verdict("tools-call-unknown", 'D', "exited -32602"));
    }

    @Test
    void verdictsAreCountedByWordAndNoneIsLeftOut() {
        List<Graded> graded = Grader.grade(Seen.SPEC, Seen.target(LEGACY, List.of(Seen.of("ping", 'D', "result"), Seen.of("ping", 'D', "result"),
                Seen.of("ping", 'D', "closed"), Seen.of("discover", 'E', "result"), Seen.notRun("id-echo", "2025-11-25", Era.LEGACY, "x"))));
        Map<VerdictWord, Integer> counts = Summary.count(graded);
        assertEquals("{PASS=2, FAIL=1, WARN=0, DIVERGENT=0, INCONCLUSIVE=0, NOT_APPLICABLE=1, NOT_RUN=1}", counts.toString());
        assertEquals(graded.size(), counts.values().stream().mapToInt(Integer::intValue).sum());
    }

    @Test
    void everyVerdictWordNamesItsVerdict() {
        for (VerdictWord word : VerdictWord.values()) {
            assertEquals(word, VerdictWord.of(word.with("n")));
            assertEquals(word, VerdictWord.of(word.id()).orElseThrow());
            assertEquals("n", word.with("n").note());
        }
        assertTrue(VerdictWord.of("ok").isEmpty());
    }

    @Test
    void gradingTheSameFactsTwiceGivesTheSame() {
        var target = Seen.target(LEGACY, List.of(Seen.of("tools-call-unknown", 'B', "tool-error"), Seen.of("stdout-purity", 'B', "violates +cr")));
        assertEquals(Grader.grade(Seen.SPEC, target), Grader.grade(Seen.load("spec"), target));
        assertEquals(ProtocolRevision.V2025_03_26.date(), target.observations().get(0).subject().revision());
    }
}
