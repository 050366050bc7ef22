package dev.mcpprober.rules;

import static dev.mcpprober.rules.Seen.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Observation;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contradictions between texts (K) and the readings that are commonly got wrong (trap), one test each. */
class FairReadingTest {
    private static void all(String revisions, String expected, String check, String seen) {
        for (char revision : revisions.toCharArray()) {
            assertEquals(expected, verdict(check, revision, seen), () -> check + " " + seen + " in " + Seen.revision(revision).date());
        }
    }

    @Test
    void k1BothChannelsPassForBadArgumentsBeforeTheyWereToldApart() {
        for (String check : List.of("tools-call-wrong-type", "tools-call-missing-required")) {
            all("ABC", "pass", check, "protocol-error -32602");
            all("ABC", "pass", check, "tool-error");
        }
    }

    @Test
    void k2NeitherNullNorAnAbsentIdIsHeldAgainstAParseError() {
        for (String flag : List.of("+id-null", "+id-absent")) {
            all("ABCDE", "pass", "malformed-json", "unmatched-error -32700 " + flag);
        }
        all("ABCDE", "pass", "error-id-unreadable", "id-null");
        all("ABC", "divergent", "error-id-unreadable", "id-absent");
        all("DE", "pass", "error-id-unreadable", "id-absent");
    }

    @Test
    void k3TheExampleErrorForAVersionMismatchIsDivergent() {
        all("ABCD", "divergent", "initialize-version-unknown", "protocol-error -32602");
        all("ABCD", "divergent", "server-initialize", "protocol-error -32602 +names-versions");
        all("ABCD", "pass", "initialize-version-unknown", "other");
    }

    @Test
    void k4AnsweringAPingIsNotOptional() {
        all("ABCD", "fail", "ping", "protocol-error -32601");
    }

    @Test
    void k5InvalidParamsForBadArgumentsIsDivergentInTheModernRevision() {
        for (String check : List.of("tools-call-wrong-type", "tools-call-missing-required")) {
            all("E", "divergent", check, "protocol-error -32602");
            all("E", "pass", check, "tool-error");
            assertTrue(Seen.grade(Seen.of(check, 'E', "protocol-error -32602")).verdict().note().startsWith("spec-conflict"));
        }
    }

    @Test
    void k6ASlashInANameIsAWarningThatNamesTheOtherText() {
        all("DE", "warn", "tools-name-format", "violates +slash");
        assertTrue(Seen.grade(Seen.of("tools-name-format", 'D', "violates +slash")).verdict().note().contains("SEP-986"));
    }

    @Test
    void k7AnInputSchemaWithoutTypeObjectFails() {
        all("ABCDE", "fail", "tools-schema-root", "violates");
    }

    @Test
    void k8ProseBesideStructuredContentIsDivergentAndNoTextAWarning() {
        all("CDE", "divergent", "structured-text", "text-only-prose");
        all("CDE", "warn", "structured-text", "absent");
    }

    @Test
    void k9DiscoverIsCacheable() {
        all("E", "fail", "discover-caching", "absent");
    }

    @Test
    void k10ServerInfoBelongsInMetaAndClientInfoIsOptional() {
        all("E", "divergent", "server-info-meta", "top-level-only");
        all("E", "fail", "meta-client-info-optional", "protocol-error -32602");
    }

    @Test
    void k11ALegacyServerOwesTheDiscoverProbeNothing() {
        for (String seen : List.of("protocol-error -32602", "protocol-error -32601", "no-response", "exited 1", "closed")) {
            Observation probe = Seen.of("discover", "", Era.MODERN, seen);
            assertEquals("not-applicable", Seen.grade(probe, Set.of(Era.LEGACY)).orElseThrow().verdict().word(), seen);
        }
    }

    @Test
    void k12ReactingToAnUnknownCancellationIsAWarningOnly() {
        all("ABCDE", "warn", "cancelled-unknown", "other");
    }

    @Test
    void k13ReportingAnUnknownToolAsToolErrorIsDivergent() {
        all("ABCDE", "divergent", "tools-call-unknown", "tool-error");
    }

    @Test
    void k14AnUnknownResultTypeFails() {
        all("E", "fail", "result-type", "violates");
    }

