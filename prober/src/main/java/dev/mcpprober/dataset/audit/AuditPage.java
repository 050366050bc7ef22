package dev.mcpprober.dataset.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.dataset.report.Html;
import dev.mcpprober.dataset.report.Policy;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.run.RunFolder;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The page to label with: a local tool, so it has a script, which the page's policy names by its hash; nothing else runs, and nothing is
 * loaded or sent. What servers wrote stands in it as text.
 */
final class AuditPage {
    private static final String RESOURCES = "/dev/mcpprober/dataset/audit/";

    private AuditPage() {}

    static Path write(RunFolder run, String sample, List<Decision> decisions, Path file) throws IOException {
        Frames frames = Frames.of(run, decisions);
        AtomicFiles.write(file, bytes -> {
            Writer out = new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
            out.write(head());
            out.write(body());
            for (Decision decision : decisions) {
                out.write(section(decision, frames.of(decision)));
            }
            out.write("</div></main></div>\n<script type=\"application/json\" id=\"data\">" + data(sample, decisions) + "</script>\n<script>" + resource("page.js")
                    + "</script>\n</body></html>\n");
            out.flush();
        });
        return file;
    }

    private static String head() {
        String policy = "default-src 'none'; script-src " + Policy.hash(resource("page.js")) + "; style-src " + Policy.hash(resource("page.css"))
                + "; base-uri 'none'; form-action 'none'";
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\"><title>Audit of a sample</title><style>" + resource("page.css")
                + "</style></head><body>\n";
    }

    private static String body() {
        return """
                <noscript><p>This page needs its script. Without it, fill in the columns labeller and label of sample.csv.</p></noscript>
                <form id="begin"><div id="ask" hidden><h1>Who labels?</h1>
                <p>What the program decided is not shown. Two people should label the whole sample, each by themselves. The name stands in your file of labels; a data set
                that is made of it says labeller-1 and labeller-2.</p>
                <p><label>Name <input id="name" maxlength="60" autocomplete="off"></label> <button>Begin</button></p></div></form>
                <div id="work" hidden>
                <header><h1 id="place"></h1><progress id="bar" aria-label="labelled"></progress> <span id="count" aria-live="polite"></span>
                <button id="previous" type="button"><kbd>p</kbd> back</button><button id="next" type="button"><kbd>n</kbd> next</button>
                <button id="undo" type="button"><kbd>u</kbd> undo</button><button id="download" type="button">Download labels.csv</button>
                <label class="file">Take up a file <input id="file" type="file" accept=".csv"></label>
                <span class="dim">as <b id="who"></b></span><button id="other" type="button">somebody else</button></header>
                <p id="say" role="status"></p>
                <main><div id="panel"><div id="answers" role="group" aria-label="answers"></div>
                <p><label><kbd>/</kbd> note <input id="note" maxlength="500" autocomplete="off"></label></p></div><div id="decisions">
                """;
    }

    private static String section(Decision decision, List<String> frames) {
        Stratum stratum = decision.stratum();
        StringBuilder out = new StringBuilder("<section id=\"d-").append(decision.id()).append("\" hidden>\n<h2>").append(Html.text(Question.of(stratum.kind()).text()))
                .append("</h2>\n<p>").append(Html.text(stratum.rule().equals(stratum.kind()) ? "" : stratum.rule() + " "))
                .append(stratum.ruleSet().equals(Decision.NONE) ? "" : Html.text("(" + stratum.ruleSet() + ")")).append("</p>\n<p class=\"dim\">")
                .append(Html.text(decision.target(), 300)).append(decision.revision().isEmpty() ? "" : ", revision " + Html.text(decision.revision(), 40))
                .append(decision.session().isEmpty() ? "" : ", session " + Html.text(decision.session(), 60))
                .append(decision.tool().isEmpty() ? "" : ", tool " + Html.text(decision.tool(), 200))
                .append(decision.property().isEmpty() || !stratum.kind().equals(Decision.CONSEQUENCE) ? "" : ", argument " + Html.text(decision.property(), 200)).append("</p>\n");
        if (stratum.kind().equals(Decision.VERDICT)) {
            out.append("<blockquote>");
            decision.demand().stream().filter(line -> !line.isEmpty()).forEach(line -> out.append("<p>").append(Html.text(line, 1_000)).append("</p>"));
            out.append(decision.demand().isEmpty() ? "<p>The rule set has no text on this for the revision.</p>" : "").append("</blockquote>\n");
        }
        if (!decision.session().isEmpty() && decision.witness().isEmpty() && !frames.isEmpty()) {
            out.append("<p class=\"dim\">No event stands for this; below is how the session began.</p>\n");
        } else if (!decision.session().isEmpty() && frames.isEmpty()) {
            out.append("<p class=\"dim\">No such session took place, or none of its events is kept.</p>\n");
        }
        frames.forEach(frame -> out.append("<pre>").append(frame).append("</pre>\n"));
        if (!decision.evidence().isEmpty()) {
            out.append("<pre>");
            decision.evidence().forEach(line -> out.append(Html.text(line, 500)).append('\n'));
            out.append("</pre>\n");
        }
        return out.append("</section>\n").toString();
    }

    private static String data(String sample, List<Decision> decisions) {
        ObjectNode root = Json.object().put("sample", sample);
        ArrayNode list = root.putArray("decisions");
        ObjectNode answers = root.putObject("answers");
        for (Decision decision : decisions) {
            String kind = decision.stratum().kind();
            list.addObject().put("id", decision.id()).put("kind", kind);
            if (!answers.has(kind)) {
                ArrayNode words = answers.putArray(kind);
                Question.of(kind).answers().forEach((word, meaning) -> words.addArray().add(word).add(meaning));
            }
        }
        return Json.write(root).replace("<", "\\u003c");
    }

    private static String resource(String name) {
        try (InputStream in = AuditPage.class.getResourceAsStream(RESOURCES + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the program's own files can be read", e);
        }
    }
}
