package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The first page: what was measured, what was found, and where to look closer. */
final class Overview {
    private static final String ALL = "all";

    private final RunInfo info;
    private final String ruleSet;
    private final Map<TargetState, Map<String, Integer>> ends;
    private final List<Report.Server> servers;
    private final List<ShareLine> lines;

    Overview(RunInfo info, String ruleSet, Map<TargetState, Map<String, Integer>> ends, List<Report.Server> servers, List<ShareLine> lines) {
        this.info = info;
        this.ruleSet = ruleSet;
        this.ends = ends;
        this.servers = servers;
        this.lines = lines;
    }

    /** Writes the files of the figures beside. */
    String html(Path figures) throws IOException {
        StringBuilder out = new StringBuilder("<h1>How ").append(count(TargetState.STARTED)).append(" MCP servers behave when a call goes wrong</h1>\n");
        out.append("<p>").append(Html.text("Run of " + info.createdAt() + ", packages as of " + info.settings().getOrDefault("as of", "now") + ", profile " + info.profile()
                + ", graded by " + ruleSet + ", mcp-prober " + info.proberVersion())).append("</p>\n");
        if (count(TargetState.UNMEASURED) > 0) {
            out.append("<p><strong>").append(count(TargetState.UNMEASURED)).append(" servers are unmeasured: this machine failed, not they. Every share leaves them out.</strong></p>\n");
        }
        out.append(findings()).append("<h2>What became of the frame</h2>\n").append(funnel());
        Figure checks = checks();
        out.append("<h2>Checks</h2>\n<p>Servers that fail, of those whose verdict says something (pass, warn, divergent or fail).</p>\n").append(checks.html(checks.bars()));
        Figure families = families();
        out.append("<h2>SDK family and revision</h2>\n<p>Servers with at least one check that fails.</p>\n").append(families.html(grid(families)));
        for (String check : List.of("tools-call-unknown", "tools-call-wrong-type", "malformed-json")) {
            Figure figure = observed(check);
            if (!figure.lines().isEmpty()) {
                out.append("<h2>").append(Html.text(check)).append(": what servers do</h2>\n").append(figure.html(figure.bars()));
                figure.write(figures);
            }
        }
        Figure starts = starts();
        if (!starts.lines().isEmpty()) {
            out.append("<h2>Why servers give no session</h2>\n").append(starts.html(starts.bars()));
            starts.write(figures);
        }
        checks.write(figures);
        families.write(figures);
        out.append("<h2>Servers</h2>\n").append(list()).append(method());
        return Page.of("mcp-prober: " + count(TargetState.STARTED) + " servers", "", out.toString());
    }

    private int count(TargetState state) {
        return ends.getOrDefault(state, Map.of()).values().stream().mapToInt(Integer::intValue).sum();
    }

    private String findings() {
        StringBuilder out = new StringBuilder("<div class=\"big\">");
        finding(out, find("observed", "tools-call-unknown", "tool-error"), "answer a call of an unknown tool with a tool error");
        finding(out, find("verdict", "tools-call-wrong-type", "fail"), "fail at an argument of the wrong type");
        finding(out, find("no-fail", "none", "no-fail"), "have no check that fails");
        return out.append("</div>\n").toString();
    }

    private void finding(StringBuilder out, ShareLine line, String text) {
        if (line != null) {
            Interval interval = line.share().wilson();
            out.append("<div><b>").append(Html.percent(line.share().all().share().orElse(0))).append("</b>").append(Html.text(text)).append("<br><span class=\"dim\">")
                    .append(line.share().all().k()).append(" of ").append(line.share().all().n()).append(", 95 % interval ").append(Html.percent(interval.low()))
                    .append(" to ").append(Html.percent(interval.high())).append("</span></div>");
        }
    }

    private ShareLine find(String figure, String check, String value) {
        return lines.stream().filter(line -> line.group().by().equals(ALL) && line.of().figure().equals(figure) && line.of().check().equals(check)
                && line.of().value().equals(value)).findFirst().orElse(null);
    }

