package dev.mcpprober.observation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.WireLine.Content;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that are on stdout but not one to a line: printed over several lines, several to a line, behind a header, or never
 * finished by a line feed. They tell a server that talks in the wrong framing from one that is silent or prints text.
 * Takes line by line and hands on those that are no part of such a message.
 */
final class Misframing {
    /** A message over more lines than this is not looked for. */
    private static final int MAX_LINES = 20_000;
    private static final int MAX_CHARS = 8 << 20;
    /** Characters looked through in one session for messages over several lines: text that only looks like JSON must not cost more. */
    private static final long MAX_WORK = 16L << 20;
    private static final int MAX_FOUND = 1_000;
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

    /** Lines that may turn out to be one message, with how deep in it they end. */
    private final class Candidate {
        private final List<Line> lines = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private int depth;
        private boolean inString;

        void add(Line line) {
            String part = line.wire().text();
            lines.add(line);
            work += part.length() + 1;
            scan(part);
            // Inside a string the line feed itself is the fault; escaped it makes the rest readable.
            text.append(part).append(inString ? "\\n" : "\n");
        }

        private void scan(String part) {
            boolean escaped = false;
            for (int i = 0; i < part.length(); i++) {
                char c = part.charAt(i);
                if (inString) {
                    inString = escaped || c != '"';
                    escaped = !escaped && c == '\\';
                } else if (c == '"') {
                    inString = true;
                } else if (c == '{' || c == '[') {
                    depth++;
                } else if (c == '}' || c == ']') {
                    depth--;
                }
            }
        }

        boolean closed() {
            return depth <= 0 && !inString;
        }

        boolean hopeless() {
            return depth < 0 || lines.size() >= MAX_LINES || text.length() >= MAX_CHARS || work >= MAX_WORK;
        }
    }

    private final Consumer<Line> rest;
    private final List<Found> found = new ArrayList<>();
    private final Deque<Line> waiting = new ArrayDeque<>();
    private Candidate candidate;
    private boolean anyProper;
    private long work;

    /** @param rest takes the lines that are no part of a misframed message, in order; messages in lines of their own among them */
    Misframing(Consumer<Line> rest) {
        this.rest = rest;
    }

    void take(Line line) {
        waiting.add(line);
        while (!waiting.isEmpty()) {
            step(waiting.remove());
        }
    }

    /** No further line comes. */
    void finish() {
        while (candidate != null || !waiting.isEmpty()) {
            giveUp();
            while (!waiting.isEmpty()) {
                step(waiting.remove());
            }
        }
    }

    List<Found> found() {
        return found;
    }

    private void step(Line line) {
        boolean message = line.readable() && !line.wire().messages().isEmpty();
        if (candidate != null) {
            if (line.readable() && !message) {
                candidate.add(line);
                if (candidate.closed() || candidate.hopeless()) {
                    close();
                }
                return;
            }
            waiting.addFirst(line);
            giveUp();
            return;
        }
        anyProper |= message && line.terminated();
        if (message && !line.terminated()) {
            found(anyProper ? Flag.NO_FINAL_NEWLINE : Flag.UNTERMINATED, List.of(line), line.wire().messages());
            rest.accept(line);
        } else if (line.readable() && line.wire().content() instanceof Content.NotJson) {
            look(line);
        } else {
            rest.accept(line);
        }
    }

    private void found(String flag, List<Line> lines, List<Message> messages) {
        if (found.size() < MAX_FOUND) {
            found.add(new Found(flag, lines.stream().map(Line::event).toList(), List.copyOf(messages)));
        }
    }

    private void look(Line line) {
        String text = line.wire().text();
        Matcher header = HEADER.matcher(text);
        String body = header.find() ? header.replaceAll("") : text;
        List<Message> onOneLine = body.isBlank() || body.equals(text) && !text.contains("}") ? List.of() : messages(body);
        if (!body.equals(text)) {
            found(Flag.CONTENT_LENGTH, List.of(line), onOneLine);
            rest.accept(line);
        } else if (onOneLine.size() > 1) {
            found(Flag.SAME_LINE, List.of(line), onOneLine);
        } else {
            candidate = new Candidate();
            boolean opens = (text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[")) && line.terminated() && work < MAX_WORK;
            if (opens) {
                candidate.add(line);
            }
            if (!opens || candidate.closed() || candidate.hopeless()) {
                candidate = null;
                rest.accept(line);
            }
        }
    }

    private void close() {
        List<Message> messages = candidate.closed() && candidate.depth == 0 ? messages(candidate.text.toString()) : List.of();
        if (messages.isEmpty()) {
            giveUp();
        } else {
            found(Flag.MULTI_LINE, candidate.lines, messages);
            candidate = null;
        }
    }

    /** The first line of the candidate is what it seemed to be; the others are looked at again. */
    private void giveUp() {
        if (candidate == null) {
            return;
        }
        List<Line> lines = candidate.lines;
        candidate = null;
        rest.accept(lines.get(0));
        for (int i = lines.size() - 1; i > 0; i--) {
            waiting.addFirst(lines.get(i));
        }
    }

    /** The messages in a text that is nothing but JSON values; empty where it is more or less than that. */
    private static List<Message> messages(String text) {
        List<Message> out = new ArrayList<>();
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
}
