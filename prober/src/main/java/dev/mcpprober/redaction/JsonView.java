package dev.mcpprober.redaction;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A piece of a line as a reader of JSON sees it: inside strings, escapes are the characters that they stand for, so that a secret is found
 * however it is written. Each character of the view is one byte and knows the bytes of the line that it came from. Text that is no JSON is
 * its own view.
 */
final class JsonView {
    private final String text;
    /** Where each character came from, one more than there are characters; null where each byte is itself. */
    private final int[] from;
    /** Whether each character stands inside a string; null where the line is no JSON. */
    private final boolean[] inside;
    private final int offset;
    private final int nextStart;
    private final boolean nextInside;

    private JsonView(String text, int[] from, boolean[] inside, int offset, int nextStart, boolean nextInside) {
        this.text = text;
        this.from = from;
        this.inside = inside;
        this.offset = offset;
        this.nextStart = nextStart;
        this.nextInside = nextInside;
    }

    /** Characters are bytes. */
    String text() {
        return text;
    }

    /** Where in the line the character came from; of the end, where the last one ended. */
    int rawStart(int at) {
        return from == null ? offset + at : from[at];
    }

    /** Where in the line the character before {@code at} ended. */
    int rawEnd(int at) {
        if (from == null) {
            return offset + at;
        }
        // A character of several bytes came from one escape.
        int end = at;
        while (end < text.length() && from[end] == from[at - 1]) {
            end++;
        }
        return from[end];
    }


    /** Whether the character stands in a string, the quotation marks around it not counted; true of all text that is no JSON. */
    boolean inString(int at) {
        return inside == null || inside[at];
    }

    /** Where the view that overlaps the end of this one begins. */
    int nextStart() {
        return nextStart;
    }

    /** Whether a string is open there. */
    boolean nextInside() {
        return nextInside;
    }

    /** True of what can be JSON by its first sign. */
    static boolean looksLikeJson(byte[] line) {
        int at = line.length >= 3 && line[0] == (byte) 0xEF && line[1] == (byte) 0xBB && line[2] == (byte) 0xBF ? 3 : 0;
        while (at < line.length && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r' || line[at] == '\n')) {
            at++;
        }
        return at < line.length && (line[at] == '{' || line[at] == '[' || line[at] == '"');
    }

    /** What within a string keeps these bytes from being JSON: a control character, or an escape that there is none of; empty for nothing. */
    static String fault(byte[] line, int start, int end) {
        for (int i = start; i < end; i++) {
            if (line[i] >= 0 && line[i] < 0x20) {
                return String.valueOf((char) line[i]);
            }
            if (line[i] == '\\') {
                int sign = i + 1 < end ? line[i + 1] : 0;
                if (sign == 'u' ? unit(line, i, end) < 0 : "\"\\/bfnrt".indexOf(sign) < 0) {
                    return "\\x";
                }
                i++;
            }
        }
        return "";
    }

    /** @param next where the following view is to begin, or a little later */
    static JsonView plain(byte[] line, int start, int end, int next) {
        return new JsonView(new String(line, start, end - start, StandardCharsets.ISO_8859_1), null, null, start, next, false);
    }

    /**
     * @param open whether a string is open at {@code start}
     * @param next where the following view is to begin, or a little later
     */
    static JsonView json(byte[] line, int start, int end, boolean open, int next) {
        Builder builder = new Builder(line, start, end, next);
        builder.scan(open);
        return new JsonView(new String(builder.chars, 0, builder.length, StandardCharsets.ISO_8859_1),
                Arrays.copyOf(builder.from, builder.length + 1), builder.inside, start, builder.nextStart, builder.nextInside);
    }

    /** The code unit of the escape at {@code at}; -1 where there is none. */
    private static int unit(byte[] line, int at, int end) {
        if (at + 6 > end || line[at] != '\\' || line[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = Character.digit(line[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    private static final class Builder {
        private final byte[] line;
        private final int start;
        private final int end;
        private final int next;
        private final byte[] chars;
        private final int[] from;
        private final boolean[] inside;
        private int length;
        private int nextStart = -1;
        private boolean nextInside;

        Builder(byte[] line, int start, int end, int next) {
            this.line = line;
            this.start = start;
            this.end = end;
            this.next = next;
            this.chars = new byte[end - start];
            this.from = new int[end - start + 1];
            this.inside = new boolean[end - start];
        }

        void scan(boolean open) {
            boolean string = open;
            int at = start;
            while (at < end) {
                if (nextStart < 0 && at >= next) {
                    nextStart = at;
                    nextInside = string;
                }
                byte b = line[at];
                if (string && b == '\\') {
                    at = escape(at);
                } else {
                    put(b, at, string && b != '"');
                    string ^= b == '"';
                    at++;
                }
            }
            from[length] = at;
            if (nextStart < 0) {
                nextStart = at;
                nextInside = string;
            }
        }

        /** What is no escape stands for itself: then the line is no JSON anyway. */
        private int escape(int at) {
            if (at + 1 >= end) {
                put(line[at], at, true);
                return at + 1;
            }
            int sign = line[at + 1];
            if (sign == 'u') {
                int unit = unit(line, at, end);
                if (unit < 0) {
                    put(line[at], at, true);
                    return at + 1;
                }
                int low = Character.isHighSurrogate((char) unit) ? unit(line, at + 6, end) : -1;
                boolean pair = low >= 0 && Character.isLowSurrogate((char) low);
                String text = pair ? new String(new char[] {(char) unit, (char) low}) : String.valueOf((char) unit);
                for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
                    put(b, at, true);
                }
                return at + (pair ? 12 : 6);
            }
            int stands = "bfnrt".indexOf(sign);
            put(stands < 0 ? (byte) sign : (byte) "\b\f\n\r\t".charAt(stands), at, true);
            return at + 2;
        }

        private void put(byte b, int at, boolean string) {
            chars[length] = b;
            inside[length] = string;
            from[length++] = at;
        }
    }
}