    @Test
    void trap2MethodNotFoundIsNotAsGoodAsInvalidParamsForAnUnknownTool() {
        all("ABCDE", "divergent", "tools-call-unknown", "protocol-error -32601");
        all("ABCDE", "pass", "tools-call-unknown", "protocol-error -32602");
    }

    @Test
    void trap3TheSplitOfChannelsDoesNotReachBack() {
        all("C", "pass", "tools-call-wrong-type", "protocol-error -32602");
        all("D", "divergent", "tools-call-wrong-type", "protocol-error -32602");
    }

    @Test
    void trap4NoProtocolErrorForBadArgumentsFails() {
        for (String check : List.of("tools-call-wrong-type", "tools-call-missing-required")) {
            for (int code : List.of(-32602, -32603, -32600, -32000, 0, 422)) {
                all("D", "divergent", check, "protocol-error " + code);
                all("E", "divergent", check, "protocol-error " + code);
            }
        }
    }

    @Test
    void trap5OnlyAcceptingAnIncompatibleValueFails() {
        all("ABCDE", "fail", "tools-call-wrong-type", "success silent-execution");
        all("ABC", "divergent", "tools-call-wrong-type", "success +coercible silent-execution");
        all("ABC", "divergent", "tools-call-wrong-type", "success +error-text in-band-error");
        all("DE", "warn", "tools-call-wrong-type", "success +error-text in-band-error");
    }

    @Test
    void trap6SilenceAndDeathAreNoRefusal() {
        for (String seen : List.of("no-response", "unresponsive", "exited 1", "closed")) {
            all("ABCDE", "fail", "tools-call-wrong-type", seen);
            all("ABCDE", "fail", "tools-call-missing-required", seen);
            all("ABCDE", "fail", "tools-call-unknown", seen);
        }
    }

    @Test
    void trap7AnExtraArgumentIsJudgedByTheSchema() {
        all("ABCDE", "pass", "tools-call-extra-argument-open", "success");
        all("ABCDE", "divergent", "tools-call-extra-argument-open", "protocol-error -32602");
        all("ABCDE", "divergent", "tools-call-extra-argument-closed", "success");
        all("ABCDE", "pass", "tools-call-extra-argument-closed", "tool-error");
    }

    @Test
    void trap10AnotherRealVersionPassesAndAnEchoFails() {
        all("ABCD", "pass", "initialize-version-known", "other");
        all("ABCD", "fail", "initialize-version-unknown", "echoed");
    }

    @Test
    void trap13APingIsNoDemandOfTheModernRevision() {
        all("E", "not-applicable", "ping", "protocol-error -32601");
        all("E", "pass", "removed-methods", "protocol-error -32601");
    }

    @Test
    void trap14DraftCodesAreNotFinalAndLegacyCodesAreFree() {
        all("E", "fail", "unsupported-version", "protocol-error -32004 +data-supported +data-requested");
        all("ABCD", "not-applicable", "error-code-range", "violates");
        all("ABCD", "pass", "error-object", "conforms");
    }

    @Test
    void trap16TheCodeThatRefusesInitializeIsFree() {
        for (int code : List.of(-32601, -32602, -32022, -32000, 1)) {
            all("E", "pass", "initialize-on-modern", "protocol-error " + code + " +names-versions");
            all("E", "warn", "initialize-on-modern", "protocol-error " + code);
        }
    }

    @Test
    void trap17BatchesAreOfOneRevisionAlone() {
        all("ACDE", "not-applicable", "batch-receive", "no-response");
        all("B", "divergent", "batch-receive", "split-response");
    }

    @Test
    void trap18PassingAMalformedLineOverBreachesNothingAndDeathIsToldFromDeafness() {
        all("ABCDE", "pass", "malformed-json", "silence");
        Graded deaf = Seen.grade(Seen.of("malformed-json", 'D', "unresponsive"));
        Graded dead = Seen.grade(Seen.of("malformed-json", 'D', "exited 1"));
        assertEquals(deaf.verdict().word(), dead.verdict().word());
        assertTrue(!deaf.fix().equals(dead.fix()), "different faults, different fixes");
    }

    @Test
    void trap24LegacyServerRequestsAreNoImpurityAndModernOnesFail() {
        all("ABCD", "not-applicable", "server-request", "present");
        all("E", "fail", "server-request", "present");
    }

