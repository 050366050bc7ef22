package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.WireLine.Content;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is on stdout besides messages, how messages are framed, and whether it is UTF-8; over all of every session. */
final class StdoutObserver {
    private static final List<Breaches.Rule> RULES = List.of(
            Breaches.Rule.conformity(Check.STDOUT_PURITY, StdoutObserver::purity),
            Breaches.Rule.conformity(Check.STDOUT_FRAMING, StdoutObserver::framing),
            Breaches.Rule.conformity(Check.STDOUT_UTF8, StdoutObserver::utf8));

    private StdoutObserver() {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<SessionLog> wrote = logs.stream().filter(log -> !log.lines().isEmpty()).toList();
        boolean unread = wrote.stream().anyMatch(log -> log.cappedAt() < Integer.MAX_VALUE || log.lines().stream().anyMatch(line -> !line.readable()));
        List<Observation> out = new ArrayList<>();
        for (Breaches.Rule rule : RULES) {
            out.add(wrote.isEmpty() ? new Observation.NotRun(Subjects.of(rule.check(), logs.get(0)), "nothing was written to stdout", "", List.of())
                    : Breaches.over(wrote, rule, unread ? Set.of(Flag.PARTLY_UNREAD) : Set.of()));
        }
        return out;
    }

    private static Breaches purity(SessionLog log) {
        Breaches out = new Breaches();
        Set<Integer> headers = headers(log);
        for (Line line : log.lines()) {
            if (!line.readable()) {
                continue;
            }
            String text = line.wire().text();
            boolean header = headers.contains(line.event());
            boolean blank = line.wire().content() instanceof Content.Blank;
            if (header) {
                out.add(Flag.CONTENT_LENGTH, () -> "header line: " + Phrase.quote(text), line.event());
            } else if (blank) {
                out.add(Flag.BLANK_LINE, () -> "blank line", line.event());
            } else if (!log.misframing().explains(line)) {
                content(log, line, out);
            }
            if (line.wire().bom()) {
                out.add(Flag.BOM, () -> "byte order mark before: " + Phrase.quote(text), line.event());
            }
            if (line.wire().cr() && !blank && !header) {
                out.add(Flag.CR, () -> "carriage return at the end of: " + Phrase.quote(text), line.event());
            }
        }
        return out;
    }

    private static void content(SessionLog log, Line line, Breaches out) {
        String text = line.wire().text();
        Content content = line.wire().content();
        if (content instanceof Content.NotJson) {
            if (line.terminated() || !cutOff(log, text)) {
                out.add(Flag.TEXT, () -> "text: " + Phrase.quote(text), line.event());
            }
        } else if (content instanceof Content.NotAMessage value) {
            out.add(Flag.JSON_NO_MESSAGE, () -> "JSON that is no message: " + Phrase.quote(value.value()), line.event());
        } else if (content instanceof Content.Batch && !log.handshake().revision().equals(ProtocolRevision.V2025_03_26.date())) {
            out.add(Flag.BATCH, () -> "array: " + Phrase.quote(text), line.event());
        }
    }

    /** We may have stopped the process in the middle of a message. */
    private static boolean cutOff(SessionLog log, String text) {
        return log.forced() && (text.startsWith("{") || text.startsWith("["));
    }

    private static Set<Integer> headers(SessionLog log) {
        Set<Integer> out = new HashSet<>();
        log.misframing().found().stream().filter(found -> found.flag().equals(Flag.CONTENT_LENGTH)).forEach(found -> out.addAll(found.events()));
        return out;
    }

    private static Breaches framing(SessionLog log) {
        Breaches out = new Breaches();
        for (Misframing.Found found : log.misframing().found()) {
            JsonNode first = found.messages().isEmpty() ? null : found.messages().get(0).node();
            String what = switch (found.flag()) {
                case Flag.MULTI_LINE -> "one message over " + Phrase.count(found.events().size(), "line") + ": ";
                case Flag.SAME_LINE -> Phrase.count(found.messages().size(), "message") + " on one line: ";
                case Flag.UNTERMINATED -> "no line feed after the message: ";
                case Flag.NO_FINAL_NEWLINE -> log.forced() ? "" : "no line feed after the last message: ";
                default -> "";
            };
            if (!what.isEmpty()) {
                out.add(found.flag(), () -> what + Phrase.quote(first), found.events());
            }
        }
        return out;
    }

    private static Breaches utf8(SessionLog log) {
        Map<Integer, byte[]> bytes = new HashMap<>();
        for (Event event : log.events()) {
            if (event instanceof Event.Received received) {
                bytes.put(received.index(), received.bytes());
            }
        }
        Breaches out = new Breaches();
        for (Line line : log.lines()) {
            int at = line.wire().badUtf8At();
            byte[] raw = bytes.get(line.event());
            boolean cut = line.truncated() || !line.terminated();
            if (at >= 0 && !(cut && partial(raw, at))) {
                int from = Math.max(0, at - 24);
                out.add("", () -> "byte " + at + " of the line is 0x" + String.format("%02X", raw[at] & 0xFF) + ": "
                        + new String(raw, from, Math.min(raw.length, at + 24) - from, StandardCharsets.UTF_8), line.event());
            }
        }
        return out;
    }

    /** From {@code at} on there is only the beginning of a character that the cut took the rest of. */
    private static boolean partial(byte[] raw, int at) {
        int lead = raw[at] & 0xFF;
        int length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 1;
        if (raw.length - at >= length) {
            return false;
        }
        for (int i = at + 1; i < raw.length; i++) {
            if ((raw[i] & 0xC0) != 0x80) {
                return false;
            }
        }
        return true;
    }
}
