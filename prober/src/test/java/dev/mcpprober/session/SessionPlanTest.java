package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SessionPlanTest {
    /** Names of all sessions that the plan has for a server which answers as {@code facts} says. */
    private static List<String> sessions(Profile profile, Function<PlannedSession, SessionFacts> facts) {
        List<SessionFacts> done = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Optional<PlannedSession> next = SessionPlan.next(profile, ToolBudget.DEFAULT, done); next.isPresent(); next = SessionPlan.next(profile, ToolBudget.DEFAULT, done)) {
            names.add(next.get().name());
            done.add(facts.apply(next.get()));
            assertTrue(names.size() < 50, "the plan ends: " + names);
        }
        return names;
    }

    private static SessionFacts fact(PlannedSession session, boolean agreed, List<String> remaining) {
        return new SessionFacts(session.name(), session.script().label(), agreed, false, remaining);
    }

    @Test
    void quickIsOneSessionInTheEraThatTheServerSpeaks() {
        assertEquals(List.of("legacy"), sessions(Profile.QUICK, s -> fact(s, true, List.of())));
        assertEquals(List.of("legacy", "modern"), sessions(Profile.QUICK, s -> fact(s, s.name().equals("modern"), List.of())));
        assertEquals(List.of("legacy", "modern"), sessions(Profile.QUICK, s -> fact(s, false, List.of())));
    }

    private static final List<String> LEGACY = List.of("legacy-tools", "legacy-negative", "legacy-malformed", "legacy-malformed-cut", "legacy-malformed-foreign",
            "legacy-batch", "versions-2099-12-31");
    private static final List<String> MODERN = List.of("modern", "modern-tools", "modern-version", "modern-negative", "modern-malformed", "modern-malformed-cut",
            "modern-malformed-foreign", "modern-meta", "modern-lists");

    @SafeVarargs
    private static List<String> join(List<String>... parts) {
        return List.of(parts).stream().flatMap(List::stream).toList();
    }

    @Test
    void fullGradesEachEraInProcessesOfItsOwn() {
        List<String> opening = List.of("discover", "legacy");
        assertEquals(join(opening, LEGACY), sessions(Profile.FULL, s -> fact(s, s.script().era() == Era.LEGACY, List.of())));
        assertEquals(join(opening, MODERN), sessions(Profile.FULL, s -> fact(s, s.script().era() == Era.MODERN, List.of())));
        assertEquals(join(opening, LEGACY, MODERN), sessions(Profile.FULL, s -> fact(s, true, List.of())));
        assertEquals(opening, sessions(Profile.FULL, s -> fact(s, false, List.of())));
    }

    @Test
    void versionsOfferEveryRevisionOnceEachInAProcessOfItsOwn() {
        assertEquals(List.of("legacy", "versions-2024-11-05", "versions-2025-03-26", "versions-2025-06-18", "versions-1999-12-31", "versions-2099-12-31"),
                sessions(Profile.QUICK.withVersions(), s -> fact(s, true, List.of())), "the main session offers the newest");
        assertEquals(join(List.of("discover", "legacy"), LEGACY, List.of("versions-2024-11-05", "versions-2025-06-18", "versions-1999-12-31")),
                sessions(Profile.FULL.withVersions(), s -> fact(s, s.script().era() == Era.LEGACY, List.of())));
        assertEquals(List.of("legacy", "modern"), sessions(Profile.QUICK.withVersions(), s -> fact(s, s.name().equals("modern"), List.of())));
    }

    @Test
    void aServerThatDiesAtEveryStepUsesUpABoundedNumberOfProcesses() {
        List<String> names = sessions(Profile.QUICK, s -> {
            List<String> ids = Scripts.LEGACY_QUICK.steps().stream().map(Step::id).toList();
            List<String> own = s.script().steps().stream().filter(step -> !step.probe().equals(Scripts.HANDSHAKE)).map(Step::id).toList();
            int reached = own.isEmpty() ? ids.size() : ids.indexOf(own.get(own.get(0).equals("initialize") ? 1 : 0));
            return fact(s, true, ids.subList(reached + 1, ids.size()));
        });
        assertEquals(List.of("legacy", "legacy.2", "legacy.3", "legacy.4", "legacy.5", "legacy.6"), names);
    }

    private static SessionFacts calls(String name, List<String> made, int seconds) {
        return new SessionFacts(name, Scripts.LEGACY_TOOLS.label(), true, false, List.of("tools-calls"), new SessionFacts.Calls(made, seconds * 1_000_000_000L));
    }

    @Test
    void callsToAllToolsGoOnInAFreshProcessWithWhatIsLeftOfThemAndOfTheirTime() {
        List<SessionFacts> done = new ArrayList<>(List.of(fact(new PlannedSession("discover", Scripts.DISCOVER), false, List.of()),
                fact(new PlannedSession("legacy", Scripts.LEGACY_FULL), true, List.of())));
        ToolBudget budget = new ToolBudget(7, java.time.Duration.ofSeconds(90));
        PlannedSession first = SessionPlan.next(Profile.FULL, budget, done).orElseThrow();
        assertEquals("legacy-tools", first.name());
        assertEquals(Scripts.LEGACY_TOOLS.label() + "+7,90", first.workLabel());
        done.add(calls("legacy-tools", List.of("tool-1-extra-argument", "tool-12-wrong-type-1"), 50));
        done.add(calls("legacy-tools.2", List.of("tool-2-valid"), 30));
        PlannedSession third = SessionPlan.next(Profile.FULL, budget, done).orElseThrow();
        assertEquals(Scripts.LEGACY_TOOLS.label() + "+7,90.3", third.workLabel());
        Step.CallTools step = (Step.CallTools) third.script().steps().get(third.script().steps().size() - 1);
        assertEquals(Set.of("tool-1-extra-argument", "tool-12-wrong-type-1", "tool-2-valid"), step.done());
        assertEquals(Set.of("tool-12-", "tool-2-"), step.lostTools());
        assertEquals(new ToolBudget(7, java.time.Duration.ofSeconds(10)), step.budget());
        done.add(calls("legacy-tools.3", List.of("tool-3-valid"), 30));
        PlannedSession fourth = SessionPlan.next(Profile.FULL, budget, done).orElseThrow();
        assertEquals(java.time.Duration.ZERO, fourth.script().budget().orElseThrow().time());
        done.add(calls("legacy-tools.4", List.of(), 0));
        assertEquals("legacy-negative", SessionPlan.next(Profile.FULL, budget, done).orElseThrow().name(), "no call, no further");
    }

    @Test
    void aBudgetOfNoToolsHasNoSessionForThem() {
        List<SessionFacts> done = List.of(fact(new PlannedSession("discover", Scripts.DISCOVER), false, List.of()),
                fact(new PlannedSession("legacy", Scripts.LEGACY_FULL), true, List.of()));
        assertEquals("legacy-negative", SessionPlan.next(Profile.FULL, new ToolBudget(0, java.time.Duration.ofSeconds(9)), done).orElseThrow().name());
    }

    @Test
    void aContinuationThatGetsNoFurtherEnds() {
        List<String> names = sessions(Profile.QUICK, s -> fact(s, true, List.of("tools-call-unknown", "tools-call-no-name", "method-not-found")));
        assertEquals(List.of("legacy", "legacy.2"), names);
    }

    /** Of a server that takes the handshake and, in a process that runs, nothing else; or that ends. */
    private static List<String> remaining(String session, SessionScript script, StepOutcome met) {
        List<Event> events = List.of(new Event.StepBegan(0, 0, "initialize", "handshake", Map.of()), new Event.StepEnded(1, 1, "initialize", StepOutcome.REPLIED, HandshakeNote.AGREED + "2025-11-25"),
                new Event.StepBegan(2, 2, script.steps().get(2).id(), "handshake", Map.of()), new Event.StepEnded(3, 3, script.steps().get(2).id(), met, ""));
        return SessionFacts.of(new Transcript(new TranscriptHeader("a", "k", "t", session, script.label(), Era.LEGACY, "2025-11-25", List.of("server"), "", "host", "0", "2026-12-01T00:00:00Z",
                1, 1, 1), events)).remaining();
    }

    /** It took more than six minutes, with a limit of four seconds for each answer, to be told twenty times that nothing is answered. */
    @Test
    void aServerThatAnswersNothingIsAskedAgainInTheMainSessionOnly() {
        assertEquals(List.of(), remaining("legacy-malformed", Scripts.LEGACY_MALFORMED, StepOutcome.DEADLINE));
        assertEquals(List.of(), remaining("legacy-negative", Scripts.LEGACY_NEGATIVE, StepOutcome.DEADLINE));
        assertFalse(remaining("legacy", Scripts.LEGACY_FULL, StepOutcome.DEADLINE).isEmpty());
        assertFalse(remaining("legacy.2", Scripts.LEGACY_FULL, StepOutcome.DEADLINE).isEmpty());
        assertFalse(remaining("legacy-malformed", Scripts.LEGACY_MALFORMED, StepOutcome.EXITED).isEmpty(), "one that ended may not do so the next time");
        assertFalse(remaining("legacy-malformed", Scripts.LEGACY_MALFORMED, StepOutcome.REPLIED).isEmpty());
    }

    @Test
    void scriptsAreFoundByTheirLabelsAndStepIdsAreUnique() {
        for (SessionScript script : Scripts.all()) {
            assertEquals(script, Scripts.byLabel(script.label()));
            assertEquals(script.steps().size(), script.steps().stream().map(Step::id).distinct().count(), script.label());
        }
    }
}
