package dev.mcpprober.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerStateTest {
    private static String key(String target, int session) {
        return Digests.sha256(target + " session " + session);
    }

    private static String attempt(String key, int number) {
        return key.substring(0, 16) + "-" + number;
    }

    /** An undisturbed target, as a ledger's lines say it. */
    private static List<LedgerEvent> target(String target, int sessions) {
        List<LedgerEvent> events = new ArrayList<>(List.of(new LedgerEvent.Started("2026-12-01T00:00:00Z", target, LedgerEvent.INSTALL, "i-1", "install"),
                new LedgerEvent.Installed("2026-12-01T00:00:01Z", target, "i-1", "installed", true, Digests.sha256("install of " + target))));
        List<String> attempts = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            String key = key(target, i);
            attempts.add(attempt(key, 1));
            events.add(new LedgerEvent.Planned("2026-12-01T00:00:02Z", target, key, "s" + i, "script@1"));
            events.add(new LedgerEvent.Started("2026-12-01T00:00:02Z", target, key, attempt(key, 1), "s" + i));
            events.add(new LedgerEvent.Completed("2026-12-01T00:00:03Z", target, key, attempt(key, 1), Digests.sha256("transcript " + key)));
        }
        events.add(new LedgerEvent.Finished("2026-12-01T00:00:04Z", target, "started", "legacy, " + sessions + " sessions", attempts));
        return events;
    }

    /** As if read from the file: no text is shared between two events. */
    private static LedgerEvent read(LedgerEvent event) {
        return LedgerJson.read(LedgerJson.write(event));
    }

    @Test
    void aFinishedTargetTellsTheSameWhenItIsLookedAtAgain() {
        LedgerState state = new LedgerState();
        List<LedgerEvent> events = target("pkg:npm/a", 3);
        events.forEach(state::apply);
        assertEquals(Optional.of(events.get(events.size() - 1)), state.of("pkg:npm/a").finished());
        assertEquals(Optional.of(events.get(1)), state.of("pkg:npm/a").installed());
        String second = key("pkg:npm/a", 1);
        assertEquals(Optional.of(new LedgerState.Done(attempt(second, 1), Digests.sha256("transcript " + second))), state.of("pkg:npm/a").key(second).completed());
        assertEquals(1, state.of("pkg:npm/a").key(LedgerEvent.INSTALL).attempts());
        assertEquals(4, state.of("pkg:npm/a").keys().size());
        assertEquals(List.of(), state.open());
    }

    @Test
    void workOnAFinishedTargetGoesOnFromWhatWasKnown() {
        LedgerState state = new LedgerState();
        target("pkg:npm/a", 3).forEach(state::apply);
        String second = key("pkg:npm/a", 1);
        state.apply(new LedgerEvent.Started("2026-12-01T00:00:05Z", "pkg:npm/a", second, attempt(second, 2), "s1"));
        LedgerState.OfTarget of = state.of("pkg:npm/a");
        assertEquals(TargetState.UNMEASURED, of.state());
        assertEquals(2, of.key(second).attempts());
        assertTrue(of.key(key("pkg:npm/a", 2)).completed().isPresent(), "the other sessions are still there");
        assertEquals(1, state.open().size());
        state.apply(new LedgerEvent.Faulted("2026-12-01T00:00:06Z", "pkg:npm/a", second, attempt(second, 2), "engine-error", "x"));
        state.apply(new LedgerEvent.Started("2026-12-01T00:00:07Z", "pkg:npm/a", second, attempt(second, 3), "s1"));
        state.apply(new LedgerEvent.Completed("2026-12-01T00:00:08Z", "pkg:npm/a", second, attempt(second, 3), Digests.sha256("anew")));
        List<String> attempts = List.of(attempt(key("pkg:npm/a", 0), 1), attempt(second, 3), attempt(key("pkg:npm/a", 2), 1));
        LedgerEvent.Finished again = new LedgerEvent.Finished("2026-12-01T00:00:09Z", "pkg:npm/a", "started", "legacy", attempts);
        state.apply(again);
        assertEquals(Optional.of(again), state.of("pkg:npm/a").finished());
        assertEquals(1, state.of("pkg:npm/a").key(second).faults().size(), "a fault is not forgotten");
    }

    @Test
    void theLastEndOfATargetIsTheOneThatStands() {
        LedgerState state = new LedgerState();
        List<LedgerEvent> events = target("pkg:npm/a", 2);
        events.forEach(state::apply);
        LedgerEvent.Finished fewer = new LedgerEvent.Finished("2026-12-01T00:00:09Z", "pkg:npm/a", "started", "x", List.of(attempt(key("pkg:npm/a", 1), 1)));
        state.apply(fewer);
        assertEquals(Optional.of(fewer), state.of("pkg:npm/a").finished());
        state.apply(events.get(events.size() - 1));
        assertEquals(Optional.of(events.get(events.size() - 1)), state.of("pkg:npm/a").finished());
    }

    /** What is measured is printed; the bound is what 240 MiB of heap hold of 100,000 targets. */
    @Test
    void aFinishedTargetOfTenSessionsTakesLittleMemory() {
        int targets = 5_000;
        long before = used();
        LedgerState state = new LedgerState();
        for (int i = 0; i < targets; i++) {
            target("pkg:npm/server-" + i, 10).forEach(event -> state.apply(read(event)));
        }
        long each = (used() - before) / targets;
        assertTrue(state.of("pkg:npm/server-7").finished().isPresent());
        System.out.println("a finished target of ten sessions takes " + each + " bytes of the ledger's state");
        assertTrue(each < 2_000, each + " bytes");
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
