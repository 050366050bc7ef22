package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
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

    /** What corpus filter leaves where nothing fits; its run came to an end, and verify found its release unsound. */
    @Test
    void aFrameWithoutARowIsNotMeasured() throws Exception {
        Path frame = Files.writeString(temp.resolve("none.csv"), "target,args,env,note\n");
        assertEquals(ExitCode.USAGE, run("census", "run", frame.toString(), "--to", temp.resolve("run").toString()));
        assertTrue(err.toString().contains("none.csv: holds no row"), err.toString());
        assertTrue(Files.notExists(temp.resolve("run")));
    }

    @Test
    void aCheckThatThereIsNotComesWithTheWayToThoseThereAre() {
        assertEquals(ExitCode.USAGE, run("check", "--explain", "tools-call-wrong"));
        assertTrue(err.toString().contains("tools-call-wrong-type") && err.toString().contains("prober rules show spec"), err.toString());
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheReason() throws Exception {
        Path list = Files.writeString(temp.resolve("list.txt"), "npm:a\n");
        assertEquals(ExitCode.USAGE, run("corpus", "import", list.toString(), "--to", "/proc/prober-test"));
        assertTrue(err.toString().matches("(?s).*/proc/prober-test.*: (no such file or folder|permission denied|Read-only file system).*"), err.toString());
    }

    @Test
    void aRunThatIsNoJsonIsToldInPlainWords() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{");
        assertEquals(ExitCode.USAGE, run("stats", temp.toString()));
        assertTrue(err.toString().contains("census.json") && !err.toString().contains("REDACTED"), err.toString());
        Path baseline = Files.writeString(temp.resolve("baseline.json"), "{");
        assertEquals(ExitCode.USAGE, run("check", "--cmd", "cat", "--baseline", baseline.toString()));
        Path frame = Files.writeString(temp.resolve("frame.csv"), "target,args\nnpm:a,[\n");
        assertEquals(ExitCode.DONE, run("corpus", "stats", frame.toString()));
        assertTrue(err.toString().contains("not JSON: Unexpected end") && err.toString().contains("args: not JSON") && !err.toString().contains("REDACTED"), err.toString());
    }

    @Test
    void aRunWhoseFilesAreBrokenIsAProblemToVerifyAndNotAFaultOfTheEngine() throws Exception {
        RunFolder run = new RunFolder(Files.createDirectory(temp.resolve("run")));
        run.writeInfo(new RunInfo(RunInfo.FORMAT_VERSION, "2026-01-01T00:00:00Z", "0", "frame.csv", "", 1, 0, "quick", Map.of(), Map.of(), Map.of()));
        for (String frame : new String[] {"{", "null", "{\"target\":5}", "{}", null}) {
            if (frame == null) {
                Files.delete(run.frame());
            } else {
                Files.writeString(run.frame(), frame + "\n");
            }
            broken(run, "frame.jsonl");
        }
        Files.writeString(run.frame(), "");
        Files.writeString(run.ledger(), "no event\n{}\n");
        broken(run, "ledger.jsonl, line 1");
        Files.writeString(run.census(), "[]");
        broken(run, "run");
    }

    private void broken(RunFolder run, String named) {
        StringWriter out = new StringWriter();
        assertEquals(ExitCode.FAILED, ProberCommand.run(new String[] {"census", "verify", run.path().toString()}, new PrintWriter(out), new PrintWriter(err, true)), err.toString());
        assertTrue(out.toString().startsWith("problem: ") && out.toString().contains(named), out.toString());
        for (String command : new String[] {"stats", "grade"}) {
            err.getBuffer().setLength(0);
            assertEquals(ExitCode.USAGE, run(command, run.path().toString()), err.toString());
            assertTrue(err.toString().contains(named) && !err.toString().contains("defect"), err.toString());
        }
    }

    @Test
    void whatAsksForTheImpossibleIsToldBeforeAnEngineIsLookedFor() throws Exception {
        String frame = Files.writeString(temp.resolve("frame.csv"), "target\nnpm:a\n").toString();
        String[][] asked = {
            {"census", "run", frame, "--as-of", "2999-01-01"}, {"check", "npm:a", "--as-of", "2999-01-01"},
            {"census", "run", frame, "--queue", "mysql://host/census"}, {"census", "worker", "--queue", "jdbc:postgresql://me:word@host/census"},
            {"census", "run", frame, "--to", frame}, {"census", "run", frame, "--to", frame + "/in"}, {"drift", temp.toString(), temp.toString()},
            {"bisect", "npm:a", "--good", "2026-01-01", "--bad", "2999-01-01"}, {"bisect", "npm:", "--good", "2026-01-01", "--bad", "2026-02-01"},
            {"bisect", "npm:a", "--good", "2026-01-01", "--bad", "2026-02-01", "--check", "wire-schema", "--rules", "tool-failure"},
            {"bisect", "npm:a", "--good", "2026-01-01", "--bad", "2026-02-01", "--env", "=x"}, {"bisect", "npm:a", "--good", "2026-02-01", "--bad", "2026-01-01"}};
        for (String[] arguments : asked) {
            err.getBuffer().setLength(0);
            assertEquals(ExitCode.USAGE, run(arguments), String.join(" ", arguments) + ": " + err);
        }
    }

    /** They were told after the install, with an engine set up for it. */
    @Test
    void aNumberThatCannotBeIsToldBeforeAnythingIsInstalled() {
        String[][] commands = {{"check", "npm:a"}, {"check", "--cmd", "cat"}, {"bisect", "npm:a", "--good", "2026-01-01", "--bad", "2026-02-01"}};
        String[][] numbers = {{"--tool-budget", "many"}, {"--tool-budget", "1,0"}, {"--start-timeout", "0"}, {"--request-timeout", "-1"},
            {"--session-timeout", "1e9"}, {"--eof-grace", "NaN"}};
        for (String[] command : commands) {
            for (String[] number : numbers) {
                toldFirst(command, number);
            }
        }
        toldFirst(commands[0], "--install-timeout", "0");
        toldFirst(new String[] {"toolfailure", "demo"}, "--install-timeout", "0");
        toldFirst(new String[] {"toolfailure", "call", "npm:a", "--tool", "x"}, "--as-of", "2999-01-01");
    }

    private void toldFirst(String[] command, String... option) {
        err.getBuffer().setLength(0);
        assertEquals(ExitCode.USAGE, run(Stream.concat(Stream.of(command), Stream.of(option)).toArray(String[]::new)));
        assertTrue(err.toString().startsWith("prober: " + option[0] + ": "), err.toString());
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
