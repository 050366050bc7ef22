package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.TargetState;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private static String lines(boolean terminal) {
        StringWriter out = new StringWriter();
        try (ProgressLines progress = new ProgressLines(new PrintWriter(out), 2, terminal)) {
            progress.started("npm:a");
            progress.finished("npm:a", TargetState.STARTED, "legacy \u001b[2J", false, 1, 2);
            progress.faulted("npm:b", "install", new Fault.EngineError("create", "x\ny"), true);
        }
        return out.toString();
    }

    @Test
    void aLogGetsOnePlainLineForEachEvent() {
        String log = lines(false);
        assertEquals(2, log.lines().count());
        assertTrue(log.startsWith("1/2  "), log);
        assertFalse(log.contains("\u001b") || log.contains("\r"), "nothing of a terminal in a log");
        assertTrue(log.contains("x\\ny") && log.contains("\\u001b[2J"));
    }

    @Test
    void aTerminalGetsABarThatIsGoneAtTheEnd() {
        String shown = lines(true);
        assertTrue(shown.contains("[############............] 1/2"), shown);
        assertTrue(shown.endsWith("\r\u001b[K"));
    }
}