    private String funnel() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("rows of the frame", "", Integer.toString(servers.size())));
        for (TargetState state : TargetState.values()) {
            ends.getOrDefault(state, Map.of()).forEach((reason, number) -> rows.add(List.of(Html.text(state.id()), Html.text(reason, 60), Integer.toString(number))));
        }
        return Html.table("Every row of the frame ends in one of these; the counts sum up to the frame.", List.of("state", "reason", "rows#"), rows);
    }

    private Figure checks() {
        List<Figure.Labelled> out = new ArrayList<>();
        for (ShareLine line : lines) {
            if (line.group().by().equals(ALL) && line.of().figure().equals("verdict") && line.of().value().equals("fail")) {
                out.add(new Figure.Labelled(line.of().check(), line));
            }
        }
        out.sort(Comparator.comparingDouble((Figure.Labelled l) -> -l.line().share().all().share().orElse(0)).thenComparing(Figure.Labelled::label));
        return new Figure("checks", "Share of servers that fail each check", out);
    }

    private Figure families() {
        return new Figure("sdk-family-revision", "Share of servers without a failing check, by SDK family and negotiated revision", lines.stream()
                .filter(line -> line.group().by().equals("sdk_family_revision") && line.of().figure().equals("no-fail"))
                .map(line -> new Figure.Labelled(line.group().value(), line)).toList());
    }

    private static String grid(Figure figure) {
        TreeSet<String> rows = new TreeSet<>();
        TreeSet<String> columns = new TreeSet<>();
        Map<List<String>, Svg.Bar> cells = new HashMap<>();
        for (Figure.Labelled labelled : figure.lines()) {
            int space = labelled.label().lastIndexOf(' ');
            String family = labelled.label().substring(0, space);
            String revision = labelled.label().substring(space + 1);
            rows.add(family);
            columns.add(revision);
            int n = labelled.line().share().all().n();
            cells.put(List.of(family, revision), new Svg.Bar("", 1 - labelled.line().share().all().share().orElse(0), 0, 1, n + (n < 30 ? "*" : "")));
        }
        return Svg.grid("Share of servers with a failing check, by SDK family and revision; * fewer than 30 servers", List.copyOf(rows), List.copyOf(columns), cells);
    }

    private Figure observed(String check) {
        List<Figure.Labelled> out = new ArrayList<>();
        for (ShareLine line : lines) {
            if (line.of().figure().equals("observed") && line.of().check().equals(check) && line.group().by().equals(ALL)) {
                out.add(new Figure.Labelled(line.of().value(), line));
            }
        }
        out.sort(Comparator.comparingInt((Figure.Labelled l) -> -l.line().share().all().k()).thenComparing(Figure.Labelled::label));
        return new Figure("observed-" + check, "What servers do at " + check, out);
    }

    private Figure starts() {
        List<Figure.Labelled> out = new ArrayList<>();
        for (ShareLine line : lines) {
            if (line.of().figure().equals("startup-failure") && line.group().by().equals(ALL)) {
                out.add(new Figure.Labelled(line.of().value(), line));
            }
        }
        out.sort(Comparator.comparingInt((Figure.Labelled l) -> -l.line().share().all().k()).thenComparing(Figure.Labelled::label));
        return new Figure("startup-failures", "Why measured servers give no session", out);
    }

    private String list() {
        List<List<String>> rows = new ArrayList<>();
        for (Report.Server server : servers) {
            String name = Html.text(server.target(), 120);
            rows.add(List.of(server.page().isEmpty() ? name : "<a href=\"" + Html.text(server.page()) + "\">" + name + "</a>",
                    Html.text(server.state().id() + (server.reason().isEmpty() ? "" : ": " + server.reason())), Html.text(server.revision(), 40),
                    Html.text((server.family() + " " + server.version()).strip(), 60), Long.toString(server.fails()), Long.toString(server.warns())));
        }
        return Html.table("All rows of the frame", List.of("server", "state", "revision", "SDK", "fail#", "warn#"), rows);
    }

    private static String method() {
        return "<h2>How to read this</h2>\n<p>Each server counts once for a check: by its primary observations in the era that stands for it, by the gravest verdict where "
                + "there are several. Intervals are Wilson's at 95 %, on an effective sample that takes servers of one publisher as alike. Nobody has checked a sample of these "
                + "decisions by hand for this run, so no figure is corrected for errors of the extractor. All shares, also by registry, family and revision: "
                + "<a href=\"shares.csv\">shares.csv</a>.</p>\n";
    }
}
