package dev.mcpprober.bench;

import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.TargetSessions;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** Quick sessions of several workers at a time, run by the census's own code. */
final class ThroughputPart {
    private static final double TARGET = 55;

    private final DockerEngine engine;
    private final Everything server;
    private final Path folder;
    private final Report report;

    ThroughputPart(DockerEngine engine, Everything server, Path folder, Report report) {
        this.engine = engine;
        this.server = server;
        this.folder = folder;
        this.report = report;
    }

    void run(int probes) throws EngineException, IOException, InterruptedException {
        report.part("Throughput, " + probes + " quick sessions each");
        for (int workers = 1; workers <= 3; workers++) {
            HeapPeak.reset();
            long cpu = cpuNanos();
            long begin = System.nanoTime();
            run(workers, probes);
            double seconds = (System.nanoTime() - begin) / 1e9;
            double ownCpu = (cpuNanos() - cpu) / 1e9 / probes;
            report.line("  %d workers: %5.1f probes a minute  (target at least %.0f with 2 or 3 on two idle processors); %.3f s of processor time each in this JVM;"
                    + " heap at most %.0f MiB, %.0f MiB after collection", workers, probes * 60 / seconds, TARGET, ownCpu, HeapPeak.used(), HeapPeak.live());
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private void run(int workers, int probes) throws EngineException, IOException, InterruptedException {
        try (ProbingSessions sessions = new ProbingSessions(new SessionRunner(engine, SessionLimits.DEFAULT, "bench", Redactor.NONE), Profile.QUICK, ToolBudget.DEFAULT, SandboxPolicy.probe(), 1)) {
            Concurrent.run(workers, probes, number -> probe(sessions, folder.resolve("probe-" + number + ".jsonl.gz")));
        }
        engine.awaitRemovals();
    }

    private void probe(ProbingSessions sessions, Path file) throws EngineException, IOException, InterruptedException {
        try (TargetSessions.Sequence sequence = sessions.begin(server.entry(), server.installation())) {
            TargetSessions.Due due = sequence.next().orElseThrow();
            sequence.run(due, new TargetSessions.Attempt("bench", file));
            sequence.accept(file);
            if (!sequence.started() || sequence.next().isPresent()) {
                throw new IOException("the server did not behave as it does when probed alone: " + sequence.summary());
            }
        }
    }
}
