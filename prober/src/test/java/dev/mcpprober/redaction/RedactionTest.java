package dev.mcpprober.redaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedactionTest {
    private static final Redactor RULES = Redactor.of(CredentialRules.bundled(), List.of());
    private static final String VALUE = "hunter2-of-the-frame";

    private static Redactor with(String name, String value) {
        return RULES.knowing(Known.variables(Map.of(name, value)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String line(Redactor redactor, String line) {
        return new String(redactor.open().line(bytes(line), false), StandardCharsets.UTF_8);
    }

    @Test
    void eachKindOfCredentialIsTakenOutAndTheRestStays() {
        Secrets.texts().forEach((rule, text) -> {
            String secret = text.substring(text.lastIndexOf(text.contains("=") ? '=' : ' ') + 1);
            assertEquals(text.replace(secret, "[REDACTED:" + rule + "]"), RULES.text(text), rule);
        });
        assertEquals("a [REDACTED:private-key] b", RULES.text("a " + Secrets.KEY + " b"));
        assertEquals("postgres://me:[REDACTED:url-password]@db/x", RULES.text("postgres://me:s3cr3t-9@db/x"));
        assertEquals("Authorization: Bearer [REDACTED:bearer-token]", RULES.text("Authorization: Bearer 9f8e7d6c5b4a39281706fedc"));
    }

    /** Passwords have signs that keys have not; in quotes they end where the quotes do. */
    @Test
    void aPasswordWithAnySignGoesAsAWhole() {
        for (String quoted : List.of("password = \"%s\"", "client_secret: '%s'", "{\"db_passwd\":\"%s\"}", "DB_PASSWORD=`%s`")) {
            for (String value : List.of("Tr0ub4dor&3xYz!9", "p@ss#w0rd?;(Zq)", "Xy9kL2mN4pQ7&rest-of,it")) {
                String out = RULES.text(String.format(quoted, value));
                assertEquals(String.format(quoted, "[REDACTED:quoted-secret]"), out);
            }
        }
        assertEquals("{\"text\":\"password = \\\"[REDACTED:quoted-secret]\\\"\"}", line(RULES, "{\"text\":\"password = \\\"Tr0ub4dor&3xYz!9\\\"\"}"));
        for (String none : List.of("token: \"${API_TOKEN:-x&y}\"", "\"token\":\"see(the),docs;now\"", "secret='https://example.org/a?b&c#1'", "password: \"{{password&1}}\"",
                "token=\"a b&c1 d9\"")) {
            assertEquals(none, RULES.text(none));
        }
        String hook = "https://disc" + "ord.com/api/webhooks/123456789012345678/";
        assertEquals(hook + "[REDACTED:discord-webhook]", RULES.text(hook + "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFgHiJkLmNoPqRsTuVwXyZ"));
    }

    @Test
    void whatIsNoSecretStays() {
        for (String text : List.of("API_KEY environment variable is required", "token: required-by-the-server", "\"token\": \"user-defined-placeholder\"",
                "{\"progressToken\":1}", "secret=${MY_SECRET}", "sk-learn and task-list-of-things-to-do", "mcp-prober: no integer", "password: string",
                "MCP_PROBER_CANARY=canary-9f4b27d1c6e8 TOKEN=canary-9f4b27d1c6e8", "eyJ", "token = /var/lib/thing/file", "https://example.org:8080/a@b", "AKIAIOSFODNN7EXAMPLE",
                "sha512-abcdefABCDEF0123456789+/abcdefABCDEF0123456789==", "token_count: 123456789012")) {
            assertSame(text, RULES.text(text), text);
        }
    }

    @Test
    void valuesThatTheServerWasGivenGoInEveryFormAndNamesStay() {
        Redactor redactor = with("API_KEY", VALUE);
        assertEquals("API_KEY is [REDACTED:env]!", redactor.text("API_KEY is " + VALUE + "!"));
        String odd = "p\"w\\d/ü\nline-two-of-it";
        String json = Json.write(Json.object().put("text", "I got " + odd + "."));
        for (String written : List.of(json, json.replace("/", "\\/"), json.replace("p", "\\u0070"), json.replace("ü", "\\u00fc"))) {
            assertEquals("{\"text\":\"I got [REDACTED:env-2].\"}".replaceAll("-2", ""), line(with("PASSWORD", odd), written).replaceAll("env-\\d", "env"), written);
        }
        assertEquals("https://x/?k=[REDACTED:env]", with("KEY", "a b&c d=e/f").text("https://x/?k=a+b%26c+d%3De%2Ff"));
        assertEquals("[REDACTED:env]", redactor.text(java.util.Base64.getEncoder().encodeToString(bytes(VALUE))));
    }

    /** Each was seen to leave a census of servers that print what they were given. */
    @Test
    void whatProgramsMakeOfAValueIsFoundToo() {
        for (String value : List.of("MixedCaseValueXyZ99", "hunter2/of the \"frame\" \u00e9+x", "it's <a&b> \\ of 'mine'", "line-one-of-it\nline-two-of-it/+", "0123456789abcdef")) {
            Redactor redactor = with("API_KEY", value);
            String json = Json.write(Json.object().put("v", value));
            String again = Json.write(Json.object().put("v", json));
            String url = java.net.URLEncoder.encode(value, StandardCharsets.UTF_8);
            List<String> written = new ArrayList<>(List.of(value, value.toUpperCase(java.util.Locale.ROOT), value.toLowerCase(java.util.Locale.ROOT), json, again, Json.write(Json.object().put("v", again)),
                    json.replace("/", "\\/").replace("\u00e9", "\\u00E9"), url, url.replace("+", "%20"), url.replace("+", "%20").replace("%21", "!").replace("%27", "'"),
                    url.replace("+", "%20").replace("%2F", "/").replaceAll("(%..)", "$1"), url.toLowerCase(java.util.Locale.ROOT),
                    value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;"), java.util.HexFormat.of().formatHex(bytes(value)),
                    java.util.HexFormat.of().withUpperCase().formatHex(bytes(value)), "{ v: '" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "' }"));
            String secret = value.contains("\n") ? "line-two-of-it/+" : value;
            for (String around : List.of("", "m:", "me:", "me2:")) {
                for (java.util.Base64.Encoder encoder : List.of(java.util.Base64.getEncoder(), java.util.Base64.getUrlEncoder(), java.util.Base64.getUrlEncoder().withoutPadding())) {
                    for (String behind : List.of("", "x", ":x", ":xx")) {
                        String text = encoder.encodeToString(bytes(around + value + behind));
                        String left = redactor.text("b64 " + text + " end");
                        assertTrue(left.contains("[REDACTED:env") && left.length() < 46 + (value.contains("\n") ? 46 : 0), left);
                    }
                }
            }
            for (String text : written) {
                for (String out : List.of(redactor.text("says " + text + " end"), line(redactor, Json.write(Json.object().put("t", text))), line(redactor, "says " + text.replace("\n", "\\n")))) {
                    assertTrue(out.contains("[REDACTED:env"), out);
                    for (String part : List.of(secret.substring(0, 9), secret.substring(secret.length() - 9))) {
                        assertFalse(out.toLowerCase(java.util.Locale.ROOT).contains(part.toLowerCase(java.util.Locale.ROOT)), text + " left " + out);
                    }
                }
            }
        }
    }

    @Test
    void argumentsThatAreSecretsAreKnownAndOthersAreNot() {
        List<String> arguments = List.of("--api-key", "ArgSecretValue77Zq", "--password=Tr0ub4dor-and-3", "/tmp/some-folder", "--token", "--verbose-output", "AUTH_TOKEN=from-the-shell-9", "--port", "8080808080",
                "--key-file", "/etc/keys/of-mine", "--pin", "4711", "a folder: key", "--secret");
        Redactor redactor = RULES.knowing(Known.arguments(arguments));
        assertEquals("ran with [REDACTED:argument-2] [REDACTED:argument-3] [REDACTED:argument-4] [REDACTED:argument] /tmp/some-folder --verbose-output 8080808080 /etc/keys/of-mine",
                redactor.text("ran with ArgSecretValue77Zq Tr0ub4dor-and-3 from-the-shell-9 4711 /tmp/some-folder --verbose-output 8080808080 /etc/keys/of-mine"));
        assertEquals("48471100 pin", RULES.knowing(Known.arguments(List.of("--pin", "4711"))).text("48471100 pin"));
    }

    @Test
    void wordsOfTheProtocolAreNoSecretsWhateverAVariableIsCalled() {
        String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"tools\"}}";
        for (String word : List.of("error", "jsonrpc", "message", "1", "tools", "2.0", "true", "")) {
            assertEquals(frame, line(with("SECRET_KEY", word), frame), word);
        }
    }

    @Test
    void namesOfTheHostGoWhereTheyStandAlone() {
        Redactor redactor = Redactor.of(CredentialRules.bundled(), Known.facts(Set.of("build-box7"), "alice", "/home/alice", Set.of("10.11.12.13")));
        assertEquals("[REDACTED:home]/x by [REDACTED:user] on [REDACTED:host] at [REDACTED:address]:80", redactor.text("/home/alice/x by alice on build-box7 at 10.11.12.13:80"));
        for (String text : List.of("malice", "110.11.12.13", "10.11.12.130", "alice_2", "build-box77")) {
            assertEquals(text, redactor.text(text));
        }
        assertEquals(List.of(), Known.facts(Set.of("localhost"), "root", "/root", Set.of()));
    }

    @Test
    void aSecretThatGoesThroughJsonLeavesItTheSameJson() {
        // The rule for keys matches from one string into another one, and over a number.
        String line = "{\"a\":\"-----BEGIN PRI" + "VATE KEY-----\",\"n\":12,\"b\":[true,null],\"c\":\"x -----END PRI" + "VATE KEY----- y\"}";
        String out = line(RULES, line);
        Json.Parsed parsed = Json.parse(out);
        assertInstanceOf(Json.Parsed.Value.class, parsed, out);
        var node = ((Json.Parsed.Value) parsed).node();
        assertTrue(node.path("a").asText().startsWith("[REDACTED:private-key") && node.path("n").isNumber() && node.path("b").get(0).asBoolean(), out);
        assertEquals("{\"pin\":99999999,\"id\":3}", line(with("PIN", "48151623"), "{\"pin\":48151623,\"id\":3}"));
        assertEquals("{\"k\":[REDACTED:github-token]}", line(RULES, "{\"k\":" + Secrets.GITHUB + "}"));
        // A rule that ends within an escape or a character takes the whole of it.
        assertInstanceOf(Json.Parsed.Value.class, Json.parse(line(with("KEY", "ends in \\ or so\\"), "{\"t\":\"ends in \\\\ or so\\\\\\n\"}")));
    }

    @Test
    void noLineOfTheGrammarBecomesAnotherKindOfLine() {
        Random random = new Random(7);
        List<String> parts = List.of("\"", "\\", "{", "}", "[", "]", ":", ",", "1", "true", " ", "\\u0041", Secrets.GITHUB, "ü", "-----BEGIN PRI" + "VATE KEY-----",
                "-----END PRI" + "VATE KEY-----", "token=q7Zt91xLmPo42", VALUE, "-1.5e3", "\\\"");
        Redactor redactor = with("API_KEY", VALUE);
        int valid = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder("{\"a\":\"");
            for (int j = random.nextInt(12); j >= 0; j--) {
                text.append(parts.get(random.nextInt(parts.size())));
            }
            text.append(random.nextBoolean() ? "\"}" : "");
            boolean before = Json.parse(text.toString()) instanceof Json.Parsed.Value;
            String out = line(redactor, text.toString());
            assertEquals(before, Json.parse(out) instanceof Json.Parsed.Value, () -> text + "\n" + out);
            assertFalse(out.contains(VALUE) || out.contains(Secrets.GITHUB), () -> text + "\n" + out);
            valid += before ? 1 : 0;
        }
        assertTrue(valid > 2_000, "enough of them are JSON: " + valid);
    }

    @Test
    void equalStaysEqualAndWhatDiffersStaysDifferent() {
        Redaction redaction = RULES.open();
        String other = Secrets.GITHUB.replace("A1", "Z9");
        assertEquals("[REDACTED:github-token] [REDACTED:github-token-2]", redaction.text(Secrets.GITHUB + " " + other));
        assertEquals("[REDACTED:github-token-2] [REDACTED:github-token]", redaction.text(other + " " + Secrets.GITHUB));
        assertEquals(Map.of("github-token", 4), redaction.counts());
    }

    @Test
    void redactedTextStaysAsItIs() {
        String once = RULES.text(String.join("\n", Secrets.texts().values()) + "\n" + Secrets.KEY);
        assertSame(once, RULES.text(once));
        // A marker that nobody put there hides nothing.
        assertEquals("[REDACTED:[REDACTED:github-token]]", RULES.text("[REDACTED:" + Secrets.GITHUB + "]"));
    }

    @Test
    void aSecretInTwoPiecesOfStderrGoes() {
        Redactor redactor = with("API_KEY", VALUE);
        for (int cut = 1; cut < Secrets.GITHUB.length(); cut++) {
            List<byte[]> out = redactor.open().pieces(List.of(bytes("a " + Secrets.GITHUB.substring(0, cut)), bytes(Secrets.GITHUB.substring(cut) + " b")), List.of(false, false));
            assertEquals("a [REDACTED:github-token]", new String(out.get(0), StandardCharsets.UTF_8));
            assertEquals(" b", new String(out.get(1), StandardCharsets.UTF_8));
        }
        List<byte[]> single = new ArrayList<>();
        List<Boolean> gaps = new ArrayList<>();
        for (byte b : bytes("x" + VALUE + "y")) {
            single.add(new byte[] {b});
            gaps.add(false);
        }
        StringBuilder joined = new StringBuilder();
        redactor.open().pieces(single, gaps).forEach(piece -> joined.append(new String(piece, StandardCharsets.UTF_8)));
        assertEquals("x[REDACTED:env]y", joined.toString());
        // What a cap cut through is known only where the value is.
        List<byte[]> capped = redactor.open().pieces(List.of(bytes("a " + VALUE.substring(0, 9)), bytes(VALUE.substring(9) + " b")), List.of(false, true));
        assertEquals("a [REDACTED:env]", new String(capped.get(0), StandardCharsets.UTF_8));
        assertEquals("[REDACTED:env] b", new String(capped.get(1), StandardCharsets.UTF_8));
    }

    @Test
    void aKeyOnManyLinesOfStdoutGoes() {
        Redaction redaction = RULES.open();
        List<String> out = new ArrayList<>();
        for (String line : ("{\"id\":1}\n" + Secrets.KEY + "\n{\"id\":2}\nstarted").split("\n")) {
            out.add(new String(redaction.line(bytes(line), false), StandardCharsets.UTF_8));
        }
        assertFalse(String.join("\n", out).contains(Secrets.KEY_BODY), out::toString);
        assertEquals("{\"id\":2}", out.get(out.size() - 2));
        assertEquals("started", out.get(out.size() - 1));
    }

    @Test
    void bytesThatAreNoUtf8StayAndSecretsBetweenThemGo() {
        byte[] line = bytes("xx " + VALUE + " yy");
        line[0] = (byte) 0xff;
        line[line.length - 1] = (byte) 0xc3;
        byte[] out = with("API_KEY", VALUE).open().line(line, false);
        byte[] expected = bytes("xx [REDACTED:env] yy");
        expected[0] = (byte) 0xff;
        expected[expected.length - 1] = (byte) 0xc3;
        assertArrayEquals(expected, out);
    }

    @Test
    void aLongLineIsLookedThroughPieceByPiece() {
        Redactor redactor = with("API_KEY", VALUE);
        for (int at : List.of(0, (256 << 10) - 20, (256 << 10) - (16 << 10) - 5, 240 << 10, (480 << 10) + 3, 600_000)) {
            for (String secret : List.of(VALUE, Secrets.GITHUB)) {
                StringBuilder text = new StringBuilder("{\"t\":\"" + "\\u00e9 x".repeat(100_000) + "\"}");
                text.insert(6 + at / 8 * 8, secret + " ");
                String out = line(redactor, text.toString());
                assertFalse(out.contains(secret), at + " " + secret);
                assertEquals(text.toString().replace(secret, secret.equals(VALUE) ? "[REDACTED:env]" : "[REDACTED:github-token]"), out);
            }
        }
    }

    @Test
    void aFloodOfKeywordsEndsAndHidesNothing() {
        StringBuilder text = new StringBuilder();
        while (text.length() < 3 << 20) {
            text.append("token secret api_key sk- ghp_ eyJ -----BEGIN xoxb- password=://:@ bearer ");
        }
        text.append(Secrets.GITHUB).append(' ').append(VALUE);
        String out = line(with("API_KEY", VALUE), text.toString());
        assertFalse(out.contains(Secrets.GITHUB) || out.contains(VALUE));
    }

    @Test
    void withoutRulesNothingIsTouched() {
        byte[] line = bytes(Secrets.GITHUB);
        assertSame(line, Redactor.NONE.open().line(line, false));
        assertSame(Redactor.NONE, Redactor.NONE.knowing(Known.variables(Map.of("API_KEY", VALUE))));
    }
}
