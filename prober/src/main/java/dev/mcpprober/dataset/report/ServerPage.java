package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The page of one server: its verdicts, and the frames that prove each that is not a pass. */
final class ServerPage {
    private static final int FRAME = 2_000;
    private static final int FRAMES = 12;
    private static final Set<VerdictWord> SHOWN = Set.of(VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT);

    private final RunFolder run;
    private final ServerVerdicts server;
    private final String ruleSet;
    /** One transcript in memory at a time. */
    private final Map<String, Map<Integer, String>> frames = new HashMap<>();

    ServerPage(RunFolder run, ServerVerdicts server, String ruleSet) {
        this.run = run;
        this.server = server;
        this.ruleSet = ruleSet;
    }

    String html() throws IOException {
        List<Map.Entry<String, Stand>> stands = server.stands().getOrDefault(ruleSet, Map.of()).entrySet().stream()
                .sorted(Map.Entry.<String, Stand>comparingByValue(Comparator.comparingInt(stand -> rank(stand.word()))).thenComparing(Map.Entry.comparingByKey())).toList();
        readFrames(stands);
        StringBuilder out = new StringBuilder("<h1>").append(Html.text(server.row().target())).append("</h1>\n<p>");
        out.append(Html.text(server.state().id())).append(server.startupFailure().isEmpty() ? "" : ": " + Html.text(server.startupFailure()));
        out.append(server.revision().isEmpty() ? "" : ", revision " + Html.text(server.revision(), 40));
        out.append(server.family().isEmpty() ? "" : ", " + Html.text(server.family()) + " " + Html.text(server.sdkVersion(), 60)).append("</p>\n");
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, Stand> entry : stands) {
            Stand stand = entry.getValue();
            boolean shown = SHOWN.contains(stand.word());
            String name = Html.text(entry.getKey());
            rows.add(List.of(shown ? "<a href=\"#" + name + "\">" + name + "</a>" : name, Page.verdict(stand.word().id()), Html.text(stand.seen(), 200), Html.text(stand.note(), 400)));
        }
        out.append(Html.table("Verdicts under " + Html.text(ruleSet), List.of("check", "verdict", "observed", "why"), rows));
        for (Map.Entry<String, Stand> entry : stands) {
            if (SHOWN.contains(entry.getValue().word())) {
                out.append(evidence(entry.getKey(), entry.getValue()));
            }
        }
        return Page.of(server.row().target(), "../", out.toString());
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
        StringBuilder out = new StringBuilder("<h2 id=\"").append(Html.text(check)).append("\">").append(Html.text(check)).append(' ')
                .append(Page.verdict(stand.word().id())).append("</h2>\n<p>").append(Html.text(stand.note(), 1000)).append("</p>\n");
        if (!stand.tool().isEmpty()) {
            out.append("<p>tool ").append(Html.text(stand.tool(), 200)).append("</p>\n");
        }
        Map<Integer, String> known = frames.getOrDefault(stand.transcript(), Map.of());
        List<Integer> witness = stand.witness().subList(0, Math.min(FRAMES, stand.witness().size()));
        out.append("<p class=\"dim\">session ").append(Html.text(stand.session())).append(", events ").append(Html.text(stand.witness().toString(), 200)).append("</p>\n");
        for (int event : witness) {
            if (known.containsKey(event)) {
                out.append("<pre>").append(known.get(event)).append("</pre>\n");
            }
        }
        return out.toString();
    }

    private void readFrames(List<Map.Entry<String, Stand>> stands) throws IOException {
        Map<String, List<Integer>> wanted = new HashMap<>();
        for (Map.Entry<String, Stand> entry : stands) {
            Stand stand = entry.getValue();
            if (SHOWN.contains(stand.word()) && !stand.transcript().isEmpty()) {
                wanted.computeIfAbsent(stand.transcript(), key -> new ArrayList<>()).addAll(stand.witness());
            }
        }
        for (Map.Entry<String, List<Integer>> entry : wanted.entrySet()) {
            Transcript transcript = TranscriptReader.read(run.path().resolve(entry.getKey()));
            Map<Integer, String> texts = new HashMap<>();
            for (Event event : transcript.events()) {
                if (entry.getValue().contains(event.index())) {
                    texts.put(event.index(), text(event));
                }
            }
            frames.put(entry.getKey(), texts);
        }
    }

    private static String text(Event event) {
        String time = String.format(Locale.ROOT, "%d  %.3f s  ", event.index(), event.nanos() / 1e9);
        if (event instanceof Event.Sent sent) {
            return time + "-&gt; " + bytes(sent.bytes());
        } else if (event instanceof Event.Received received) {
            return time + "&lt;- " + bytes(received.bytes()) + (received.truncated() ? " (of " + received.originalLength() + " bytes)" : "");
        } else if (event instanceof Event.Stderr stderr) {
            return time + "stderr " + bytes(stderr.bytes());
        } else if (event instanceof Event.Terminated ended) {
            return time + "ended: " + Html.text(ended.how()) + " " + ended.status();
        }
        return time + Html.text(event.toString(), FRAME);
    }

    private static String bytes(byte[] bytes) {
        int shown = Math.min(bytes.length, FRAME);
        return Html.text(new String(bytes, 0, shown, StandardCharsets.UTF_8)) + (shown < bytes.length ? " … (" + (bytes.length - shown) + " more bytes)" : "");
    }
}
