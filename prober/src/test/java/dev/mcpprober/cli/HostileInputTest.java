package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Input that readers choke on, from a real process through the whole command: each ends in the verdict that it deserves. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileInputTest {
    private static final Path SERVER = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/cli/hostile.py").toAbsolutePath();

    @BeforeAll
    static void pythonIsThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not here: the tests of hostile input are skipped");
    }

    private static JsonNode check(String kind) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(new String[] {"check", "--cmd", "python3 '" + SERVER + "' " + kind, "--profile", "quick", "--request-timeout", "20",
            "--start-timeout", "60", "--format", "json"}, new PrintWriter(out), new PrintWriter(err));
        assertTrue(status < 2, status + ": " + err);
        assertFalse(out.toString().contains("\u001b") || err.toString().contains("\u001b"), "nothing of a server reaches a terminal unescaped");
        return ((Json.Parsed.Value) Json.parse(out.toString())).node();
    }

    private static List<JsonNode> rows(JsonNode report, String id) {
        List<JsonNode> out = new ArrayList<>();
        report.path("checks").forEach(check -> {
            if (check.path("id").asText().equals(id)) {
                out.add(check);
            }
        });
        return out;
    }

    /** Of the first row, which is the primary one. */
    private static String verdict(JsonNode report, String id) {
        return rows(report, id).get(0).path("verdict").asText();
    }

    /** Nothing else is held against the server. */
    private static void passesBut(JsonNode report, String... others) {
        for (JsonNode check : report.path("checks")) {
            String verdict = check.path("verdict").asText();
            assertFalse((verdict.equals("fail") || verdict.equals("warn")) && !List.of(others).contains(check.path("id").asText()), check.toString());
        }
    }

    @Test
    void twoThousandToolsInOneReply() {
        JsonNode report = check("many-tools");
        assertEquals(2_000, report.path("session").path("toolCount").asInt());
        for (String id : List.of("tools-list", "tools-schema-valid", "tools-schema-root", "wire-schema", "tools-name-unique", "tools-call-wrong-type", "stdout-purity")) {
            assertEquals("pass", verdict(report, id), id);
        }
        passesBut(report);
    }

    @Test
    void cursorsThatLeadInACircleOrNowhere() {
        for (String kind : List.of("loop", "endless-cursors")) {
            JsonNode report = check(kind);
            assertEquals("warn", verdict(report, "tools-list-pagination"), kind);
            assertEquals("pass", verdict(report, "tools-list"), kind);
            passesBut(report, "tools-list-pagination");
        }
    }

    @Test
    void nestingAHundredThousandLevelsDeepIsPastALimitOfOursAndNoFault() {
        JsonNode report = check("deep");
        assertEquals("inconclusive", verdict(report, "tools-list"));
        assertEquals("pass", verdict(report, "ping"));
        passesBut(report);
    }

    @Test
    void aNumberOfFiveThousandDigitsIsANumber() {
        JsonNode report = check("long-number");
        assertEquals("pass", verdict(report, "tools-list"));
        assertEquals("pass", verdict(report, "tools-schema-valid"));
        passesBut(report);
    }

    @Test
    void notANumberIsNoJson() {
        JsonNode report = check("nan");
        assertEquals("fail", verdict(report, "stdout-purity"));
        assertEquals("fail", verdict(report, "tools-list"));
        assertEquals("pass", verdict(report, "ping"));
    }

    @Test
    void loneSurrogatesMarksAndMembersThatComeTwiceAreReadPast() {
        for (String kind : List.of("surrogates", "twice", "bom")) {
            JsonNode report = check(kind);
            assertEquals("pass", verdict(report, "tools-list"), kind);
            assertEquals(1, report.path("session").path("toolCount").asInt(), kind);
            assertEquals("pass", verdict(report, "tools-call-wrong-type"), kind);
            assertEquals(kind.equals("bom") ? "warn" : "pass", verdict(report, "stdout-purity"), kind);
            passesBut(report, kind.equals("bom") ? "stdout-purity" : "");
        }
    }

    @Test
    void aHundredMegabytesOnStderrCostNothing() {
        JsonNode report = check("stderr");
        assertEquals("pass", verdict(report, "server-initialize"));
        passesBut(report);
    }

    @Test
    void referencesInACircleAreNotFollowedForEver() {
        JsonNode report = check("recursive");
        assertEquals("pass", verdict(report, "tools-schema-valid"));
        passesBut(report);
    }

    @Test
    void aReferenceToAHostIsNeverFetched() throws IOException {
        try (ServerSocket host = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            JsonNode report = check("network " + host.getLocalPort());
            assertEquals("pass", verdict(report, "tools-schema-valid"));
            passesBut(report);
            host.setSoTimeout(200);
            boolean asked = true;
            try {
                host.accept().close();
            } catch (SocketTimeoutException e) {
                asked = false;
            }
            assertFalse(asked, "somebody came to fetch the schema");
        }
    }
}
