package dev.mcpprober.bench;

import dev.mcpprober.observation.Extractor;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much heap servers take up that write as much as they can: three sessions at a time, and what is made of a transcript. */
final class FloodPart {
    private static final int AT_ONCE = 3;
    private static final double MIB = 1 << 20;
    private static final String WRITE = "const chunk = Buffer.from(%s); for (let n = 0; n < 2e9; n += chunk.length) require('fs').writeSync(%d, chunk)";
    private static final String ANSWER = "require('readline').createInterface({input: process.stdin}).on('line', line => { const m = JSON.parse(line);"
            + " const r = m.method == 'initialize' ? {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'f', version: '1'}}"
            + " : m.method == 'tools/list' ? {tools: [], text: 'x'.repeat(20e6)} : {};"
            + " if ('id' in m) process.stdout.write(JSON.stringify({jsonrpc: '2.0', id: m.id, result: r}) + '\\n') })";
    /** A server that never answers is waited for no longer than the measurement needs. */
    private static final SessionLimits LIMITS = SessionLimits.DEFAULT.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(60));

    private final DockerEngine engine;
    private final Everything server;
    private final Path folder;
    private final Report report;

    FloodPart(DockerEngine engine, Everything server, Path folder, Report report) {
        this.engine = engine;
        this.server = server;
        this.folder = folder;
        this.report = report;
    }

    private static Map<String, String> floods() {
        Map<String, String> floods = new LinkedHashMap<>();
        floods.put("stdout, one endless line", WRITE.formatted("'x'.repeat(65536)", 1));
        floods.put("stdout, lines of one byte", WRITE.formatted("'1\\n'.repeat(32768)", 1));
        floods.put("stdout, notifications", WRITE.formatted("'{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\\n'.repeat(1300)", 1));
        floods.put("stdout, dense lines of 700 kB", WRITE.formatted("'['+'{},'.repeat(240000)+'1]\\n'", 1));
        floods.put("stderr", WRITE.formatted("'x'.repeat(65536)", 2));
        floods.put("an answer of 20 MB", ANSWER);
        return floods;
    }

    void run() throws EngineException, IOException, InterruptedException {
        report.part("Floods, " + AT_ONCE + " sessions at a time, then one transcript read (target less than 256 MiB of heap; this JVM may take "
                + (int) HeapPeak.limit() + ")");
        for (Map.Entry<String, String> flood : floods().entrySet()) {
            ProbeSubject subject = subject(flood.getValue());
            HeapPeak.reset();
            long begin = System.nanoTime();
            Concurrent.run(AT_ONCE, AT_ONCE, number -> probe(subject, file(number)));
            double seconds = (System.nanoTime() - begin) / 1e9;
            double sessions = HeapPeak.used();
            HeapPeak.reset();
            String end = Extractor.extract(List.of(TranscriptReader.read(file(0)))).startup().map(failure -> failure.kind()).orElse("a session came about");
            report.line("  %-30s sessions at most %3.0f MiB, %.1f s; extraction at most %3.0f MiB; transcript of %.2f MiB; %s", flood.getKey(), sessions, seconds,
                    HeapPeak.used(), Files.size(file(0)) / MIB, end);
        }
    }

    private Path file(int number) {
        return folder.resolve("flood-" + number + ".jsonl.gz");
    }

    private ProbeSubject subject(String program) {
        SandboxSpec plain = server.subject().spec();
        SandboxSpec spec = new SandboxSpec(plain.image(), List.of(plain.argv().get(0), "-e", program), plain.env(), plain.workdir(), plain.policy(), plain.labels());
        return new ProbeSubject("flood", "flood", spec.image(), spec, false);
    }

    private void probe(ProbeSubject subject, Path file) throws EngineException, IOException {
        PlannedSession session = SessionPlan.next(Profile.QUICK, ToolBudget.DEFAULT, List.of()).orElseThrow();
        SessionRunner runner = new SessionRunner(engine, LIMITS, "bench", Redactor.NONE);
        runner.run(subject, session, runner.prepare(subject), "bench", SessionRunner.workKey(subject, session, 0), file);
    }
}
