package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is answered to each version offered, across sessions. */
class VersionObservationTest {
    private static Tape offer(String offered, String answered) {
        String check = offered.startsWith("20") && !offered.startsWith("2099") ? "initialize-version-known" : "initialize-version-unknown";
        return Tape.legacy("versions-" + offered, "versions-" + offered, offered).handshake(check, answered, "{}");
    }

    private static Observation of(Seen seen, Check check, String session) {
        return seen.rows(check).stream().filter(row -> row.subject().session().equals(session)).findFirst().orElseThrow();
    }

    private static Set<String> flags(Observation row) {
        return ((Observation.Reaction) row).flags();
    }

    @Test
    void eachVersionOfferedHasItsRowAndItsLineInTheTable() {
        Seen seen = Tape.open("2025-11-25").seen(offer("2024-11-05", "2024-11-05"), offer("2025-03-26", "2025-11-25"), offer("2099-12-31", "2025-11-25"));
        assertEquals(3, seen.rows(Check.INITIALIZE_VERSION_KNOWN).size());
        assertEquals("same", of(seen, Check.INITIALIZE_VERSION_KNOWN, "legacy").observed());
        assertEquals("other", of(seen, Check.INITIALIZE_VERSION_KNOWN, "versions-2025-03-26").observed());
        assertEquals(Set.of(), flags(of(seen, Check.INITIALIZE_VERSION_KNOWN, "versions-2025-03-26")), "it may not support that one");
        assertEquals("other", seen.observed(Check.INITIALIZE_VERSION_UNKNOWN));
        assertEquals(List.of("2025-11-25>2025-11-25", "2024-11-05>2024-11-05", "2025-03-26>2025-11-25", "2099-12-31>2025-11-25"),
                seen.target().offers().stream().map(offer -> offer.offered() + ">" + offer.answered()).toList());
    }

    @Test
    void aVersionThatAnotherSessionSettledOnIsSupported() {
        Seen seen = Tape.open("2025-11-25").seen(offer("2024-11-05", "2025-03-26"), offer("2025-03-26", "2025-11-25"));
        assertEquals(Set.of(Flag.SUPPORTED), flags(of(seen, Check.INITIALIZE_VERSION_KNOWN, "versions-2025-03-26")));
        assertEquals(Set.of(), flags(of(seen, Check.INITIALIZE_VERSION_KNOWN, "versions-2024-11-05")));
    }

    @Test
    void versionsThatDoNotExist() {
        Seen echo = Tape.open("2025-11-25").seen(offer("2099-12-31", "2099-12-31"));
        assertEquals("echoed", echo.observed(Check.INITIALIZE_VERSION_UNKNOWN));
        Seen old = Tape.open("2025-11-25").seen(offer("1999-12-31", "2024-11-05"));
        assertEquals(Set.of(Flag.OLDER), old.flags(Check.INITIALIZE_VERSION_UNKNOWN));
        Seen unheard = Tape.open("2025-11-25").seen(offer("2099-12-31", "2031-01-01"));
        assertEquals(Set.of(Flag.UNKNOWN_REVISION), unheard.flags(Check.INITIALIZE_VERSION_UNKNOWN));
        Seen refused = Tape.open("2025-11-25").seen(Tape.legacy("versions-2099-12-31", "versions-2099-12-31", "2099-12-31").step("initialize", "initialize-version-unknown")
                .ask("initialize", "{\"protocolVersion\":\"2099-12-31\"}").error(-32602, "Unsupported protocol version").end(REPLIED));
        assertEquals("protocol-error", refused.observed(Check.INITIALIZE_VERSION_UNKNOWN));
        assertEquals(List.of("result", "protocol-error"), refused.target().offers().stream().map(TargetObservations.Offer::met).toList());
        Seen dead = Tape.open("2025-11-25").seen(Tape.legacy("versions-2099-12-31", "versions-2099-12-31", "2099-12-31").step("initialize", "initialize-version-unknown")
                .ask("initialize", "{\"protocolVersion\":\"2099-12-31\"}").exits(1).end(EXITED));
        assertEquals("exited", dead.observed(Check.INITIALIZE_VERSION_UNKNOWN));
    }

    @Test
    void aHandshakeThatNamesNoVersionIsOneFinding() {
        Seen seen = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize", "{\"protocolVersion\":\"2025-11-25\"}").error(-32603, "x").end(REPLIED).seen();
        assertEquals("no version was answered (see server-initialize)", seen.reason(Check.INITIALIZE_VERSION_KNOWN));
        assertTrue(seen.target().offers().isEmpty());
    }

    @Test
    void modernErrorsAndTheListOfDiscoverAgreeOrNot() {
        String error = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"x\",\"data\":{\"requested\":\"2099-12-31\",\"supported\":";
        Seen agree = Tape.openModern().seen(Tape.modern("modern-version", "modern-version").step("unsupported-version", "unsupported-version").ask("server/discover", "{}")
                .get(error + "[\"2026-07-28\"]}}}").end(REPLIED));
        assertEquals("listed", agree.observed(Check.DISCOVER_LISTS_VERSION));
        Seen differ = Tape.openModern().seen(Tape.modern("modern-version", "modern-version").step("unsupported-version", "unsupported-version").ask("server/discover", "{}")
                .get(error + "[\"2025-11-25\"]}}}").end(REPLIED));
        assertEquals("unlisted", differ.observed(Check.DISCOVER_LISTS_VERSION));
        assertEquals("modern-version", differ.row(Check.DISCOVER_LISTS_VERSION).subject().session());
    }
}
