package dev.mcpprober.bench;

import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A quick session alone, and beside a sandbox whose program starts processes as fast as it can. */
final class NeighbourPart {
    /** At most 1023 shells for a minute and no longer, whatever their sandbox allows; the sandbox is closed long before. */
    private static final String BOMB = "end=$(($(date +%s) + 60)); b() { if [ \"$1\" -lt 9 ]; then b $(($1 + 1)) & b $(($1 + 1)) & fi;"
            + " while [ \"$(date +%s)\" -lt \"$end\" ]; do :; done; }; b 0; wait";
    /** Until the bomb has as many processes as it may have. */
    private static final Duration GROWTH = Duration.ofSeconds(2);

    private final DockerEngine engine;
    private final SessionRunner runner;
    private final Everything server;
    private final PlannedSession session = SessionPlan.next(Profile.QUICK, ToolBudget.DEFAULT, List.of()).orElseThrow();
    private final Path folder;
    private final Report report;

    NeighbourPart(DockerEngine engine, Everything server, Path folder, Report report) {
        this.engine = engine;
        this.runner = new SessionRunner(engine, SessionLimits.DEFAULT, "bench", Redactor.NONE);
        this.server = server;
        this.folder = folder;
        this.report = report;
    }

    void run(int rounds) throws EngineException, IOException, InterruptedException {
        double[] alone = new double[rounds];
        double[] beside = new double[rounds];
        probe();
        for (int round = 0; round < rounds; round++) {
            alone[round] = probe();
            try (Sandbox bomb = engine.create(bomb())) {
                bomb.start();
                Thread.sleep(GROWTH.toMillis());
                beside[round] = probe();
            }
            engine.awaitRemovals();
        }
        report.part("A quick session with " + server.subject().target() + " beside a fork bomb, " + rounds + " interleaved rounds, median [least .. most]");
        report.time("alone", new Samples(alone));
        report.time("beside a fork bomb", new Samples(beside));
        report.ratio("beside / alone", new Samples(beside), new Samples(alone), 2.0);
    }

    private SandboxSpec bomb() {
        SandboxSpec plain = server.subject().spec();
        return new SandboxSpec(plain.image(), List.of("/bin/sh", "-c", BOMB), plain.env(), plain.workdir(), plain.policy(), plain.labels());
    }

    private double probe() throws EngineException, IOException {
        long begin = System.nanoTime();
        Sandbox sandbox = runner.prepare(server.subject());
        runner.run(server.subject(), session, sandbox, "bench", SessionRunner.workKey(server.subject(), session, 0), folder.resolve("neighbour.jsonl.gz"));
        return (System.nanoTime() - begin) / 1e9;
    }
}
