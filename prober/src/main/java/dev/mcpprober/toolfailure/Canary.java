package dev.mcpprober.toolfailure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that only the client could have told the server, so that an id which holds it gives away what was sent.
 *
 * @param kind whose text it is
 */
public record Canary(Finding.Kind kind, String text) {
    /** Shorter texts turn up in opaque ids by chance. */
    public static final int MIN_LENGTH = 6;

    private static final Pattern JSON_ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})|\\\\([\"\\\\/])");
    private static final Pattern PERCENT_ESCAPES = Pattern.compile("(?:%[0-9a-fA-F]{2})+");
    private static final List<String> HASHES = List.of("MD5", "SHA-1", "SHA-256");
    /** An id is short; in a longer text the beginning is looked at. */
    private static final int LOOKED_AT = 4_096;

    /** How an id holds the text; empty where it does not. */
    Optional<String> in(String longId) {
        String id = longId.substring(0, Math.min(longId.length(), LOOKED_AT));
        if (id.contains(text)) {
            return Optional.of("as it is");
        }
        String folded = fold(text);
        if (fold(id).contains(folded)) {
            return Optional.of("in another case");
        }
        if (fold(percentDecoded(id)).contains(folded) || fold(percentDecoded(id.replace('+', ' '))).contains(folded)) {
            return Optional.of("percent-encoded");
        }
        if (fold(jsonUnescaped(id)).contains(folded)) {
            return Optional.of("JSON-escaped");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (fold(id).contains(HexFormat.of().formatHex(bytes))) {
            return Optional.of("in hex");
        }
        String standard = id.replace('-', '+').replace('_', '/');
        return base64(bytes).stream().anyMatch(standard::contains) ? Optional.of("in base64") : Optional.empty();
    }

    /** Whether an id holds the plain hash of the text, by which whoever guesses the text can prove it. */
    boolean hashedIn(String longId) {
        String id = longId.substring(0, Math.min(longId.length(), LOOKED_AT));
        String folded = fold(id);
        String standard = id.replace('-', '+').replace('_', '/');
        for (String algorithm : HASHES) {
            byte[] hash = hash(algorithm);
            if (folded.contains(HexFormat.of().formatHex(hash)) || standard.contains(Base64.getEncoder().withoutPadding().encodeToString(hash))) {
                return true;
            }
        }
        return false;
    }

    private byte[] hash(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    private static String fold(String any) {
        return any.toLowerCase(Locale.ROOT);
    }

    private static String percentDecoded(String id) {
        return PERCENT_ESCAPES.matcher(id).replaceAll(m -> Matcher.quoteReplacement(
                new String(HexFormat.of().parseHex(m.group().replace("%", "")), StandardCharsets.UTF_8)));
    }

    private static String jsonUnescaped(String id) {
        return JSON_ESCAPE.matcher(id).replaceAll(m -> Matcher.quoteReplacement(m.group(1) != null ? String.valueOf((char) Integer.parseInt(m.group(1), 16)) : m.group(2)));
    }

    /** The characters that do not depend on what stands around, for each of the three places within a group of three bytes. */
    private static List<String> base64(byte[] bytes) {
        List<String> out = new ArrayList<>();
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            String all = Base64.getEncoder().encodeToString(shifted);
            out.add(all.substring((before * 8 + 5) / 6, shifted.length * 8 / 6));
        }
        return out;
    }
}
