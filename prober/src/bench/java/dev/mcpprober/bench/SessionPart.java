package dev.mcpprober.bench;

import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One quick session against the same frames by plain pipes: to the server on this host, and to {@code docker run}. */
final class SessionPart {
    private final DockerEngine engine;
    private final SessionRunner runner;
    private final Everything server;
    private final PlannedSession session = SessionPlan.next(Profile.QUICK, ToolBudget.DEFAULT, List.of()).orElseThrow();
    private final Path folder;
    private final Report report;

    SessionPart(DockerEngine engine, Everything server, Path folder, Report report) {
        this.engine = engine;
        this.runner = new SessionRunner(engine, SessionLimits.DEFAULT, "bench", Redactor.NONE);
        this.server = server;
        this.folder = folder;
        this.report = report;
    }

    private record Probe(double create, double all, Transcript transcript) {
        /** Seconds into the process's life when the first line of stdout came, and when the session was over. */
        double firstLine() {
            return transcript.events().stream().filter(Event.Received.class::isInstance).findFirst().orElseThrow().nanos() / 1e9;
        }

        double over() {
            return transcript.events().get(transcript.events().size() - 1).nanos() / 1e9;
        }
    }

    private Probe probe() throws EngineException, IOException {
        Path file = folder.resolve("bench.jsonl.gz");
        long begin = System.nanoTime();
        Sandbox sandbox = runner.prepare(server.subject());
        double create = (System.nanoTime() - begin) / 1e9;
        runner.run(server.subject(), session, sandbox, "bench", SessionRunner.workKey(server.subject(), session, 0), file);
        double all = (System.nanoTime() - begin) / 1e9;
        // The container is removed behind the session's back; that may not be in the way of what is measured next.
        engine.awaitRemovals();
        return new Probe(create, all, TranscriptReader.read(file));
    }

    void run(int rounds) throws EngineException, IOException, InterruptedException {
        Dialogue dialogue = Dialogue.of(probe().transcript());
        List<String> onHost = server.onHost(Files.createDirectories(folder.resolve("host")));
        double[][] seconds = new double[8][rounds];
        for (int round = -1; round < rounds; round++) {
            Probe probe = probe();
            Dialogue.Took host = dialogue.run(new ProcessBuilder(onHost).directory(folder.toFile()), Dialogue.Ending.KILL);
            Dialogue.Took docker = dialogue.run(new ProcessBuilder(server.dockerRun()), Dialogue.Ending.CLOSE_STDIN);
            if (round >= 0) { // the first one warms up
                double[] values = {probe.all(), host.ended(), docker.answered(), docker.ended(), probe.create(),
                        probe.all() - probe.create() - probe.over(), probe.firstLine(), probe.over() - probe.firstLine()};
                for (int i = 0; i < values.length; i++) {
                    seconds[i][round] = values[i];
                }
            }
        }
        print(seconds, rounds);
    }

    private void print(double[][] seconds, int rounds) {
        Samples prober = new Samples(seconds[0]);
        Samples host = new Samples(seconds[1]);
        Samples docker = new Samples(seconds[2]);
        report.part("A quick session with " + server.subject().target() + ", " + rounds + " interleaved rounds, median [least .. most]");
        report.time("prober", prober);
        report.time("same frames on this host", host);
        report.time("docker run, to the last answer", docker);
        report.time("docker run, to its end by EOF", new Samples(seconds[3]));
        report.ratio("prober / host", prober, host, 2.0);
        report.ratio("prober / docker run to last answer", prober, docker, 1.0);
        report.time("of the prober: create", new Samples(seconds[4]));
        report.time("               start, store, close", new Samples(seconds[5]));
        report.time("               to the first line", new Samples(seconds[6]));
        report.time("               to the last answer", new Samples(seconds[7]));
    }
}
