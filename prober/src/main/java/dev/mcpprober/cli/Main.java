package dev.mcpprober.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point: the one place that ends the process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = ProberCommand.run(args, out, err);
        out.flush();
        err.flush();
        System.exit(out.checkError() ? ExitCode.ENGINE_FAULT : status);
    }
}
