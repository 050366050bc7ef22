package dev.mcpprober.dataset.report;

import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The first page: what was measured, what was found, and where to look closer. */
final class Overview {
    /** In the order of the page. */
    private static final List<Part> PARTS = List.of(new BehaviourPart(), new VerdictsPart(), new FamiliesPart(), new SdkVersionsPart(), new OffersPart(),
            new ConsequencesPart(), new FailuresPart(), new StartsPart(), new DeclaredPart(), new RulesPart(), new DriftPart(), new AuditPart());

    private final Material material;

    Overview(Material material) {
        this.material = material;
    }

    /** Writes the files of the figures, too. */
    String html(Path report) throws IOException {
        Section funnel = new FunnelPart().section(material).orElseThrow();
        List<Section> sections = new ArrayList<>();
        for (Part part : PARTS) {
            part.section(material).ifPresent(sections::add);
        }
        int started = material.count(TargetState.STARTED);
        StringBuilder out = new StringBuilder("<h1>How ").append(started).append(" MCP server").append(started == 1 ? " behaves" : "s behave")
                .append(" when a call goes wrong</h1>\n").append(subject());
        int unmeasured = material.count(TargetState.UNMEASURED);
        if (unmeasured > 0) {
            out.append("<p><strong>Incomplete: ").append(unmeasured).append(" of ").append(material.frame())
                    .append(" rows of the frame are unmeasured: this machine failed, not they. Every share leaves them out.</strong></p>\n");
        }
        String withheld = material.tables().fact("withheld");
        if (!withheld.isEmpty() && !withheld.equals("0")) {
            out.append(Section.paragraph(withheld + " of " + material.frame() + " rows are withheld: their servers stand under pseudonyms until their maintainers have had time for a severe "
                    + "finding, or hide one that does. Shares of all servers count them, shares of a group only where their row says that they belong to it; figures that are counted from single rows show of them what may be shown."));
        }
        out.append(findings()).append(funnel.html()).append(contents(sections));
        sections.forEach(section -> out.append(section.html()));
        out.append(method());
        for (Figure figure : funnel.figures()) {
            figure.write(report);
        }
        for (Section section : sections) {
            for (Figure figure : section.figures()) {
                figure.write(report);
            }
        }
        return Page.of(started + " servers", null, out.toString());
    }

    private String subject() {
        Tables tables = material.tables();
        String asOf = tables.fact("as_of").isEmpty() ? "" : ", packages as of " + tables.fact("as_of");
        return Section.paragraph((tables.version().isEmpty() ? "" : "Data " + tables.version() + ". ") + "MCP servers over stdio, each installed and started in a sandbox without a "
                + "network, then asked what goes wrong on purpose. Run of " + tables.fact("run_created_at") + asOf + ", profile " + tables.fact("profile") + ", observed by "
                + tables.fact("extractor") + ", graded by " + material.ruleSet() + ", mcp-prober " + tables.fact("prober") + ".");
    }

    private String findings() {
        StringBuilder out = new StringBuilder("<h2 id=\"findings\">Findings</h2>\n<div class=\"big\">");
        int before = out.length();
        finding(out, material.shares("observed", "tools-call-unknown", "tool-error", Material.ALL), "answer a call of an unknown tool with a tool error");
        finding(out, material.shares("verdict", "tools-call-wrong-type", "fail", Material.ALL), "fail at an argument of the wrong type");
        finding(out, material.shares("no-fail", null, null, Material.ALL), "have no check that fails under the revision that they agreed on");
        return out.length() == before ? "" : out.append("</div>\n").toString();
    }

    private void finding(StringBuilder out, List<ShareRow> rows, String text) {
        for (ShareRow row : rows) {
            out.append("<div><b>").append(Html.percent(row.share())).append("</b>of servers ").append(Html.text(text)).append("<br><span class=\"dim\">").append(row.k()).append(" of ")
                    .append(row.n()).append(", 95 % interval ").append(Html.percent(row.low())).append(" to ").append(Html.percent(row.high())).append(", ").append(row.publishers())
                    .append(" publishers; ").append(corrected(row)).append("</span></div>");
        }
    }

    /** An audit is of verdicts; behind the others are several, or none. */
    private String corrected(ShareRow row) {
        Optional<Cells> audit = row.figure().equals("verdict") ? material.audit(row.check(), row.value()) : Optional.empty();
        double corrected = audit.map(found -> found.number("corrected")).orElse(Double.NaN);
        return Double.isNaN(corrected) ? audit.map(found -> found.get("status")).filter(status -> !status.equals(Material.NOT_AUDITED)).isPresent() ? "cannot be corrected" : "not audited"
                : "corrected " + Html.percent(corrected) + ", " + Html.percent(audit.get().number("corrected_low")) + " to " + Html.percent(audit.get().number("corrected_high"));
    }

    private static String contents(List<Section> sections) {
        StringBuilder out = new StringBuilder("<nav aria-label=\"Contents\"><ul>");
        sections.forEach(section -> out.append("<li><a href=\"#").append(section.id()).append("\">").append(Html.text(section.title())).append("</a></li>"));
        return out.append("<li><a href=\"servers.html\">All servers, with a page for each</a></li><li><a href=\"#method\">How to read this</a></li></ul></nav>\n").toString();
    }

    private static String method() {
        return "<h2 id=\"method\">How to read this</h2>\n<p>Each server counts once for a check: by its primary observations in the era that stands for it, by the gravest verdict where "
                + "there are several. Intervals are Wilson's at 95 %, on an effective sample that takes servers of one publisher as alike. All shares, also by registry, family, "
                + "revision and version: <a href=\"shares.csv\">shares.csv</a>. Beside each figure are its table, its CSV and a Vega-Lite specification to draw it anew.</p>\n<p>Colours "
                + "of categories are those of Okabe and Ito (2008), each with a pattern of its own; shares are ColorBrewer's blues, from light to dark.</p>\n";
    }
}
