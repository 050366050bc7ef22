package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Utf8;
import dev.mcpprober.model.Era;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events as JSON objects: {@code i} index, {@code t} nanoseconds, {@code e} kind, and the record's members. Bytes are
 * {@code text} where they are valid UTF-8 and {@code b64} where they are not, so that a transcript can be read and loses nothing.
 */
final class EventJson {
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    /** A multiple of three, so that pieces fit together. */
    private static final int BASE64_PIECE = 3 << 13;

    private EventJson() {}

    static ObjectNode header(TranscriptHeader header) {
        ObjectNode node = Json.object();
        node.put("format", TranscriptHeader.FORMAT).put("formatVersion", TranscriptHeader.FORMAT_VERSION)
                .put("attempt", header.attempt()).put("workKey", header.workKey()).put("target", header.target())
                .put("session", header.session()).put("script", header.script()).put("era", header.era().id())
                .put("offeredRevision", header.offeredRevision());
        ArrayNode argv = node.putArray("argv");
        header.argv().forEach(argv::add);
        node.put("imageDigest", header.imageDigest()).put("isolation", header.isolation())
                .put("proberVersion", header.proberVersion()).put("startedAt", header.startedAt())
                .put("startTimeoutMs", header.startTimeoutMs()).put("requestTimeoutMs", header.requestTimeoutMs())
                .put("sessionTimeoutMs", header.sessionTimeoutMs());
        if (!header.redaction().isEmpty()) {
            header.redaction().forEach(node.putArray("redaction")::add);
        }
        return node;
    }

    static TranscriptHeader header(JsonNode node) {
        if (!TranscriptHeader.FORMAT.equals(node.path("format").asText())) {
            throw new IllegalArgumentException("not a transcript of this program");
        }
        if (node.path("formatVersion").asInt() != TranscriptHeader.FORMAT_VERSION) {
            throw new IllegalArgumentException("transcript format version " + node.path("formatVersion").asText()
                    + ", this program reads version " + TranscriptHeader.FORMAT_VERSION);
        }
        return new TranscriptHeader(text(node, "attempt"), text(node, "workKey"), text(node, "target"), text(node, "session"),
                text(node, "script"), Era.of(text(node, "era")), text(node, "offeredRevision"), strings(node.path("argv")),
                text(node, "imageDigest"), text(node, "isolation"), text(node, "proberVersion"), text(node, "startedAt"),
                number(node, "startTimeoutMs"), number(node, "requestTimeoutMs"), number(node, "sessionTimeoutMs"), strings(node.path("redaction")));
    }

    /** Bytes are written last and piece by piece: a line may have tens of MiB. */
    static void write(Event event, OutputStream out) throws IOException {
        byte[] bytes = event instanceof Event.Sent e ? e.bytes() : event instanceof Event.Received e ? e.bytes()
                : event instanceof Event.Stderr e ? e.bytes() : null;
        String members = Json.write(toJson(event));
        if (bytes == null) {
            out.write(members.getBytes(StandardCharsets.UTF_8));
            return;
        }
        boolean text = Utf8.firstFault(bytes, 0, bytes.length) < 0;
        out.write(members.substring(0, members.length() - 1).getBytes(StandardCharsets.UTF_8));
        out.write((text ? ",\"text\":\"" : ",\"b64\":\"").getBytes(StandardCharsets.UTF_8));
        if (text) {
            escaped(bytes, out);
        } else {
            base64(bytes, out);
        }
        out.write("\"}".getBytes(StandardCharsets.UTF_8));
    }

