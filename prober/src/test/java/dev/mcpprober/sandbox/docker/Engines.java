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
    private static String image = System.getProperty("prober.test.image");

    private Engines() {}

    /** The project's Python image, made where it is missing. */
    static synchronized String image() throws EngineException {
        if (image == null) {
            try (ImageStore store = ImageStore.open(System.err::println)) {
                image = store.require("python:3.13").id();
            }
        }
        return image;
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

    static SandboxSpec spec(String... argv) throws EngineException {
        return new SandboxSpec(image(), List.of(argv), Map.of("LANG", "C.UTF-8"), "/tmp", SandboxPolicy.probe(), Map.of());
    }

    static SandboxSpec python(String program) throws EngineException {
        return spec("python3", "-c", program);
    }
}
