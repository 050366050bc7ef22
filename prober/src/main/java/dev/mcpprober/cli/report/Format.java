package dev.mcpprober.cli.report;

import dev.mcpprober.cli.gate.Gate;
import java.io.PrintWriter;

/** What {@code check} can write; {@code sarif} and {@code junit} carry what a build server shows of a finding. */
public enum Format {
    text, json, junit, sarif, markdown;

    /**
     * @param version of this program
     * @param now     ISO-8601 instant, for formats that want one
     * @param all     explain passed checks too (text)
     */
    public void write(CheckResult result, Gate gate, String version, String now, boolean all, PrintWriter out) {
        switch (this) {
            case text -> new TextReport(out, all).print(result, gate);
            case json -> out.println(JsonReport.write(result, gate));
            case junit -> out.println(JunitReport.write(result, gate, now));
            case sarif -> out.println(SarifReport.write(result, gate, version));
            case markdown -> out.print(MarkdownReport.write(result, gate, version));
        }
        out.flush();
    }
}
