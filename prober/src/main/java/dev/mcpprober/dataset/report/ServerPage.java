package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.transcript.EventRedaction;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The page of one server: its verdicts, the frames that prove each that is not a pass, and its transcripts. */
final class ServerPage {
    private static final int FRAMES = 12;
    private static final Set<VerdictWord> SHOWN = Set.of(VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT);

    private final Server server;
    private final String ruleSet;
    private final Path transcripts;
    private final Redactor redactor;
    /** Session to event to HTML, of witnesses alone. */
    private final Map<String, Map<Integer, String>> frames = new HashMap<>();
    private final TranscriptView view = new TranscriptView();
    private final StringBuilder sessions = new StringBuilder();

    /**
     * @param transcripts folder in which the files lie that table sessions names; where one is missing, table witnesses has to do
     * @param redactor    takes secrets out of them
     */
    ServerPage(Server server, String ruleSet, Path transcripts, Redactor redactor) {
        this.server = server;
        this.ruleSet = ruleSet;
        this.transcripts = transcripts;
        this.redactor = redactor;
    }

    String html() throws IOException {
        Map<String, Stand> own = server.stands().getOrDefault(ruleSet, Map.of());
        List<Map.Entry<String, Stand>> stands = own.entrySet().stream()
                .sorted(Map.Entry.<String, Stand>comparingByValue(Comparator.comparingInt(stand -> rank(stand.word()))).thenComparing(Map.Entry.comparingByKey())).toList();
        read(stands);
        StringBuilder out = new StringBuilder("<h1>").append(Html.text(server.id(), 300)).append("</h1>\n").append(about());
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, Stand> entry : stands) {
            Stand stand = entry.getValue();
            boolean shown = SHOWN.contains(stand.word());
            String name = Html.text(entry.getKey());
            rows.add(List.of(shown ? "<a href=\"#" + name + "\">" + name + "</a>" : name, Page.verdict(stand.word().id()), Html.text(stand.seen(), 200), witness(stand),
                    Html.text(stand.note(), 400)));
        }
        out.append("<h2 id=\"verdicts\">Verdicts</h2>\n").append(rows.isEmpty() ? Section.paragraph("No session came about in the era that stands for this server, so there is no verdict.")
                : "<div class=\"wide\">" + Html.table("Verdicts under " + Html.text(ruleSet), List.of("check", "verdict", "observed", "witness", "why"), rows) + "</div>");
        for (Map.Entry<String, Stand> entry : stands) {
            if (SHOWN.contains(entry.getValue().word())) {
                out.append(evidence(entry.getKey(), entry.getValue()));
            }
        }
        out.append("<h2 id=\"transcripts\">Transcripts</h2>\n").append(sessions.length() == 0
                ? Section.paragraph(server.sessions().isEmpty() ? "There was no session." : server.target().get("disclosure").equals("withheld") ? "This server is withheld, and so are its transcripts." : "Transcripts are not part of this data set; it holds the events above, and the hash of each transcript.")
                : Section.paragraph("As they were recorded; long lines are cut. Events that a verdict rests on are marked.") + sessions);
        return Page.of(server.id(), "../", out.toString());
    }

    private String about() {
        Cells target = server.target();
        List<List<String>> rows = new ArrayList<>();
        String reason = target.get("startup_failure").isEmpty() ? target.get("reason") : target.get("startup_failure");
        fact(rows, "state", target.get("state") + (reason.isEmpty() ? "" : ": " + reason));
        fact(rows, "install", target.get("install_outcome"));
        fact(rows, "what it says", target.get("startup_detail_text"));
        fact(rows, "version", target.get("version"));
        fact(rows, "protocol revision", target.get("revision"));
        fact(rows, "SDK", (target.get("sdk_family") + " " + target.get("sdk_version")).strip());
        fact(rows, "names itself", (target.get("server_name_text") + " " + target.get("server_version_text")).strip());
        fact(rows, "tools", target.get("tool_count"));
        return Html.table("What it is", List.of("fact", "value"), rows);
    }

    private static void fact(List<List<String>> rows, String name, String value) {
        if (!value.isEmpty()) {
            rows.add(List.of(Html.text(name), Html.text(value, 300)));
        }
    }

    /** Links to the events that a verdict rests on. */
    private String witness(Stand stand) {
        String events = stand.witness().stream().limit(FRAMES).map(event -> view.has(stand.session(), event)
                ? "<a href=\"#" + TranscriptView.anchor(stand.session(), event) + "\">" + event + "</a>" : Integer.toString(event)).collect(Collectors.joining(" "));
        int more = stand.witness().size() - FRAMES;
        return events.isEmpty() ? "" : Html.text(stand.session(), 40) + " " + events + (more > 0 ? " and " + more + " more" : "");
    }

    private static int rank(VerdictWord word) {
        return switch (word) {
            case FAIL -> 0;
            case WARN -> 1;
            case DIVERGENT -> 2;
            case INCONCLUSIVE -> 3;
            case PASS -> 4;
            case NOT_RUN -> 5;
            case NOT_APPLICABLE -> 6;
        };
    }

    private String evidence(String check, Stand stand) {
        StringBuilder out = new StringBuilder("<section><h3 id=\"").append(Html.text(check)).append("\">").append(Html.text(check)).append(' ')
                .append(Page.verdict(stand.word().id())).append("</h3>\n<p>").append(Html.text(stand.note(), 1000)).append("</p>\n");
        if (!stand.tool().isEmpty()) {
            out.append("<p>Tool ").append(Html.text(stand.tool(), 200)).append("</p>\n");
        }
        out.append("<p class=\"dim\">Session and events: ").append(witness(stand)).append("</p>\n");
        Map<Integer, String> known = frames.getOrDefault(stand.session(), Map.of());
        stand.witness().stream().limit(FRAMES).filter(known::containsKey).forEach(event -> out.append("<pre class=\"hit\">").append(known.get(event)).append("</pre>\n"));
        return out.append("</section>\n").toString();
    }

    /** One transcript in memory at a time. */
    private void read(List<Map.Entry<String, Stand>> stands) throws IOException {
        Map<String, Set<Integer>> named = new HashMap<>();
        stands.forEach(entry -> named.computeIfAbsent(entry.getValue().session(), key -> new TreeSet<>()).addAll(entry.getValue().witness()));
        for (Cells row : server.sessions()) {
            String session = row.get("session");
            Set<Integer> wanted = named.getOrDefault(session, Set.of());
            Path file = transcripts.resolve(row.get("transcript")).normalize();
            if (file.startsWith(transcripts.normalize()) && Files.isRegularFile(file)) {
                Transcript recorded = TranscriptReader.read(file);
                Transcript transcript = EventRedaction.of(recorded, redactor).orElse(recorded);
                transcript.events().stream().filter(event -> wanted.contains(event.index())).forEach(event -> frame(session, event.index(), TranscriptView.text(event)));
                sessions.append(view.html(session, transcript, wanted));
            }
        }
        for (Cells row : server.witnesses()) {
            if (frames.getOrDefault(row.get("session"), Map.of()).isEmpty() || !view.has(row.get("session"), row.count("event"))) {
                frame(row.get("session"), row.count("event"), String.format(Locale.ROOT, "%d  %.3f s  %s %s", row.count("event"), row.number("at_ms") / 1e3,
                        direction(row.get("kind")), Html.text(row.get("content_text"))));
            }
        }
    }

    private static String direction(String kind) {
        return kind.equals("sent") ? "-&gt;" : kind.equals("received") ? "&lt;-" : Html.text(kind);
    }

    private void frame(String session, int event, String html) {
        frames.computeIfAbsent(session, key -> new HashMap<>()).putIfAbsent(event, html);
    }
}
