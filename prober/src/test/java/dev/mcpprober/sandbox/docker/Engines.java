package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.exception.NotFoundException;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What the integration tests of this package share. They need an engine and say so by failing where there is none. */
final class Engines {
    /** Built where it is not there yet, so that the tests need nothing but an engine. */
    static final String PYTHON = python();

    private Engines() {}

    private static String python() {
        try (ImageStore images = ImageStore.open(System.err::println)) {
            return images.require("python:3.13").tag();
        } catch (EngineException e) {
            throw new IllegalStateException(e);
        }
    }

    static DockerEngine connect() throws EngineException {
        return DockerEngine.connect(runId());
    }

    static String runId() {
        return "it-" + UUID.randomUUID();
    }

    /** The engine's word for the state of a container; empty when it is gone. */
    static Optional<String> stateOf(DockerEngine engine, String container) {
        try {
            return Optional.of(engine.client().inspectContainerCmd(container).exec().getState().getStatus());
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    static SandboxSpec spec(String... argv) {
        return new SandboxSpec(PYTHON, List.of(argv), Map.of("LANG", "C.UTF-8"), "/tmp", SandboxPolicy.probe(), Map.of());
    }

    static SandboxSpec python(String program) {
        return spec("python3", "-c", program);
    }
}
