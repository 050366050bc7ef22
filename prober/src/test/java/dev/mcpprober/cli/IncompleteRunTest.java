package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.RunFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is made of a run that is not done says so before it says anything else: two of the eight rows of this one are unmeasured. */
class IncompleteRunTest {
    @TempDir Path temp;

    private String said(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertEquals(ExitCode.DONE, ProberCommand.run(args, new PrintWriter(out, true), new PrintWriter(err, true)), err.toString());
        return out.toString();
    }

    @Test
    void isSaidFirst() throws Exception {
        RunFixture.make(temp, "run");
        String run = temp.resolve("run").toString();
        String stats = said("stats", run);
        assertTrue(stats.startsWith("INCOMPLETE: 2 of 8 rows of the frame are unmeasured"), stats);
        String status = said("census", "status", run);
        assertTrue(status.endsWith("\nended: stopped on request, 2 unmeasured: prober census retry tries again\n"), status);
        String audit = said("audit", "sample", run, "--to", temp.resolve("audit").toString());
        assertTrue(audit.startsWith("INCOMPLETE: 2 targets are unmeasured."), audit);
        String compared = said("compare", run, "--rules", "spec,sep-2145");
        assertTrue(compared.contains(" servers started\nINCOMPLETE: 2 rows are unmeasured, and nothing below counts them\n"), compared);
    }
}
