package dev.mcpprober.redaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The ways in which programs write a value that they were given: as it is, in JSON within JSON, quoted by a language, in HTML, in a URL, in
 * hexadecimal digits, in Base64, alone or within something longer. Upper and lower case of ASCII is left to the search.
 */
final class Spelling {
    private static final int LEVELS = 3;
    private static final int LEAST = 8;
    /** Encodings that a reader undoes; of a longer value they are looked for line by line, or at its beginning. */
    private static final int LONGEST = 512;
    /** What stays as it is in a URL: by URLEncoder, by RFC 3986, by Python's quote, by JavaScript's encodeURIComponent and encodeURI. */
    private static final List<String> UNRESERVED = List.of("-_.*", "-_.~", "-_.~/", "-_.~!*'()", "-_.~!*'();,/?:@&=+$#");

    private Spelling() {}

    /** Each of at least eight characters, the value itself first. */
    static Set<String> of(String value) {
        Set<String> out = new LinkedHashSet<>();
        for (String one : List.of(value, value.toUpperCase(Locale.ROOT), value.toLowerCase(Locale.ROOT))) {
            out.add(one);
            escaped(one, out);
            out.add(html(one, "&#39;"));
            out.add(html(one, "&#x27;"));
            UNRESERVED.forEach(unreserved -> out.add(url(one, unreserved)));
            out.add(url(one, UNRESERVED.get(0)).replace("%20", "+"));
        }
        for (String part : value.contains("\n") ? value.lines().map(String::strip).toList() : List.of(value)) {
            byte[] bytes = part.substring(0, Math.min(part.length(), LONGEST)).getBytes(StandardCharsets.UTF_8);
            out.add(HexFormat.of().formatHex(bytes));
            base64(bytes, out);
        }
        out.removeIf(spelling -> spelling.length() < LEAST);
        return out;
    }

    private static void escaped(String value, Set<String> out) {
        for (boolean ascii : new boolean[] {false, true}) {
            for (String slash : List.of("/", "\\/")) {
                String text = value;
                for (int level = 0; level < LEVELS; level++) {
                    text = quoted(text, '"', ascii).replace("/", slash);
                    out.add(text);
                }
            }
        }
        out.add(quoted(value, '\'', false));
        out.add(quoted(quoted(value, '\'', false), '"', false));
    }

    private static String quoted(String text, char quote, boolean ascii) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int named = "\b\f\n\r\t".indexOf(c);
            if (named >= 0) {
                out.append('\\').append("bfnrt".charAt(named));
            } else if (c < 0x20 || ascii && c > 0x7e) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c == quote || c == '\\' ? "\\" : "").append(c);
            }
        }
        return out.toString();
    }

    private static String html(String text, String apostrophe) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", apostrophe);
    }

    private static String url(String text, String unreserved) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || unreserved.indexOf(b) >= 0;
            out.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b & 0xff));
        }
        return out.toString();
    }

    /** Within something longer, the value begins at one of three places of a group, and its first and last sign are shared with what stands beside it. */
    private static void base64(byte[] bytes, Set<String> out) {
        List<Base64.Encoder> alphabets = List.of(Base64.getEncoder(), Base64.getUrlEncoder());
        List<String> inner = new ArrayList<>();
        for (Base64.Encoder alphabet : alphabets) {
            out.add(alphabet.encodeToString(bytes));
            out.add(alphabet.withoutPadding().encodeToString(bytes));
            for (int before = 0; before < 3; before++) {
                byte[] shifted = new byte[before + bytes.length];
                System.arraycopy(bytes, 0, shifted, before, bytes.length);
                String text = alphabet.withoutPadding().encodeToString(shifted);
                inner.add(text.substring(before == 0 ? 0 : before + 1, text.length() - (shifted.length % 3 == 0 ? 0 : 1)));
            }
        }
        out.addAll(inner);
    }
}
