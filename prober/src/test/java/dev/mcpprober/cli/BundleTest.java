package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check --bundle} leaves shows the findings again, by itself, and does not show them of a server that has none. */
class BundleTest {
    private static final Path SERVER = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/cli/misbehaving.py").toAbsolutePath();

    @TempDir Path folder;

    @BeforeAll
    static void pythonIsThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (java.io.IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not here: the tests of check --bundle are skipped");
    }

    private Path bundle(String how, String... more) {
        Path to = folder.resolve("bundle of " + how.replace(' ', '-'));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        var arguments = new java.util.ArrayList<>(List.of("check", "--cmd", "python3 '" + SERVER + "' " + how, "--profile", "quick", "--request-timeout", "2",
                "--start-timeout", "10", "--bundle", to.toString()));
        arguments.addAll(List.of(more));
        int status = ProberCommand.run(arguments.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err));
        assertEquals(ExitCode.FAILED, status, err.toString());
        return to;
    }

    /** Check and observation of each finding to what its script came to. */
    private static Map<String, JsonNode> findings(Path bundle) throws Exception {
        JsonNode document = ((Json.Parsed.Value) Json.parse(Files.readString(bundle.resolve("bundle.json")))).node();
        Map<String, JsonNode> out = new TreeMap<>();
        document.path("findings").forEach(f -> out.put(f.path("check").asText() + " " + f.path("observed").asText(), f));
        return out;
    }

    private static int run(Path script, String server) {
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        if (server != null) {
            builder.environment().put("SERVER", server);
        }
        try {
            Process process = builder.start();
            return process.waitFor(2, TimeUnit.MINUTES) ? process.exitValue() : -1;
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void shown(Path bundle, String... findings) throws Exception {
        Map<String, JsonNode> all = findings(bundle);
        // At once: a script that waits for what does not come takes its time.
        Map<String, CompletableFuture<Integer>> mended = new TreeMap<>();
        for (String finding : findings) {
            JsonNode entry = all.get(finding);
            assertTrue(entry != null, finding + " is among " + all.keySet());
            Path script = bundle.resolve(entry.path("folder").asText()).resolve("reproduce.sh");
            String tried = Files.readString(script.resolveSibling("tried.txt"));
            assertEquals("reproduced", entry.path("script").asText(), tried + Files.readString(script));
            assertTrue(tried.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f), "what a script prints is safe: " + tried);
            mended.put(finding, CompletableFuture.supplyAsync(() -> run(script, "python3 '" + SERVER + "'")));
        }
        for (String finding : findings) {
            assertEquals(1, mended.get(finding).get(), "not shown of a server that behaves: " + finding);
        }
    }

    @Test
    void linesAndSilenceAndRepetitionAreShownAgain() throws Exception {
        Path bundle = bundle("silent no-answer noise twice");
        CompletableFuture<Integer> again = CompletableFuture.supplyAsync(() -> run(bundle.resolve("reproduce-all.sh"), null));
        shown(bundle, "tools-call-wrong-type success", "tools-call-unknown no-response", "stdout-purity violates", "response-duplicate violates");
        assertTrue(findings(bundle).values().stream().allMatch(f -> f.path("script").asText().equals("reproduced")), findings(bundle).toString());
        assertEquals(findings(bundle).values().stream().sorted(Comparator.comparing(f -> f.path("folder").asText())).map(f -> f.path("verdict").asText()).toList(),
                findings(bundle).values().stream().map(f -> f.path("verdict").asText()).sorted(Comparator.comparing(List.of("fail", "warn", "divergent")::indexOf)).toList(),
                "the gravest first, as in report.txt");
        for (String file : new String[] {"README.md", "report.txt", "report.json", "reproduce-all.sh", "transcripts/legacy.jsonl.gz"}) {
            assertTrue(Files.exists(bundle.resolve(file)), file);
        }
        String script = Files.readString(bundle.resolve(findings(bundle).get("stdout-purity violates").path("folder").asText()).resolve("reproduce.sh"));
        assertTrue(script.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f), "a script is plain ASCII");
        assertFalse(script.contains("\n$(id)"));
        for (JsonNode finding : findings(bundle).values()) {
            assertEquals(2, run(bundle.resolve(finding.path("folder").asText()).resolve("reproduce.sh"), "no-such-server-of-ours"), "what does not start shows nothing");
        }
        assertEquals(0, again.get());
    }

    @Test
    void whatTheUserSetAVariableToIsInNoFileAndScriptsAskForIt() throws Exception {
        Path bundle = bundle("silent", "--env", "API_KEY=hunter2-of-mine");
        try (java.util.stream.Stream<Path> files = Files.walk(bundle)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                if (file.toString().endsWith(".gz")) {
                    bytes = new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(bytes)).readAllBytes();
                }
                assertFalse(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).contains("hunter2"), file.toString());
            }
        }
        Path script = bundle.resolve(findings(bundle).get("tools-call-wrong-type success").path("folder").asText()).resolve("reproduce.sh");
        assertEquals("reproduced", findings(bundle).get("tools-call-wrong-type success").path("script").asText(), "tried with the variable set");
        Process without = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true).start();
        String said = new String(without.getInputStream().readAllBytes());
        assertTrue(without.waitFor() == 2 && said.contains("API_KEY") && said.contains("set it to what the server is to be started with"), said);
        assertTrue(Files.readString(bundle.resolve("bundle.json")).contains("\"API_KEY=\""));
    }

    @Test
    void anEndAndAClosedStdoutAreShownAgain() throws Exception {
        shown(bundle("exits"), "tools-call-unknown exited");
        shown(bundle("closes"), "tools-call-unknown closed");
    }

    @Test
    void aServerThatDoesNotStartIsShownAgain() throws Exception {
        Path to = folder.resolve("b");
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(new String[] {"check", "--cmd", "sh -c 'echo GREETER_KEY is required >&2; exit 3'", "--profile", "quick", "--bundle", to.toString()},
                new PrintWriter(new StringWriter()), new PrintWriter(err));
        assertEquals(ExitCode.FAILED, status);
        shown(to, "startup needs-config");
    }

    @Test
    void whatIsThereIsNotOverwritten() throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        Files.writeString(full.resolve("mine.txt"), "keep");
        Path file = Files.writeString(folder.resolve("file"), "keep");
        for (Path taken : new Path[] {full, file}) {
            StringWriter err = new StringWriter();
            assertEquals(ExitCode.USAGE, ProberCommand.run(new String[] {"check", "--cmd", "no-such-program", "--bundle", taken.toString()},
                    new PrintWriter(new StringWriter()), new PrintWriter(err)));
            assertFalse(err.toString().contains("without isolation"), "refused before anything is run");
        }
        assertEquals("keep", Files.readString(full.resolve("mine.txt")));
    }
}
