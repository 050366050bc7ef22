package dev.mcpprober.dataset.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.report.Html;
import dev.mcpprober.io.Json;
import dev.mcpprober.dataset.RunRedactor;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.EventRedaction;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import dev.mcpprober.transcript.WireLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The frames that a person sees of each decision, as HTML: what the server wrote is escaped, and cut. */
final class Frames {
    private static final int FRAME = 4_000;
    private static final int MAX = 24;
    /** Shown where the program names no event: what was agreed on in the handshake. */
    private static final int BEGINNING = 10;

    private final Map<String, List<String>> frames = new HashMap<>();

    private Frames() {}

    /** Reads each transcript once. */
    static Frames of(RunFolder run, List<Decision> decisions) throws IOException {
        Frames out = new Frames();
        Redactor redactor = RunRedactor.of(run, Redactor.of(CredentialRules.bundled()));
        Map<String, List<Decision>> byTranscript = new HashMap<>();
        decisions.stream().filter(decision -> !decision.transcript().isEmpty())
                .forEach(decision -> byTranscript.computeIfAbsent(decision.transcript(), key -> new ArrayList<>()).add(decision));
        for (Map.Entry<String, List<Decision>> entry : byTranscript.entrySet()) {
            // A page for others to label: of a run of before, too, it shows no secrets.
            Transcript recorded = TranscriptReader.read(run.path().resolve(entry.getKey()));
            Transcript transcript = EventRedaction.of(recorded, redactor).orElse(recorded);
            Map<String, String> declared = declared(transcript, entry.getValue().stream().map(Decision::tool).filter(tool -> !tool.isEmpty()).collect(Collectors.toSet()));
            for (Decision decision : entry.getValue()) {
                List<String> shown = new ArrayList<>();
                Optional.ofNullable(declared.get(decision.tool())).ifPresent(shown::add);
                shown.addAll(shown(transcript, decision));
                out.frames.put(decision.id(), shown);
            }
        }
        return out;
    }

    private static List<String> shown(Transcript transcript, Decision decision) {
        List<String> out = new ArrayList<>();
        boolean named = !decision.witness().isEmpty();
        for (Event event : transcript.events()) {
            boolean wanted = named ? decision.witness().contains(event.index()) : event instanceof Event.Sent || event instanceof Event.Received;
            if (wanted && out.size() < (named ? MAX : BEGINNING)) {
                out.add(text(event));
            }
        }
        return out;
    }

    /** Tools as the session lists them: without its schema nobody can say which arguments of a call are wrong. */
    private static Map<String, String> declared(Transcript transcript, Set<String> tools) {
        Map<String, String> out = new HashMap<>();
        for (Event event : transcript.events()) {
            if (event instanceof Event.Received received && out.size() < tools.size()) {
                for (Message message : WireLine.read(received.bytes()).messages()) {
                    for (JsonNode listed : message.node().path("result").path("tools")) {
                        if (tools.contains(listed.path("name").asText())) {
                            out.putIfAbsent(listed.get("name").asText(), "declared as " + Html.text(Json.write(listed), FRAME));
                        }
                    }
                }
            }
        }
        return out;
    }

    /** Empty where no session of that name took place. */
    List<String> of(Decision decision) {
        return frames.getOrDefault(decision.id(), List.of());
    }

    private static String text(Event event) {
        String time = String.format(Locale.ROOT, "%d  %.3f s  ", event.index(), event.nanos() / 1e9);
        if (event instanceof Event.Sent sent) {
            return time + "to the server " + bytes(sent.bytes());
        } else if (event instanceof Event.Received received) {
            return time + "from the server " + bytes(received.bytes()) + (received.truncated() ? " (of " + received.originalLength() + " bytes)" : "");
        } else if (event instanceof Event.Stderr stderr) {
            return time + "stderr " + bytes(stderr.bytes());
        } else if (event instanceof Event.Terminated ended) {
            return time + "the process ended: " + Html.text(ended.how()) + " " + ended.status();
        } else if (event instanceof Event.Started started) {
            return time + "started " + Html.text(started.argv().toString(), FRAME);
        } else if (event instanceof Event.StepEnded step) {
            return time + "step " + Html.text(step.step() + " ended: " + step.outcome(), FRAME);
        } else if (event instanceof Event.StepBegan step) {
            return time + "step " + Html.text(step.step() + ", for " + step.probe(), FRAME);
        }
        return time + Html.text(event.toString(), FRAME);
    }

    private static String bytes(byte[] bytes) {
        int shown = Math.min(bytes.length, FRAME);
        return Html.text(new String(bytes, 0, shown, StandardCharsets.UTF_8)) + (shown < bytes.length ? " … (" + (bytes.length - shown) + " more bytes)" : "");
    }
}
