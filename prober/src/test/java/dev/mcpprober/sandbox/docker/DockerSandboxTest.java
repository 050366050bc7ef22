package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.Termination;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DockerSandboxTest {
    @Test
    void theMarkAloneIsNotAnOomKill() {
        assertEquals(new Termination.OomKilled(), DockerSandbox.classify(137, true, false, false));
        assertEquals(new Termination.Exited(0), DockerSandbox.classify(0, true, false, false), "only a child was killed");
        assertEquals(new Termination.Signalled(9), DockerSandbox.classify(137, false, false, false));
    }

    @Test
    void statusesOver128AreSignals() {
        assertEquals(new Termination.Signalled(11), DockerSandbox.classify(139, false, false, false));
        assertEquals(new Termination.Exited(127), DockerSandbox.classify(127, false, false, false));
        assertEquals(new Termination.Exited(128), DockerSandbox.classify(128, false, false, false));
        assertEquals(new Termination.Exited(255), DockerSandbox.classify(255, false, false, false));
    }

    @Test
    void afterOurSignalWeStoppedIt() {
        assertEquals(new Termination.Stopped(), DockerSandbox.classify(143, false, true, false));
        assertEquals(new Termination.Stopped(), DockerSandbox.classify(9, false, true, false));
        assertEquals(new Termination.Stopped(), DockerSandbox.classify(137, true, true, true));
        assertEquals(new Termination.OomKilled(), DockerSandbox.classify(137, true, true, false), "SIGTERM does not make 137");
    }

    @Test
    void anEndThatOthersBroughtAboutIsNotTheServers() {
        assertEquals(Optional.empty(), DockerSandbox.disturbance("c", false, ""));
        Fault killed = DockerSandbox.disturbance("c", false, "9").orElseThrow();
        assertTrue(killed instanceof Fault.EngineError && killed.detail().contains("signal 9"), killed.toString());
        assertTrue(DockerSandbox.disturbance("c", true, "15").orElseThrow() instanceof Fault.EngineUnavailable, "the whole machine's, not charged to the server");
    }
}
