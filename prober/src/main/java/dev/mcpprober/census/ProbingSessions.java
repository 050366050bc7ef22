package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.RepeatedPlan;
import dev.mcpprober.session.SessionFacts;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Sessions in real sandboxes by the session plan. While one session runs, the sandbox of the one that will follow it, if the server
 * behaves, is being created.
 */
public final class ProbingSessions implements TargetSessions, AutoCloseable {
    private static final long CLEANUP_SECONDS = 60;

    private final SessionRunner runner;
    private final Profile profile;
    private final ToolBudget budget;
    private final SandboxPolicy policy;
    private final int times;
    private final ExecutorService background = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "sandbox-ahead");
        thread.setDaemon(true);
        return thread;
    });

    /** @param times how often each target's plan is gone through */
    public ProbingSessions(SessionRunner runner, Profile profile, ToolBudget budget, SandboxPolicy policy, int times) {
        this.runner = runner;
        this.profile = profile;
        this.budget = budget;
        this.policy = policy;
        this.times = times;
    }

    @Override
    public Sequence begin(FrameEntry entry, Installation installation) {
        SandboxSpec spec = new SandboxSpec(installation.image(), installation.argv(), entry.env(), installation.workdir(), policy, Map.of());
        // The same package started in another way is another unit of work.
        String artefact = Digests.sha256(String.join("\n", installation.artefactDigest(), entry.id(), entry.argsJson(), entry.envJson(),
                String.join("\u0000", installation.argv())));
        return new Run(new ProbeSubject(installation.target(), artefact, installation.image(), spec, false));
    }

    /** Waits until every sandbox that was made ahead and not used is gone. */
    @Override
    public void close() {
        background.shutdown();
        boolean interrupted = false;
        try {
            background.awaitTermination(CLEANUP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Run implements Sequence {
        private final ProbeSubject subject;
        private final RepeatedPlan plan = new RepeatedPlan(profile, budget, times);
        private PlannedSession planned;
        private Future<Sandbox> ahead;
        private Path lastFile;
        private SessionFacts lastFacts;

        Run(ProbeSubject subject) {
            this.subject = subject;
        }

        @Override
        public Optional<Due> next() {
            Optional<PlannedSession> next = plan.next();
            planned = next.orElse(null);
            return next.map(session -> new Due(SessionRunner.workKey(subject, session, plan.repeat()), session.name(), session.workLabel()));
        }

        @Override
        public void run(Due due, Attempt attempt) throws EngineException, IOException, InterruptedException {
            Sandbox sandbox = sandbox();
            if (plan.anotherIsLikely(planned)) {
                ahead = background.submit(() -> runner.prepare(subject));
            }
            lastFacts = runner.run(subject, planned, sandbox, attempt.id(), due.key(), attempt.transcript());
            lastFile = attempt.transcript();
        }

        private Sandbox sandbox() throws EngineException, InterruptedException {
            if (ahead == null) {
                return runner.prepare(subject);
            }
            Future<Sandbox> prepared = ahead;
            try {
                Sandbox sandbox = prepared.get();
                ahead = null;
                return sandbox;
            } catch (ExecutionException e) {
                ahead = null;
                if (e.getCause() instanceof EngineException fault) {
                    throw fault;
                }
                throw new EngineException(new Fault.ProberDefect("creating a sandbox ahead: " + e.getCause()), e);
            }
        }

        @Override
        public void accept(Path transcript) throws IOException {
            plan.done(transcript.equals(lastFile) ? lastFacts : SessionFacts.read(transcript));
        }

        @Override
        public boolean started() {
            return plan.standing().stream().anyMatch(SessionFacts::agreed);
        }

        @Override
        public String summary() {
            List<SessionFacts> done = plan.standing();
            String agreed = done.stream().filter(SessionFacts::agreed).map(SessionFacts::name)
                    .filter(name -> name.equals("legacy") || name.equals("modern")).collect(Collectors.joining(" and "));
            String count = (done.size() == 1 ? "1 session" : done.size() + " sessions") + (times == 1 ? "" : ", " + times + " times");
            return started() ? (agreed.isEmpty() ? "modern" : agreed) + ", " + count : "no session came about, " + count;
        }

        @Override
        public void close() {
            if (ahead != null) {
                Future<Sandbox> unused = ahead;
                ahead = null;
                background.submit(() -> {
                    unused.get().close();
                    return null;
                });
            }
        }
    }
}
