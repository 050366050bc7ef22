package dev.mcpprober.cli.report;

import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code check --format markdown}: for a comment on a pull request. Text of the server stands only inside code, where neither
 * mark-up nor HTML, mentions or links are read.
 */
public final class MarkdownReport {
    /** Longest comment that the usual hosts take is 65536 characters. */
    private static final int MAX_EXPLAINED = 60_000;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9 .,/:@=()#_+-]*[A-Za-z0-9)])?");

    private MarkdownReport() {}

    static String write(CheckResult result, Gate gate, String version) {
        StringBuilder out = new StringBuilder();
        boolean failed = gate.failed(result.graded(), result.startupFailure());
        out.append("### ").append(failed ? "❌" : "✅").append(" MCP server check: ").append(code(result.label())).append("\n\n");
        result.install().ifPresent(install -> out.append("Install: ").append(install.outcome())
                .append(install.sdk().map(sdk -> ", SDK " + sdk.family() + (sdk.version() == null ? "" : " " + code(sdk.version()))).orElse("")).append(".\n"));
        result.observed().filter(o -> o.session().handshake()).ifPresent(o -> out.append("Session: agreed on ").append(code(o.session().protocolVersion()))
                .append(o.session().toolCount() == null ? "" : ", " + CheckResult.tools(o.session().toolCount())).append(".\n"));
        result.startupFailure().ifPresent(kind -> out.append("\n**No session: ").append(kind).append("**").append(gate.fails(kind) ? "" : " (baselined)")
                .append("\n\n").append(block(result.startupText())));
        List<Graded> findings = result.graded().stream().filter(g -> FailOn.isFinding(g.verdict().word()))
                .sorted((a, b) -> VerdictWord.of(a.verdict()).compareTo(VerdictWord.of(b.verdict()))).toList();
        if (!findings.isEmpty()) {
            out.append("\n| verdict | check | tool | what was seen |\n|---|---|---|---|\n");
            findings.forEach(g -> out.append("| ").append(word(g, gate)).append(" | `").append(g.observation().subject().check()).append("` | ")
                    .append(g.observation().subject().tool() == null ? "" : code(g.observation().subject().tool())).append(" | ")
                    .append(cell(g.verdict().note())).append(" |\n"));
            explain(findings, result, gate, out);
        }
        result.repeats().flaky().forEach(flaky -> out.append("\nFlaky: `").append(flaky.stands().observation().subject().check()).append("`")
                .append(flaky.stands().observation().subject().tool() == null ? "" : " " + code(flaky.stands().observation().subject().tool())).append(" was ")
                .append(flaky.words().stream().map(word -> word == null ? "no verdict" : word).collect(Collectors.joining(", "))).append(" in ")
                .append(flaky.words().size()).append(" repeats; the first verdict stands.\n"));
        gate.gone().forEach(key -> out.append("\nGone from the baseline: ").append(code(key.toString())).append(". It is no longer so: write the baseline anew.\n"));
        out.append("\n").append(java.util.Arrays.stream(VerdictWord.values()).map(word -> result.count(word.id()) + " " + word.id()).collect(Collectors.joining(", ")))
                .append(" by ").append(String.join(", ", result.ruleLabels())).append("; fails on ").append(gate.failOn())
                .append(gate.hasBaseline() ? " beyond the baseline" : "").append(". mcp-prober ").append(version).append("\n");
        return out.toString();
    }

    private static void explain(List<Graded> findings, CheckResult result, Gate gate, StringBuilder out) {
        int left = 0;
        for (Graded graded : findings) {
            String text = "\n<details><summary>" + word(graded, gate) + ": <code>" + graded.observation().subject().check() + "</code>"
                    + (graded.observation().subject().tool() == null ? "" : " " + html(graded.observation().subject().tool())) + "</summary>\n\n"
                    + block(FindingText.body(graded, result.witnesses())) + "\n</details>\n";
            if (out.length() + text.length() > MAX_EXPLAINED) {
                left++;
            } else {
                out.append(text);
            }
        }
        if (left > 0) {
            out.append("\n").append(left).append(" more are not explained here for want of room.\n");
        }
    }

    private static String word(Graded graded, Gate gate) {
        return graded.verdict().word() + (gate.isKnown(graded) ? " (baselined)" : "");
    }

    /** Printable lines as a code block, in a fence longer than any run of backticks in what it holds. */
    public static String block(List<String> lines) {
        int longest = 2;
        int run = 0;
        for (char c : String.join("\n", lines).toCharArray()) {
            run = c == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        String fence = "`".repeat(longest + 1);
        return fence + "text\n" + String.join("\n", lines) + "\n" + fence + "\n";
    }

    /** Hostile text in one code span that holds in tables: between backticks, which people read as it stands, where it has no sign that could end them. */
    public static String code(String hostile) {
        String text = Quote.text(hostile);
        return PLAIN.matcher(text).matches() ? "`" + text + "`" : html(hostile);
    }

    /** The same for within HTML, where backticks are none: all but letters, digits and spaces are character references. */
    private static String html(String hostile) {
        StringBuilder out = new StringBuilder("<code>");
        Quote.text(hostile).codePoints().forEach(point -> {
            if (Character.isLetterOrDigit(point) || point == ' ') {
                out.appendCodePoint(point);
            } else {
                out.append(String.format(Locale.ROOT, "&#%d;", point));
            }
        });
        return out.append("</code>").toString();
    }

    /** Text of a rule file, which may be the user's own, in a table. */
    private static String cell(String text) {
        return Quote.text(text).replace("&", "&amp;").replace("|", "\\|").replace("`", "\\`").replace("@", "&#64;");
    }
}
