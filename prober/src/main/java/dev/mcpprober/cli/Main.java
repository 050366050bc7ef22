package dev.mcpprober.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point: the one place that ends the process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status;
        try {
            status = ProberCommand.run(args, out, err);
        } catch (OutOfMemoryError e) {
            err.println("prober: out of memory; nothing is known of what was running. Give it more, e.g. PROBER_HEAP=1g");
            status = ExitCode.ENGINE_FAULT;
        } catch (StackOverflowError e) {
            err.println("prober: a defect of this program, please report it: " + e + " at " + (e.getStackTrace().length > 0 ? e.getStackTrace()[0] : "?"));
            status = ExitCode.ENGINE_FAULT;
        }
        out.flush();
        err.flush();
        System.exit(out.checkError() ? ExitCode.ENGINE_FAULT : status);
    }
}
