package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that write without measure, checked by a prober with the heap that its launcher gives it. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapTest {
    private static final String HEAP = "-Xmx512m";
    private static final String ANSWERS = """
            while read -r line; do
              id=${line#*\\"id\\":}
              id=${id%%,*}
              printf '{"jsonrpc":"2.0","id":%s,' "$id"
              case $line in
                *'"initialize"'*) printf '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"}}}\\n' ;;
                *'"tools/list"'*)
                  printf '"result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"description":"\u4e2d'
                  head -c 20000000 /dev/zero | tr '\\0' x
                  printf '"}]}}\\n' ;;
                *'"ping"'*) printf '"result":{}}\\n' ;;
                *'"notifications/'*) printf '"result":{}}\\n' ;;
                *) printf '"error":{"code":-32602,"message":"no"}}\\n' ;;
              esac
            done
            """;

    @TempDir Path folder;

    private JsonNode check(String server, String profile) throws Exception {
        Path script = Files.writeString(folder.resolve("server.sh"), server);
        Path out = folder.resolve("out.json");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP, "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "dev.mcpprober.cli.Main", "check", "--format", "json",
                "--profile", profile, "--start-timeout", "20", "--cmd", "sh '" + script + "'"));
        Process prober = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(folder.resolve("err").toFile()).start();
        assertTrue(prober.waitFor(150, TimeUnit.SECONDS));
        String err = Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
        assertTrue(prober.exitValue() < 2, prober.exitValue() + ": " + err);
        return Json.mapper().readTree(Files.readString(out));
    }

    @Test
    void anEndlessLine() throws Exception {
        JsonNode report = check("head -c 200000000 /dev/zero | tr '\\0' x\ncat >/dev/null\n", "quick");
        assertEquals("hang-no-reply", report.path("startupFailure").asText());
    }

    /** Twice: two sessions of the full profile list the tools. */
    @Test
    void anAnswerOfTwentyMegabytesOfWideText() throws Exception {
        JsonNode report = check(ANSWERS, "full");
        assertTrue(report.path("session").path("handshake").asBoolean());
        assertEquals(1, report.path("session").path("toolCount").asInt(), "the first answer is read");
    }
}
