package dev.mcpprober.observation;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.WireLine;
import dev.mcpprober.transcript.WireLine.Content;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Goes once through the lines of stdout and keeps what later questions need: the breaches that lines show by themselves, some
 * of the lines that are no message, where unreadable ones stood. Lines themselves are let go: a flood must cost no memory.
 */
final class StdoutReader {
    private static final int KEPT_FIRST = 1_000;
    private static final int KEPT_LAST = 50;
    private static final int KEPT_CHARS = 4_000;

    /** Text that is no message, for reading what a server says about itself. */
    record Said(int event, String text, boolean terminated, boolean blank, boolean json) {
        boolean prose() {
            return !blank && !json;
        }
    }

    private final Breaches purity = new Breaches();
    private final Breaches utf8 = new Breaches();
    private final Misframing misframing = new Misframing(this::alone);
    private final List<Said> first = new ArrayList<>();
    private final Deque<Said> last = new ArrayDeque<>();
    private final List<Integer> unreadable = new ArrayList<>();
    private final List<Integer> unreadableJson = new ArrayList<>();
    private final List<Integer> batches = new ArrayList<>();
    private final boolean forced;
    private boolean wrote;

    /** @param forced the process was stopped by force, perhaps in the middle of a line */
    StdoutReader(boolean forced) {
        this.forced = forced;
    }

    /** Takes the next line; returns what is in it. */
    Line take(Event.Received received) {
        wrote = true;
        Line line = new Line(received.index(), WireLine.read(received.bytes()), received.terminated(), received.truncated());
        encoding(line, received.bytes());
        if (!line.readable()) {
            notRead(line);
        }
        misframing.take(line);
        return line;
    }

    /** What the line holds passed a limit of ours. */
    void notRead(Line line) {
        if (unreadable.size() < KEPT_FIRST) {
            unreadable.add(line.event());
            if (mayBeMessage(line)) {
                unreadableJson.add(line.event());
            }
        }
    }

    /** Messages begin with a brace or a bracket, so that the beginning of a line is enough to tell most text from one. */
    private static boolean mayBeMessage(Line line) {
        String text = line.wire().text().stripLeading();
        return text.isEmpty() || text.startsWith("{") || text.startsWith("[");
    }

    void finish() {
        misframing.finish();
    }

    Breaches utf8() {
        return utf8;
    }

    boolean wrote() {
        return wrote;
    }

    Misframing misframing() {
        return misframing;
    }

    /** Events of lines that passed a limit of ours. */
    List<Integer> unreadable() {
        return unreadable;
    }

    /** Those of {@link #unreadable()} that may have been messages. */
    List<Integer> unreadableJson() {
        return unreadableJson;
    }

    /** Lines that are no message, the first and the last of them. */
    List<Said> said() {
        List<Said> out = new ArrayList<>(first);
        out.addAll(last);
        return out;
    }

    Optional<Said> saidBetween(int from, int until) {
        return said().stream().filter(said -> said.event() > from && said.event() < until && said.prose()).findFirst();
    }

    /** An array with nothing in it, which is no message anywhere, but a reaction that some servers have to one. */
    boolean emptyArrayBetween(int from, int until) {
        return said().stream().anyMatch(said -> said.event() > from && said.event() < until && said.json() && said.text().strip().replace(" ", "").equals("[]"));
    }

    /** @param legal arrays of messages that are messages where they stand */
    Breaches purity(IntPredicate legal) {
        Breaches out = purity.copy();
        batches.stream().filter(event -> !legal.test(event)).forEach(event -> out.add(Flag.BATCH, () -> "array of messages", event));
        return out;
    }

    Breaches framing() {
        Breaches out = new Breaches();
        for (Misframing.Found found : misframing.found()) {
            String what = switch (found.flag()) {
                case Flag.MULTI_LINE -> "one message over " + Phrase.count(found.events().size(), "line") + ": ";
                case Flag.SAME_LINE -> Phrase.count(found.messages().size(), "message") + " on one line: ";
                case Flag.UNTERMINATED -> "no line feed after the message: ";
                case Flag.NO_FINAL_NEWLINE -> forced ? "" : "no line feed after the last message: ";
                default -> "";
            };
            if (!what.isEmpty()) {
                out.add(found.flag(), () -> what + Phrase.quote(found.messages().get(0).node()), found.events());
            }
        }
        return out;
    }

    /** A line that stands for itself. */
    private void alone(Line line) {
        String text = line.wire().text();
        if (!line.readable()) {
            if (!mayBeMessage(line)) {
                purity.add(Flag.TEXT, () -> "text past our limit: " + Phrase.quote(text), line.event());
                keep(new Said(line.event(), text.substring(0, Math.min(text.length(), KEPT_CHARS)), line.terminated(), false, false));
            }
            return;
        }
        Content content = line.wire().content();
        boolean blank = content instanceof Content.Blank;
        boolean header = misframing.found().stream().skip(Math.max(0, misframing.found().size() - 1))
                .anyMatch(found -> found.flag().equals(Flag.CONTENT_LENGTH) && found.lastEvent() == line.event());
        if (header) {
            purity.add(Flag.CONTENT_LENGTH, () -> "header line: " + Phrase.quote(text), line.event());
        } else if (blank) {
            purity.add(Flag.BLANK_LINE, () -> "blank line", line.event());
        } else if (content instanceof Content.NotJson && !cutOff(line)) {
            purity.add(Flag.TEXT, () -> "text: " + Phrase.quote(text), line.event());
        } else if (content instanceof Content.NotAMessage value) {
            purity.add(Flag.JSON_NO_MESSAGE, () -> "JSON that is no message: " + Phrase.quote(value.value()), line.event());
        } else if (content instanceof Content.Batch && batches.size() < KEPT_FIRST) {
            batches.add(line.event());
        }
        if (line.wire().bom()) {
            purity.add(Flag.BOM, () -> "byte order mark before: " + Phrase.quote(text), line.event());
        }
        if (line.wire().cr() && !blank && !header) {
            purity.add(Flag.CR, () -> "carriage return at the end of: " + Phrase.quote(text), line.event());
        }
        if (line.wire().messages().isEmpty()) {
            keep(new Said(line.event(), text.substring(0, Math.min(text.length(), KEPT_CHARS)), line.terminated(), blank, content instanceof Content.NotAMessage));
        }
    }

    /** We may have stopped the process in the middle of a message. */
    private boolean cutOff(Line line) {
        String text = line.wire().text();
        return forced && !line.terminated() && (text.startsWith("{") || text.startsWith("["));
    }

    private void keep(Said said) {
        if (first.size() < KEPT_FIRST) {
            first.add(said);
            return;
        }
        last.add(said);
        if (last.size() > KEPT_LAST) {
            last.remove();
        }
    }

    private void encoding(Line line, byte[] raw) {
        int at = line.wire().badUtf8At();
        boolean cut = line.truncated() || !line.terminated();
        if (at >= 0 && !(cut && partial(raw, at))) {
            int from = Math.max(0, at - 24);
            utf8.add("", () -> "byte " + at + " of the line is 0x" + String.format(Locale.ROOT, "%02X", raw[at] & 0xFF) + ": "
                    + new String(raw, from, Math.min(raw.length, at + 24) - from, StandardCharsets.UTF_8), line.event());
        }
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
