package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Texts to try for a string schema, the most plausible first. Host names are reserved ones (RFC 2606), times are fixed, so
 * that two runs send the same bytes.
 */
final class StringSamples {
    private static final List<String> FOR_PATTERNS = List.of("mcp-prober", "mcp_prober", "mcpprober", "test", "Test", "TEST", "a", "A", "ab", "AB",
            "abc", "ABC", "ABCD", "abcd", "1", "0", "01", "10", "100", "123", "1234", "12345", "123456", "12345678", "1234567890", "1.0", "1.0.0", "v1.0.0",
            "2026-01-01", "2026-01", "2026", "12:00", "12:00:00", "2026-01-01T00:00:00Z", "en", "EN", "en-US", "US", "USD", "BTC", "BTC-USD", "BTC/USD", "AAPL",
            "#336699", "336699", "a1", "A1", "abc123", "a-b", "a_b", "a/b", "/tmp", "/tmp/mcp-prober", "https://example.com", "https://example.com/",
            "mcp-prober@example.com", "example.com", "127.0.0.1", "00000000-0000-4000-8000-000000000000", "0x0000000000000000000000000000000000000001",
            "0123456789abcdef", "0123456789abcdef0123456789abcdef", "+15555550100", "deadbeef", "{}", "[]", "true", "@mcp", "$mcp");

    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z])(?=[A-Z])");
    /** Told from any word that a tool may answer with. */
    private static final String OWN = "mcp-prober";
    /** What gets a call past the tool's own look-up of a made-up word, so that it fails where it really would. An id is of whatever thing. */
    private static final Map<String, String> BY_LAST_WORD = Map.ofEntries(Map.entry("id", OWN), Map.entry("ids", OWN), Map.entry("city", "London"), Map.entry("location", "London"),
            Map.entry("country", "US"), Map.entry("currency", "USD"), Map.entry("ticker", "AAPL"), Map.entry("symbol", "AAPL"), Map.entry("language", "en"), Map.entry("lang", "en"),
            Map.entry("locale", "en"), Map.entry("domain", "example.com"), Map.entry("host", "example.com"), Map.entry("hostname", "example.com"), Map.entry("ip", "127.0.0.1"),
            Map.entry("sql", "SELECT 1"));

    private StringSamples() {}

    static Stream<String> candidates(JsonNode schema, String name) {
        List<String> out = new ArrayList<>();
        String byFormat = byFormat(schema.path("format").asText(""));
        if (byFormat != null) {
            out.add(byFormat);
        }
        out.add(byName(name));
        out.addAll(FOR_PATTERNS);
        int least = schema.path("minLength").asInt(0);
        int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        if (least > 0 && least <= 4096) {
            out.add("x".repeat(least));
            out.add("1".repeat(least));
            out.add("0".repeat(least));
            out.add("A".repeat(least));
        }
        if (most < 10) {
            out.add("x".repeat(Math.max(0, most)));
        }
        return out.stream().distinct();
    }

    private static String byFormat(String format) {
        return switch (format) {
            case "date" -> "2026-01-01";
            case "date-time" -> "2026-01-01T00:00:00Z";
            case "time" -> "12:00:00Z";
            case "duration" -> "P1D";
            case "email", "idn-email" -> "mcp-prober@example.com";
            case "uri", "url", "iri", "uri-reference" -> "https://example.com/";
            case "hostname", "idn-hostname" -> "example.com";
            case "ipv4" -> "127.0.0.1";
            case "ipv6" -> "::1";
            case "uuid" -> "00000000-0000-4000-8000-000000000000";
            default -> null;
        };
    }

    /** @param name as declared; what it means stands in its last word, e.g. {@code fromCity}, {@code email_id} */
    private static String byName(String name) {
        String[] words = CAMEL.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT).split("[^a-z0-9]+");
        String last = words.length == 0 ? "" : words[words.length - 1];
        if (BY_LAST_WORD.containsKey(last)) {
            return BY_LAST_WORD.get(last);
        }
        String all = name.toLowerCase(Locale.ROOT);
        if (all.contains("url") || all.contains("uri") || all.contains("link")) {
            return "https://example.com/";
        }
        if (all.contains("path") || all.contains("file") || all.contains("dir")) {
            return "/tmp/mcp-prober";
        }
        if (all.contains("date") || all.equals("since") || all.equals("until")) {
            return "2026-01-01";
        }
        if (all.contains("email")) {
            return "mcp-prober@example.com";
        }
        if (all.contains("timezone")) {
            return "UTC";
        }
        return OWN;
    }
}
