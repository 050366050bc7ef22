package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a server ends once its stdin is closed. */
class ShutdownObservationTest {
    private static Tape closing() {
        return Tape.open("2025-11-25").step("stdin-eof", "stdin-eof").closeStdin();
    }

    @Test
    void endsByItself() {
        Seen seen = closing().exits(0).end(EXITED).seen();
        assertEquals("exited", seen.observed(Check.STDIN_EOF));
        assertEquals(0L, seen.code(Check.STDIN_EOF));
        assertEquals(Set.of(), seen.flags(Check.STDIN_EOF));
        Seen one = closing().exits(13).end(EXITED).seen();
        assertEquals(13L, one.code(Check.STDIN_EOF));
        assertEquals(Set.of(Flag.NON_ZERO), one.flags(Check.STDIN_EOF));
        assertEquals(Set.of(Flag.SIGNAL), closing().terminated("signalled", 13).end(EXITED).seen().flags(Check.STDIN_EOF));
    }

    @Test
    void aChildThatKeepsStdoutOpenIsNoReasonToDoubt() {
        assertEquals("exited", closing().terminated("exited", 0).end(EXITED).seen().observed(Check.STDIN_EOF));
    }

    @Test
    void needsSignals() {
        Seen term = closing().signal("SIGTERM").terminated("signalled", 15).end(EXITED, "after SIGTERM").seen();
        assertEquals("sigterm-needed", term.observed(Check.STDIN_EOF));
        assertEquals(List.of(9, 10, 11), term.witness(Check.STDIN_EOF));
        assertEquals("sigterm-needed", closing().signal("SIGTERM").terminated("exited", 0).end(EXITED).seen().observed(Check.STDIN_EOF));
        assertEquals("sigterm-needed", closing().signal("SIGTERM").terminated("stopped", 0).end(EXITED, "after SIGTERM").seen().observed(Check.STDIN_EOF),
                "both engines call an end that our signal came before stopped");
        assertEquals("sigkill-needed", closing().signal("SIGTERM").signal("SIGKILL").terminated("stopped", 0).end(EXITED).seen().observed(Check.STDIN_EOF));
    }

    @Test
    void aSessionThatWeBreakOffSaysNothing() {
        assertEquals("the session was broken off", closing().terminated("stopped", 0).seen().reason(Check.STDIN_EOF));
    }

    @Test
    void aServerThatHadEndedIsNotCharged() {
        assertEquals("server ended at step ping (see ping)", Tape.open("2025-11-25").step("ping", "ping").ask("ping").exits(0).end(EXITED).seen().reason(Check.STDIN_EOF));
        assertEquals("server had ended before", Tape.open("2025-11-25").exits(0).step("stdin-eof", "stdin-eof").closeStdin().end(EXITED).seen().reason(Check.STDIN_EOF));
    }
}
