package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.WireLine.Content;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that are on stdout but not one to a line: printed over several lines, several to a line, behind a header, or never
 * finished by a line feed. They tell a server that talks in the wrong framing from one that is silent or prints text.
 */
final class Misframing {
    /** A pretty-printed message longer than this is not looked for. */
    private static final int MAX_LINES = 20_000;
    private static final int MAX_CHARS = 8 << 20;
    /** Characters looked through in one session for messages over several lines: text that only looks like JSON must not cost more. */
    private static final long MAX_WORK = 16L << 20;
    private static final Pattern HEADER = Pattern.compile("Content-(?:Length|Type) *:[^{\\[]*", Pattern.CASE_INSENSITIVE);

    /**
     * Messages found.
     *
     * @param flag {@link Flag#MULTI_LINE}, {@link Flag#SAME_LINE}, {@link Flag#CONTENT_LENGTH}, {@link Flag#UNTERMINATED} or
     *             {@link Flag#NO_FINAL_NEWLINE}
     */
    record Found(String flag, List<Integer> events, List<Message> messages) {
        int lastEvent() {
            return events.get(events.size() - 1);
        }
    }

    private final List<Found> found = new ArrayList<>();
    private final Set<Integer> explained = new HashSet<>();
    private long work;

    private Misframing() {}

    static Misframing of(List<Line> lines) {
        Misframing result = new Misframing();
        boolean anyProper = lines.stream().anyMatch(line -> line.terminated() && line.readable() && !line.wire().messages().isEmpty());
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (!line.readable()) {
                continue;
            }
            if (!line.wire().messages().isEmpty()) {
                if (!line.terminated()) {
                    result.add(anyProper ? Flag.NO_FINAL_NEWLINE : Flag.UNTERMINATED, List.of(line.event()), line.wire().messages(), true);
                }
            } else if (line.wire().content() instanceof Content.NotJson) {
                i += result.look(lines, i);
            }
        }
        return result;
    }

    List<Found> found() {
        return found;
    }

    /** The line is nothing but part of a misframed message. */
    boolean explains(Line line) {
        return explained.contains(line.event());
    }

    private void add(String flag, List<Integer> events, List<Message> messages, boolean explains) {
        found.add(new Found(flag, List.copyOf(events), List.copyOf(messages)));
        if (explains) {
            explained.addAll(events);
        }
    }

    /** Looks for messages from line {@code i} on; returns how many lines beyond it were used up. */
    private int look(List<Line> lines, int i) {
        Line line = lines.get(i);
        String text = line.wire().text();
        Matcher header = HEADER.matcher(text);
        String body = header.find() ? header.replaceAll("") : text;
        List<Message> onOneLine = messages(body);
        if (!body.equals(text)) {
            add(Flag.CONTENT_LENGTH, List.of(line.event()), onOneLine, false);
            return 0;
        }
        if (onOneLine.size() > 1) {
            add(Flag.SAME_LINE, List.of(line.event()), onOneLine, true);
            return 0;
        }
        return text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[") ? overLines(lines, i) : 0;
    }

    /** The messages in a text that is nothing but JSON values; empty where it is more or less than that. */
    private static List<Message> messages(String text) {
        List<Message> out = new ArrayList<>();
        if (text.isBlank()) {
            return out;
        }
        try (MappingIterator<JsonNode> values = Json.mapper().readerFor(JsonNode.class)
                .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readValues(text)) {
            while (values.hasNextValue()) {
                Message message = Message.of(values.nextValue());
                if (message == null) {
                    return List.of();
                }
                out.add(message);
            }
            return out;
        } catch (JsonProcessingException e) {
            return List.of();
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory can be read", e);
        }
    }

    private int overLines(List<Line> lines, int first) {
        StringBuilder text = new StringBuilder();
        List<Integer> events = new ArrayList<>();
        int depth = 0;
        boolean inString = false;
        for (int i = first; i < lines.size() && i - first < MAX_LINES && text.length() < MAX_CHARS && work < MAX_WORK; i++) {
            Line line = lines.get(i);
            if (!line.readable()) {
                return 0;
            }
            events.add(line.event());
            String part = line.wire().text();
            work += part.length() + 1;
            boolean escaped = false;
            for (int c = 0; c < part.length(); c++) {
                char ch = part.charAt(c);
                if (inString) {
                    if (escaped) {
                        escaped = false;
                    } else if (ch == '\\') {
                        escaped = true;
                    } else if (ch == '"') {
                        inString = false;
                    }
                } else if (ch == '"') {
                    inString = true;
                } else if (ch == '{' || ch == '[') {
                    depth++;
                } else if (ch == '}' || ch == ']') {
                    depth--;
                }
            }
            text.append(part);
            if (depth <= 0 && !inString) {
                List<Message> messages = depth == 0 && i > first ? messages(text.toString()) : List.of();
                if (messages.isEmpty()) {
                    return 0;
                }
                add(Flag.MULTI_LINE, events, messages, true);
                return i - first;
            }
            // Inside a string the line feed itself is the fault; escaped it makes the rest readable.
            text.append(inString ? "\\n" : "\n");
        }
        return 0;
    }
}
