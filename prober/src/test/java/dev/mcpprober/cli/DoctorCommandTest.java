package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.docker.EngineExamination.Item;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
    @Test
    void whatIsNotOkComesWithWhatToDoAndAStatusThatSaysSo() {
        StringWriter out = new StringWriter();
        int status = DoctorCommand.print(List.of(new Item("engine", true, "docker 27", ""), new Item("image gateway", false, "is not there", "prober images build")),
                new PrintWriter(out));
        assertEquals(ExitCode.FAILED, status);
        assertEquals(List.of("ok      engine              docker 27", "not ok  image gateway       is not there", "        → prober images build"), out.toString().lines().toList());
        assertEquals(ExitCode.DONE, DoctorCommand.print(List.of(new Item("engine", true, "docker 27", "")), new PrintWriter(new StringWriter())));
    }

    @Test
    void aMachineWithOrWithoutAnEngineGetsOneLineForEachThing() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(new String[] {"doctor"}, new PrintWriter(out), new PrintWriter(err));
        assertTrue(status == ExitCode.DONE || status == ExitCode.FAILED, err.toString());
        for (String what : List.of("prober ", "cache ", "engine ", "image", "certificates")) {
            assertTrue(out.toString().lines().anyMatch(line -> line.matches("(ok|not ok) +" + what + ".*")), what + " in " + out);
        }
        assertFalse(out.toString().contains("://"), "no address of a registry: it may hold a password");
        assertEquals(status == ExitCode.FAILED, out.toString().contains("→ "));
    }
}
