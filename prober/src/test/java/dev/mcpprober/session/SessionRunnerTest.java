package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.transcript.Planted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionRunnerTest {
    @Test
    void everyServerFindsThePlantedVariableBesideItsOwn() throws Exception {
        List<SandboxSpec> created = new ArrayList<>();
        SandboxEngine engine = new SandboxEngine() {
            @Override
            public Sandbox create(SandboxSpec spec) {
                created.add(spec);
                return new ScriptedServer((line, server) -> { });
            }

            @Override
            public String describe() {
                return "none";
            }

            @Override
            public void close() {}
        };
        SandboxSpec spec = new SandboxSpec("image", List.of("server"), Map.of("REGION", "eu"), "/tmp", SandboxPolicy.probe(), Map.of("label", "x"));
        new SessionRunner(engine, SessionLimits.DEFAULT, "0", Redactor.NONE).prepare(new ProbeSubject("t", "d", "i", spec, false)).close();
        assertEquals(Map.of("REGION", "eu", Planted.NAME, Planted.VALUE), created.get(0).env());
        assertEquals(new SandboxSpec(spec.image(), spec.argv(), created.get(0).env(), spec.workdir(), spec.policy(), spec.labels()), created.get(0));
    }
}
