package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {
    @TempDir Path temp;

    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return ProberCommand.run(args, new PrintWriter(new StringWriter()), new PrintWriter(err, true));
    }

    @Test
    void asOfMeansNothingForACommand() {
        assertEquals(ExitCode.USAGE, run("check", "--cmd", "cat", "--as-of", "2026-01-01"));
        assertTrue(err.toString().contains("--as-of"), err.toString());
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheReason() throws Exception {
        Path list = Files.writeString(temp.resolve("list.txt"), "npm:a\n");
        assertEquals(ExitCode.ENGINE_FAULT, run("corpus", "import", list.toString(), "--to", "/proc/prober-test"));
        assertTrue(err.toString().matches("(?s).*/proc/prober-test.*: (no such file or folder|permission denied|Read-only file system).*"), err.toString());
    }

    @Test
    void aRunThatIsNoJsonIsToldInPlainWords() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{");
        assertEquals(ExitCode.USAGE, run("stats", temp.toString()));
        assertTrue(err.toString().contains("census.json") && !err.toString().contains("REDACTED"), err.toString());
    }

    @Test
    void aPatternThatNoTargetHasIsTold() throws Exception {
        Path frame = Files.writeString(temp.resolve("frame.csv"), "target\nnpm:@s/one\nnpm:two\n");
        assertEquals(ExitCode.DONE, run("corpus", "filter", frame.toString(), "--name", "[", "--name", "@s/*", "--not-name", "three"));
        assertTrue(err.toString().contains("--name \"[\": no target") && err.toString().contains("--not-name \"three\": no target"), err.toString());
        assertTrue(err.toString().contains("1 of 2 targets") && !err.toString().contains("@s/*"), err.toString());
    }

    @Test
    void anAddressThatCannotBeOneIsTold() {
        for (String address : new String[] {"http:///x", "http://a b/", "https://name:word@127.0.0.1/v0/servers", "HTTP://127.0.0.1/v0/servers#x"}) {
            assertEquals(ExitCode.USAGE, run("corpus", "import", address, "--to", temp.resolve("out").toString()), address);
        }
        assertTrue(!err.toString().contains("defect"), err.toString());
    }

    @Test
    void aRegistryThatIsBusyEndsAnImportThatCanGoOn() throws Exception {
        HttpServer busy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        busy.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("retry-after", "7200");
            exchange.sendResponseHeaders(429, -1);
            exchange.close();
        });
        busy.start();
        try {
            String address = "http://127.0.0.1:" + busy.getAddress().getPort() + "/v0/servers";
            assertEquals(ExitCode.RESUMABLE, run("corpus", "import", address, "--pause", "0", "--to", temp.resolve("out").toString()));
        } finally {
            busy.stop(0);
        }
        assertTrue(err.toString().contains("the same command goes on"), err.toString());
    }
}
