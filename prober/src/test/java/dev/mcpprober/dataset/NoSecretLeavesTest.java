package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.DiskGuard;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Progress;
import dev.mcpprober.census.Workers;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.disclosure.Letters;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Known;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that prints secrets wherever it can, from the frame to everything that is kept and published. */
@Timeout(300)
class NoSecretLeavesTest {
    private static final String VALUE = "hunter2/of \"the\" frame";
    private static final String ARGUMENT = "Zq9-given-as-argument";
    private static final Redactor REDACTOR = Redactor.of(CredentialRules.bundled(), List.of());

    @TempDir Path temp;

    private RunFolder census(String name, Redactor redactor) throws Exception {
        Frame frame = FrameReader.read(Files.writeString(temp.resolve(name + ".csv"), "target,args,env\nnpm:leaky,\"[\"\"--token\"\",\"\"" + ARGUMENT + "\"\"]\",\"{\"\"API_KEY\"\":\"\"hunter2/of \\\"\"the\\\"\" frame\"\"}\"\nnpm:good,,\n"));
        RunFolder folder = new RunFolder(temp.resolve(name));
        RunInfo info = new RunInfo(1, "2026-11-30T12:00:00Z", "0.1.0", name + ".csv", frame.hash(), frame.rows().size(), 1, Profile.QUICK.id(), Map.of(), Map.of(), Map.of());
        MemoryServers servers = new MemoryServers(redactor);
        try (OpenRun run = OpenRun.open(folder.path(), info, frame, Clock.systemUTC());
                ProbingSessions sessions = new ProbingSessions(new SessionRunner(servers, SessionLimits.DEFAULT, "0.1.0", redactor), Profile.QUICK, ToolBudget.DEFAULT,
                        SandboxPolicy.probe(), 1)) {
            new CensusRunner(run, servers, sessions, DiskGuard.none(), CensusRunner.Options.defaults().with(new Workers(2, 1)), Progress.SILENT).run(frame.eligible());
        }
        return folder;
    }

    private static Analysis analysis(Redactor redactor) throws Exception {
        try (InputStream in = NoSecretLeavesTest.class.getResourceAsStream("/rules/spec.yaml")) {
            return Analysis.by(List.of(RuleSetParser.parse("spec.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8))), redactor);
        }
    }

    /** Where any of it stands. */
    private static List<String> leaks(Path folder, List<String> secrets) throws IOException {
        List<String> out = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                try (InputStream raw = Files.newInputStream(file); InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
                    String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                    secrets.stream().filter(text::contains).forEach(secret -> out.add(file + ": " + secret));
                }
            }
        }
        return out;
    }

    private void publish(RunFolder run, Analysis analysis, Path to) throws Exception {
        DatasetBuilder.build(run, analysis);
        Release.build(run, analysis, to.resolve("release"), new Release.Options(Map.of(), true, "A. Nother", null, "", true));
        Report.ofRun(run, analysis, null, to.resolve("report"));
        Letters.write(run, analysis, new Disclosure.Request(null, 90, LocalDate.parse("2026-12-24"), null, false), "me", to.resolve("letters"));
        assertEquals(List.of(), Verification.of(to.resolve("release")).problems());
    }

    @Test
    void noByteOfARunOfAReleaseOrOfAReportHoldsAPlantedSecret() throws Exception {
        RunFolder run = census("run", REDACTOR);
        Path out = Files.createDirectories(temp.resolve("out"));
        publish(run, analysis(REDACTOR), out);
        List<String> secrets = new ArrayList<>(MemoryServers.SECRETS);
        secrets.addAll(List.of(VALUE, VALUE.replace("\"", "\\\""), VALUE.replace("\"", "\"\""), VALUE.replace("\"", "&quot;"), "hunter2"));
        assertEquals(List.of(), leaks(run.path(), secrets));
        // Arguments stay in the frame of the run, which is private, as it is started by them.
        secrets.add(ARGUMENT);
        assertEquals(List.of(), leaks(out, secrets));
        assertTrue(Files.readString(out.resolve("release/data/targets.csv")).contains("[\"\"--token\"\",\"\"[REDACTED:argument]\"\"]"));
        // It is there, and what it did is known all the same.
        String observations = Files.readString(out.resolve("release/data/observations.csv"));
        assertTrue(observations.lines().anyMatch(line -> line.startsWith("pkg:npm/leaky") && line.contains("tools-call-wrong-type") && line.contains("silent-execution")), observations);
        assertTrue(Files.readString(out.resolve("release/data/targets.csv")).contains("[REDACTED:env]"));
        try (Stream<Path> letters = Files.list(out.resolve("letters"))) {
            String letter = Files.readString(letters.filter(file -> file.toString().endsWith(".md")).findFirst().orElseThrow());
            assertTrue(letter.contains("The server prints what has the shape of a credential") && letter.contains("[REDACTED:github-token]"), letter);
        }
    }

    @Test
    void aRunOfBeforeIsRedactedWhenItIsPublished() throws Exception {
        RunFolder run = census("old", Redactor.NONE);
        assertFalse(leaks(run.path(), MemoryServers.SECRETS).isEmpty(), "it was kept as it came");
        Path out = Files.createDirectories(temp.resolve("new"));
        Redactor knows = REDACTOR.knowing(Known.variables(Map.of("API_KEY", VALUE)));
        publish(run, analysis(knows), out);
        List<String> secrets = new ArrayList<>(MemoryServers.SECRETS);
        secrets.addAll(List.of("hunter2", ARGUMENT));
        assertEquals(List.of(), leaks(out, secrets));
    }
}