    /** As the inside of a JSON string; all but ASCII may stay as it is. */
    private static void escaped(byte[] utf8, OutputStream out) throws IOException {
        int from = 0;
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b == '"' || b == '\\' || b >= 0 && b < 0x20) {
                out.write(utf8, from, i - from);
                out.write(b >= 0x20 ? new byte[] {'\\', b} : new byte[] {'\\', 'u', '0', '0', HEX[b >> 4], HEX[b & 0xF]});
                from = i + 1;
            }
        }
        out.write(utf8, from, utf8.length - from);
    }

    private static void base64(byte[] bytes, OutputStream out) throws IOException {
        for (int from = 0; from < bytes.length; from += BASE64_PIECE) {
            int length = Math.min(BASE64_PIECE, bytes.length - from);
            out.write(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, from + length)));
        }
    }

    /** All members but the bytes. */
    private static ObjectNode toJson(Event event) {
        ObjectNode node = Json.object();
        node.put("i", event.index()).put("t", event.nanos());
        if (event instanceof Event.Started e) {
            ArrayNode argv = node.put("e", "started").putArray("argv");
            e.argv().forEach(argv::add);
        } else if (event instanceof Event.StepBegan e) {
            ObjectNode about = node.put("e", "step-began").put("step", e.step()).put("probe", e.probe()).putObject("about");
            new TreeMap<>(e.about()).forEach(about::put); // in one order, so that the same run gives the same bytes
        } else if (event instanceof Event.Sent e) {
            node.put("e", "sent").put("step", e.step());
        } else if (event instanceof Event.SendFailed e) {
            node.put("e", "send-failed").put("reason", e.reason());
        } else if (event instanceof Event.Received e) {
            node.put("e", "received");
            if (!e.terminated()) {
                node.put("terminated", false);
            }
            if (e.truncated()) {
                node.put("originalLength", e.originalLength());
            }
        } else if (event instanceof Event.Stderr e) {
            node.put("e", "stderr");
            if (e.dropped() > 0) {
                node.put("dropped", e.dropped());
            }
        } else if (event instanceof Event.StdoutCapped e) {
            node.put("e", "stdout-capped").put("keptBytes", e.keptBytes());
        } else if (event instanceof Event.Totals e) {
            node.put("e", "totals").put("stdoutBytes", e.stdoutBytes()).put("stderrBytes", e.stderrBytes())
                    .put("stdoutLinesDropped", e.stdoutLinesDropped());
        } else if (event instanceof Event.StepEnded e) {
            node.put("e", "step-ended").put("step", e.step()).put("outcome", e.outcome().id()).put("detail", e.detail());
        } else if (event instanceof Event.DeadlineExtended e) {
            node.put("e", "deadline-extended").put("byMs", e.byMillis()).put("waitedPercent", e.waitedPercent()).put("loadPerProcessor", e.perProcessor());
        } else if (event instanceof Event.StdinClosed) {
            node.put("e", "stdin-closed");
        } else if (event instanceof Event.StdoutClosed) {
            node.put("e", "stdout-closed");
        } else if (event instanceof Event.SignalSent e) {
            node.put("e", "signal-sent").put("signal", e.signal());
        } else if (event instanceof Event.Terminated e) {
            node.put("e", "terminated").put("how", e.how()).put("status", e.status());
        } else if (event instanceof Event.ChannelLost e) {
            node.put("e", "channel-lost").put("reason", e.reason());
        } else if (event instanceof Event.Redacted e) {
            ObjectNode counts = node.put("e", "redacted").putObject("counts");
            new TreeMap<>(e.counts()).forEach(counts::put);
        }
        return node;
    }

    static Event fromJson(JsonNode node) {
        int i = integer(node, "i");
        if (i < 0) {
            throw new IllegalArgumentException("\"i\" is below 0");
        }
        long t = number(node, "t");
        String kind = text(node, "e");
        return switch (kind) {
            case "started" -> new Event.Started(i, t, strings(node.path("argv")));
            case "step-began" -> new Event.StepBegan(i, t, text(node, "step"), text(node, "probe"), map(node.path("about")));
            case "sent" -> new Event.Sent(i, t, text(node, "step"), bytes(node));
            case "send-failed" -> new Event.SendFailed(i, t, text(node, "reason"));
            case "received" -> {
                byte[] bytes = bytes(node);
                yield new Event.Received(i, t, bytes, node.path("terminated").asBoolean(true), node.path("originalLength").asLong(bytes.length));
            }
            case "stderr" -> new Event.Stderr(i, t, bytes(node), node.path("dropped").asLong(0));
            case "stdout-capped" -> new Event.StdoutCapped(i, t, number(node, "keptBytes"));
            case "totals" -> new Event.Totals(i, t, number(node, "stdoutBytes"), number(node, "stderrBytes"), number(node, "stdoutLinesDropped"));
            case "step-ended" -> new Event.StepEnded(i, t, text(node, "step"), StepOutcome.of(text(node, "outcome")), text(node, "detail"));
            case "deadline-extended" -> new Event.DeadlineExtended(i, t, number(node, "byMs"), integer(node, "waitedPercent"),
                    node.path("loadPerProcessor").asDouble());
            case "stdin-closed" -> new Event.StdinClosed(i, t);
            case "stdout-closed" -> new Event.StdoutClosed(i, t);
            case "signal-sent" -> new Event.SignalSent(i, t, text(node, "signal"));
            case "terminated" -> new Event.Terminated(i, t, text(node, "how"), integer(node, "status"));
            case "channel-lost" -> new Event.ChannelLost(i, t, text(node, "reason"));
            case "redacted" -> new Event.Redacted(i, t, counts(node.path("counts")));
            default -> throw new IllegalArgumentException("unknown kind of event \"" + kind + "\"");
        };
    }

    private static byte[] bytes(JsonNode node) {
        JsonNode text = node.get("text");
        return text != null ? text.textValue().getBytes(StandardCharsets.UTF_8) : Base64.getDecoder().decode(text(node, "b64"));
    }

    private static String text(JsonNode node, String name) {
        JsonNode member = node.get(name);
        if (member == null || !member.isTextual()) {
            throw new IllegalArgumentException("no text member \"" + name + "\"");
        }
        return member.textValue();
    }

    private static long number(JsonNode node, String name) {
        JsonNode member = node.get(name);
        if (member == null || !member.isIntegralNumber() || !member.canConvertToLong()) {
            throw new IllegalArgumentException("no whole number \"" + name + "\"");
        }
        return member.longValue();
    }

    private static int integer(JsonNode node, String name) {
        try {
            return Math.toIntExact(number(node, name));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + name + "\" is a number beyond 32 bits", e);
        }
    }

    private static List<String> strings(JsonNode array) {
        List<String> out = new ArrayList<>();
        array.forEach(element -> out.add(element.asText()));
        return out;
    }

    private static Map<String, String> map(JsonNode object) {
        Map<String, String> out = new LinkedHashMap<>();
        object.fields().forEachRemaining(field -> out.put(field.getKey(), field.getValue().asText()));
        return out;
    }

    private static Map<String, Integer> counts(JsonNode object) {
        Map<String, Integer> out = new TreeMap<>();
        object.fields().forEachRemaining(field -> out.put(field.getKey(), field.getValue().asInt()));
        return out;
    }
}
