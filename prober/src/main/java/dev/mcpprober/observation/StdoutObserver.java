package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.WireLine.Content;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is on stdout besides messages, how messages are framed, and whether it is UTF-8; over all of every session. */
final class StdoutObserver {
    private StdoutObserver() {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<SessionLog> wrote = logs.stream().filter(log -> !log.lines().isEmpty()).toList();
        if (wrote.isEmpty()) {
            List<Observation> out = new ArrayList<>();
            for (Check check : List.of(Check.STDOUT_PURITY, Check.STDOUT_FRAMING, Check.STDOUT_UTF8)) {
                out.add(new Observation.NotRun(Subjects.of(check, logs.get(0)), "nothing was written to stdout", "", List.of()));
            }
            return out;
        }
        boolean unread = wrote.stream().anyMatch(log -> log.cappedAt() < Integer.MAX_VALUE || log.lines().stream().anyMatch(line -> !line.readable()));
        Set<String> notes = unread ? Set.of(Flag.PARTLY_UNREAD) : Set.of();
        return List.of(Breach.over(Check.STDOUT_PURITY, wrote, StdoutObserver::purity, Observed.CONFORMS, Observed.VIOLATES, notes),
                Breach.over(Check.STDOUT_FRAMING, wrote, StdoutObserver::framing, Observed.CONFORMS, Observed.VIOLATES, notes),
                Breach.over(Check.STDOUT_UTF8, wrote, StdoutObserver::utf8, Observed.CONFORMS, Observed.VIOLATES, notes));
    }

    static List<Breach> purity(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        Set<Integer> headers = headers(log);
        for (Line line : log.lines()) {
            if (!line.readable() || log.misframing().explains(line) && !line.wire().bom() && !line.wire().cr()) {
                continue;
            }
            Content content = line.wire().content();
            String text = line.wire().text();
            if (headers.contains(line.event())) {
                out.add(Breach.of(Flag.CONTENT_LENGTH, "header line: " + Phrase.quote(text), line.event()));
            } else if (content instanceof Content.Blank) {
                out.add(Breach.of(Flag.BLANK_LINE, "blank line", line.event()));
            } else if (content instanceof Content.NotJson && !log.misframing().explains(line)) {
                if (line.terminated() || !cutOff(log, text)) {
                    out.add(Breach.of(Flag.TEXT, "text: " + Phrase.quote(text), line.event()));
                }
            } else if (content instanceof Content.NotAMessage value && !log.misframing().explains(line)) {
                out.add(Breach.of(Flag.JSON_NO_MESSAGE, "JSON that is no message: " + Phrase.quote(value.value()), line.event()));
            } else if (content instanceof Content.Batch && !batches(log)) {
                out.add(Breach.of(Flag.BATCH, "array: " + Phrase.quote(text), line.event()));
            }
            if (line.wire().bom()) {
                out.add(Breach.of(Flag.BOM, "byte order mark before: " + Phrase.quote(text), line.event()));
            }
            if (line.wire().cr() && !(content instanceof Content.Blank) && !headers.contains(line.event())) {
                out.add(Breach.of(Flag.CR, "carriage return at the end of: " + Phrase.quote(text), line.event()));
            }
        }
        return out;
    }

    /** We may have stopped the process in the middle of a message. */
    private static boolean cutOff(SessionLog log, String text) {
        return log.forced() && (text.startsWith("{") || text.startsWith("["));
    }

    private static boolean batches(SessionLog log) {
        return log.handshake().revision().equals(ProtocolRevision.V2025_03_26.date());
    }

    private static Set<Integer> headers(SessionLog log) {
        Set<Integer> out = new LinkedHashSet<>();
        log.misframing().found().stream().filter(found -> found.flag().equals(Flag.CONTENT_LENGTH)).forEach(found -> out.addAll(found.events()));
        return out;
    }

    static List<Breach> framing(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Misframing.Found found : log.misframing().found()) {
            JsonNode first = found.messages().isEmpty() ? null : found.messages().get(0).node();
            String quote = Phrase.quote(first);
            switch (found.flag()) {
                case Flag.MULTI_LINE -> out.add(new Breach(found.flag(), "one message over " + Phrase.count(found.events().size(), "line") + ": " + quote, found.events()));
                case Flag.SAME_LINE -> out.add(new Breach(found.flag(), Phrase.count(found.messages().size(), "message") + " on one line: " + quote, found.events()));
                case Flag.UNTERMINATED -> out.add(new Breach(found.flag(), "no line feed after the message: " + quote, found.events()));
                case Flag.NO_FINAL_NEWLINE -> {
                    if (!log.forced()) {
                        out.add(new Breach(found.flag(), "no line feed after the last message: " + quote, found.events()));
                    }
                }
                default -> { }
            }
        }
        return out;
    }

    static List<Breach> utf8(SessionLog log) {
        Map<Integer, byte[]> bytes = new HashMap<>();
        for (Event event : log.events()) {
            if (event instanceof Event.Received received) {
                bytes.put(received.index(), received.bytes());
            }
        }
        List<Breach> out = new ArrayList<>();
        for (Line line : log.lines()) {
            int at = line.wire().badUtf8At();
            byte[] raw = bytes.get(line.event());
            boolean cut = line.truncated() || !line.terminated();
            if (at >= 0 && !(cut && partial(raw, at))) {
                int from = Math.max(0, at - 24);
                String around = new String(raw, from, Math.min(raw.length, at + 24) - from, StandardCharsets.UTF_8);
                out.add(Breach.of("", "byte " + at + " of the line is 0x" + String.format("%02X", raw[at] & 0xFF) + ": " + around, line.event()));
            }
        }
        return out;
    }

    /** From {@code at} on there is only the beginning of a character that the cut took the rest of. */
    private static boolean partial(byte[] raw, int at) {
        int lead = raw[at] & 0xFF;
        int length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 1;
        if (lead > 0xF4 || length == 1 || raw.length - at >= length) {
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
