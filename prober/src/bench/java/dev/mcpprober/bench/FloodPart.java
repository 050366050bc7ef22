package dev.mcpprober.bench;

import dev.mcpprober.observation.Extractor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.transcript.Transcript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much heap servers take up that write as much as they can: a session and what is made of its transcript. */
final class FloodPart {
    private static final double MIB = 1 << 20;

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
        String write = "const fs = require('fs'); const chunk = Buffer.from(%s); for (let n = 0; n < 2e9; n += chunk.length) fs.writeSync(%d, chunk)";
        Map<String, String> floods = new LinkedHashMap<>();
        floods.put("stdout, one endless line", write.formatted("'x'.repeat(65536)", 1));
        floods.put("stdout, lines of one byte", write.formatted("'1\\n'.repeat(32768)", 1));
        floods.put("stdout, notifications", write.formatted("'{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\\n'.repeat(1300)", 1));
        floods.put("stdout, dense lines of 1 MB", write.formatted("('['+'{},'.repeat(349000)+'1]\\n')", 1));
        floods.put("stderr", write.formatted("'x'.repeat(65536)", 2));
        return floods;
    }

    void run() throws EngineException, IOException {
        report.part("Flooding servers, one at a time: session and extraction (target less than 256 MiB of heap; this JVM may take " + (int) HeapPeak.limit() + ")");
        for (Map.Entry<String, String> flood : floods().entrySet()) {
            HeapPeak.reset();
            long begin = System.nanoTime();
            String end = probe(flood.getValue());
            report.line("  %-30s heap at most %.0f MiB, %.1f s; %s", flood.getKey(), HeapPeak.used(), (System.nanoTime() - begin) / 1e9, end);
        }
    }

    private String probe(String program) throws EngineException, IOException {
        SandboxSpec plain = server.subject().spec();
        SandboxSpec spec = new SandboxSpec(plain.image(), List.of(plain.argv().get(0), "-e", program), plain.env(), plain.workdir(), plain.policy(), plain.labels());
        ProbeSubject subject = new ProbeSubject("flood", "flood", spec.image(), spec, false);
        PlannedSession session = SessionPlan.next(Profile.QUICK, List.of()).orElseThrow();
        SessionRunner runner = new SessionRunner(engine, SessionLimits.DEFAULT, "bench");
        Path file = folder.resolve("flood.jsonl.gz");
        Transcript transcript = runner.run(subject, session, runner.prepare(subject), "bench", SessionRunner.workKey(subject, session, 0), file);
        String startup = Extractor.extract(List.of(transcript)).startup().map(failure -> failure.kind()).orElse("a session came about");
        return startup + ", transcript of " + (int) Math.ceil(Files.size(file) / MIB) + " MiB";
    }
}
