package dev.mcpprober.session;

import dev.mcpprober.io.CpuPressure;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.WorkKey;
import dev.mcpprober.redaction.Known;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.transcript.Planted;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs planned sessions, each in a sandbox of its own, into transcript files. Safe for use by several threads.
 *
 * <p>Fault contract: an {@link EngineException} or {@link IOException} means that nothing was measured and no file was left; it
 * is never thrown for what the server did.
 */
public final class SessionRunner {
    private final SandboxEngine engine;
    private final SessionLimits limits;
    private final String proberVersion;
    private final Redactor redactor;
    private final Supplier<Optional<CpuPressure>> pressure;

    /** With the limits as they are, whatever else this host does. */
    public SessionRunner(SandboxEngine engine, SessionLimits limits, String proberVersion, Redactor redactor) {
        this(engine, limits, proberVersion, redactor, Optional::empty);
    }

    /**
     * @param redactor what is taken out of transcripts before they are written, besides what each session's server was given
     * @param pressure on the processors of the engine's host, empty where that is not known: where they are overrun, servers get more time
     */
    public SessionRunner(SandboxEngine engine, SessionLimits limits, String proberVersion, Redactor redactor, Supplier<Optional<CpuPressure>> pressure) {
        this.pressure = pressure;
        this.engine = engine;
        this.limits = limits;
        this.proberVersion = proberVersion;
        this.redactor = redactor;
    }

    /** The key of one session of one target; {@code repeat} counts from 0. */
    public static WorkKey workKey(ProbeSubject subject, PlannedSession session, int repeat) {
        String isolation = subject.onHost() ? subject.harmlessOnly() ? "host" : "host, with effects" : subject.spec().policy().canonical();
        return WorkKey.of(subject.artefactDigest(), session.workLabel(), session.script().era(), Digests.sha256(isolation), subject.imageDigest(), repeat);
    }

    /** A sandbox for the next session of {@code subject}, created but not started; may be made ahead while another one runs. */
    public Sandbox prepare(ProbeSubject subject) throws EngineException {
        SandboxSpec spec = subject.spec();
        Map<String, String> env = new HashMap<>(spec.env());
        env.put(Planted.NAME, Planted.VALUE);
        return engine.create(new SandboxSpec(spec.image(), spec.argv(), env, spec.workdir(), spec.policy(), spec.labels()));
    }

    /** Runs the session in {@code sandbox}, which it closes, stores its transcript in {@code file} and returns what that tells the plan. */
    public SessionFacts run(ProbeSubject subject, PlannedSession session, Sandbox sandbox, String attempt, WorkKey key, Path file)
            throws EngineException, IOException {
        TranscriptHeader header = new TranscriptHeader(attempt, key.hex(), subject.target(), session.name(), session.script().label(),
                session.script().era(), offered(session.script()), subject.spec().argv(), subject.imageDigest(),
                subject.onHost() ? "host" : subject.spec().policy().canonical(), proberVersion, Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
                limits.start().toMillis(), limits.request().toMillis(), limits.session().toMillis());
        try (sandbox; TranscriptWriter out = new TranscriptWriter(file, header, redactor(subject, sandbox))) {
            new SessionDriver(session.script(), limits, header, subject.harmlessOnly(), pressure).run(sandbox, out);
            out.finish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("the session was interrupted"), e);
        }
        return SessionFacts.read(file);
    }

    private Redactor redactor(ProbeSubject subject, Sandbox sandbox) {
        Map<String, String> given = new HashMap<>(subject.spec().env());
        List<Known> known = new ArrayList<>();
        if (subject.onHost()) {
            // It inherits all that the user's shell has; of that, what has the name of a secret.
            known.addAll(Known.inherited(given));
            given.entrySet().removeIf(variable -> variable.getValue().equals(System.getenv(variable.getKey())));
        }
        known.addAll(Known.variables(given));
        known.addAll(Known.arguments(subject.spec().argv()));
        known.addAll(Known.container(sandbox.id()));
        return redactor.knowing(known);
    }

    private static String offered(SessionScript script) {
        Step first = script.steps().get(0);
        if (first instanceof Step.Initialize initialize) {
            return initialize.revision();
        }
        return ((Step.Discover) first).revision();
    }
}
