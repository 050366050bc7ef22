package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.session.Scripts;
import dev.mcpprober.session.SessionScript;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The extractor's view of the scripts is the scripts'. */
class ScriptChecksTest {
    private static final List<SessionScript> ALL = Scripts.all();

    @Test
    void everyProbeOfEveryScriptIsExpected() {
        for (SessionScript script : ALL) {
            Set<String> probes = new TreeSet<>();
            script.steps().forEach(step -> probes.add(step.probe()));
            probes.removeAll(Set.of(Scripts.HANDSHAKE, Scripts.LIVENESS, Scripts.VALID_TWIN, Scripts.SECOND_WRONG_TYPE, Scripts.ALL_TOOLS, Check.ID_ECHO.id()));
            Set<String> expected = new TreeSet<>();
            ScriptChecks.of(script.label()).forEach(check -> expected.add(check.id()));
            Set<String> derived = new TreeSet<>();
            ToolListObserver.CHECKS.forEach(check -> derived.add(check.id()));
            derived.remove(Check.TOOLS_LIST.id());
            expected.removeAll(derived);
            if (script.id().endsWith("quick")) {
                // Seen from the handshake; the quick scripts do not ask for it.
                expected.remove(Check.TOOLS_CAPABILITY.id());
            }
            assertEquals(probes, expected, script.id());
        }
    }

    @Test
    void probesAreChecksOrPreparations() {
        assertEquals(Scripts.HANDSHAKE, Probe.HANDSHAKE);
        assertEquals(Scripts.LIVENESS, Probe.LIVENESS);
        assertEquals(Scripts.VALID_TWIN, Probe.VALID_TWIN);
        assertEquals(Scripts.AUTOPSY, Probe.AUTOPSY);
        assertEquals(Scripts.SECOND_WRONG_TYPE, Probe.SECOND_WRONG_TYPE);
        assertEquals(Scripts.ALL_TOOLS, Probe.ALL_TOOLS);
        for (SessionScript script : ALL) {
            script.steps().forEach(step -> assertTrue(Check.of(step.probe()).isPresent()
                    || Set.of(Scripts.HANDSHAKE, Scripts.LIVENESS, Scripts.VALID_TWIN, Scripts.SECOND_WRONG_TYPE, Scripts.ALL_TOOLS).contains(step.probe()), step.probe()));
        }
    }

    @Test
    void scriptsOfOtherVersionsHaveNoExpectations() {
        assertEquals(List.of(), ScriptChecks.of("unheard-of@3"));
    }

    @Test
    void sessionsWithoutAHandshakeHaveARowForEveryCheckOfTheScript() {
        Seen seen = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize").end(dev.mcpprober.transcript.StepOutcome.DEADLINE).seen();
        for (Check check : ScriptChecks.of("legacy-full@1")) {
            assertEquals(1, seen.rows(check).size(), check.id());
        }
    }
}
