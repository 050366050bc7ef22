package dev.mcpprober.cli.bundle;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Text for shell scripts. Whatever it holds, it stays one word and runs nothing. */
final class Shell {
    private Shell() {}

    /** In single quotes, as it is; without them where it needs none. */
    static String quote(String text) {
        return text.matches("[A-Za-z0-9_@%+:,./=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    static String quote(List<String> words) {
        return words.stream().map(Shell::quote).collect(Collectors.joining(" "));
    }

    /** The same; a path into this user's home folder is one into the home folder of whoever runs it. */
    static String quotePath(String text) {
        String home = System.getProperty("user.home", "");
        boolean inside = home.length() > 1 && (text.equals(home) || text.startsWith(home + "/"));
        return inside ? "\"$HOME\"" + (text.equals(home) ? "" : quote(text.substring(home.length()))) : quote(text);
    }

    /** Any bytes as the argument of {@code printf %b}, in single quotes, all ASCII. */
    static String bytes(byte[] bytes, int length) {
        StringBuilder out = new StringBuilder(length + 16).append('\'');
        for (int i = 0; i < length; i++) {
            int b = bytes[i] & 0xff;
            if (b == '\\') {
                out.append("\\\\");
            } else if (b >= 0x20 && b < 0x7f && b != '\'') {
                out.append((char) b);
            } else {
                out.append(String.format(Locale.ROOT, "\\0%03o", b));
            }
        }
        return out.append('\'').toString();
    }

    /** For a comment or a message: one printable line of ASCII. */
    static String comment(String printable) {
        StringBuilder out = new StringBuilder();
        printable.codePoints().forEach(point -> {
            if (point >= 0x20 && point < 0x7f) {
                out.appendCodePoint(point);
            } else {
                out.append(point == '…' ? "..." : String.format(Locale.ROOT, "\\u%04x", point));
            }
        });
        return out.toString();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