    @Test
    void trap25UnaskedNotificationsAreLegalInTheLegacyEra() {
        all("ABCD", "not-applicable", "log-without-level", "present");
        all("ABCD", "pass", "list-changed-unsolicited", "present");
        all("ABCDE", "fail", "log-capability", "undeclared");
    }

    @Test
    void trap29NoDialectIsImposedBeforeOneWasNamed() {
        all("ABC", "divergent", "tools-schema-valid", "violates");
        all("DE", "fail", "tools-schema-valid", "violates");
        assertEquals("not-run", Seen.grade(Seen.notRun("tools-schema-valid", "2025-11-25", Era.LEGACY, "unknown dialect")).verdict().word());
    }

    @Test
    void trap32APingResultNeedNotBeBare() {
        all("ABCD", "pass", "ping", "result");
        all("ABCD", "divergent", "ping", "result +extra-members");
    }

    @Test
    void trap33AnEmptyCursorIsACursorInTheModernRevision() {
        all("E", "pass", "tools-list-pagination", "empty-cursor");
        all("ABCD", "divergent", "tools-list-pagination", "empty-cursor");
    }

    @Test
    void trap36And37WhatTheModernRevisionAddedIsNotDemandedBefore() {
        all("ABCD", "not-applicable", "result-type", "violates");
        all("ABCD", "not-applicable", "tools-list-caching", "absent");
        all("E", "fail", "result-type", "violates");
    }

    @Test
    void trap38AnotherOrderIsAWarningAndNoChangedSet() {
        all("E", "warn", "tools-list-order", "reordered");
        all("E", "inconclusive", "tools-list-order", "differs");
    }

    @Test
    void trap39RefusalsForOtherReasonsDecideNothing() {
        for (String check : List.of("tools-call-wrong-type", "tools-call-missing-required", "tools-call-unknown")) {
            all("D", "inconclusive", check, "protocol-error -32042");
            all("E", "inconclusive", check, "protocol-error -32021");
            all("E", "inconclusive", check, "input-required");
        }
    }

    @Test
    void trap40WithoutTheCapabilityToolChecksDoNotApply() {
        Observation.NotRun call = Seen.notRun("tools-call-unknown", "2025-11-25", Era.LEGACY, "tools capability not declared");
        assertEquals("not-applicable", Seen.grade(call).verdict().word());
        all("ABCDE", "not-applicable", "tools-capability", "protocol-error -32601");
        all("ABCDE", "fail", "tools-capability", "violates");
    }

    @Test
    void trap42ALegacyServerThatNeedsASignalOrExitsNonZeroBreachesNothing() {
        all("ABCD", "divergent", "stdin-eof", "sigterm-needed");
        all("ABCD", "pass", "stdin-eof", "exited 1 +non-zero");
        all("E", "warn", "stdin-eof", "sigterm-needed");
        all("E", "divergent", "stdin-eof", "exited 1 +non-zero");
    }

    @Test
    void trap43AShouldIsNeverAFailureByItself() {
        for (Rule rule : Seen.SPEC.rules()) {
            if (rule.level() == Level.SHOULD) {
                Set<String> kinds = Set.of("no-response", "unresponsive", "exited", "closed", "invalid-response", "input-required", "response-to-notification");
                rule.outcomes().stream().filter(outcome -> outcome.verdict() == VerdictWord.FAIL)
                        .forEach(outcome -> assertTrue(kinds.containsAll(outcome.match().observed()), () -> rule.check() + ": " + outcome));
            }
        }
    }

    @Test
    void theReactionToAnIllegalFrameIsNoBreachUnderAnyCheck() {
        all("ABCDE", "divergent", "malformed-json", "other +notification");
        all("ABCDE", "divergent", "log-capability", "undeclared +after-illegal-frame");
        all("E", "divergent", "log-without-level", "present +after-illegal-frame");
    }

    @Test
    void aFailureThatValidArgumentsMeetTooDecidesNothing() {
        for (String check : List.of("tools-call-wrong-type", "tools-call-missing-required")) {
            for (String seen : List.of("tool-error", "protocol-error -32602", "protocol-error -32603")) {
                all("ABCDE", "inconclusive", check, seen + " +same-as-valid");
            }
        }
    }
}
