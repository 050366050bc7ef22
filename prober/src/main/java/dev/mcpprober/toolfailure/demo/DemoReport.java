package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.model.Printable;
import java.util.List;
import java.util.stream.Collectors;

/** The rows as a short report in Markdown. Texts of servers are escaped. */
public final class DemoReport {
    private static final int MOST = 2_000;

    private DemoReport() {}

    /** @param servers one line for each: name, SDK, era */
    public static String markdown(List<Row> rows, List<String> servers, String version, String when) {
        long right = rows.stream().filter(Row::right).count();
        StringBuilder out = new StringBuilder();
        out.append("# toolFailure: a run of both reference servers\n\n")
                .append("Made by `prober toolfailure demo` (mcp-prober ").append(cell(version)).append(") on ").append(cell(when)).append(". ")
                .append(right).append(" of ").append(rows.size()).append(" rows are as they have to be.\n\n");
        servers.forEach(server -> out.append("- ").append(cell(server)).append('\n'));
        out.append("""

                Every scenario is one call in a fresh process, made twice: straight, and through the relay. The client allows three calls, waits 200 ms
                before the second and twice as long before the third, and waits for no `retryNotBefore` that is more than ten seconds away.

                A row is *ok* when, in both runs, the first answer classifies what the scenario says and every object is valid; the client did what the
                scenario says, for the reasons it says; every call had a request id of its own and none went out before `retryNotBefore`; each
                `correlationId` is found on exactly one line of the server's stderr, with the same class and code, and no line is left over; and the
                relay, which numbers every request anew and puts a key of its own into `_meta` of every result, let every object through to the digit,
                added none, and turned no result into an error. `rows.jsonl` has the same in full, `transcripts/` every line that passed.
                """);
        for (String server : rows.stream().map(Row::server).distinct().toList()) {
            List<Row> of = rows.stream().filter(row -> row.server().equals(server)).toList();
            out.append("\n## ").append(cell(server)).append(", ").append(cell(of.get(0).direct().revision())).append("\n\n")
                    .append("| | scenario | why it fails | first answer | what the client did, and why | relay | log line found by correlationId |\n|---|---|---|---|---|---|---|\n");
            of.forEach(row -> out.append("| ").append(row.right() ? "ok" : "WRONG: " + row.problems().stream().map(DemoReport::cell).collect(Collectors.joining("; ")))
                    .append(" | ").append(cell(row.scenario().id())).append(" | ").append(cell(row.scenario().cause())).append(" | ").append(cell(row.classification()))
                    .append(" | ").append(cell(row.did() + ". " + row.why())).append(" | ").append(cell(row.relay())).append(" | ")
                    .append(row.log().isEmpty() ? "nothing logged, no id" : row.log().stream().map(line -> "`" + cell(line) + "`").collect(Collectors.joining("<br>")))
                    .append(" |\n"));
        }
        return out.toString();
    }

    private static String cell(String hostile) {
        return Printable.text(hostile, MOST).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("`", "'").replace("[", "\\[");
    }
}
