package dev.mcpprober.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.mcpprober.transcript.StepOutcome;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Every written word of a closed set is read back as itself. */
class ClosedSetsTest {
    @Test
    void wordsRoundTrip() {
        Arrays.stream(Era.values()).forEach(era -> assertEquals(era, Era.of(era.id())));
        Arrays.stream(SdkFamily.values()).forEach(family -> assertEquals(family, SdkFamily.of(family.id())));
        Arrays.stream(StepOutcome.values()).forEach(outcome -> assertEquals(outcome, StepOutcome.of(outcome.id())));
        Arrays.stream(ProtocolRevision.values()).forEach(revision -> assertEquals(revision, ProtocolRevision.of(revision.date()).orElseThrow()));
        assertThrows(IllegalArgumentException.class, () -> Era.of("future"));
    }

    @Test
    void aWorkKeyChangesWithEveryPartOfIt() {
        WorkKey key = WorkKey.of("a", "s@1", Era.LEGACY, "p", "i", 0);
        assertEquals(key, WorkKey.of("a", "s@1", Era.LEGACY, "p", "i", 0));
        assertNotEquals(key, WorkKey.of("b", "s@1", Era.LEGACY, "p", "i", 0));
        assertNotEquals(key, WorkKey.of("a", "s@2", Era.LEGACY, "p", "i", 0));
        assertNotEquals(key, WorkKey.of("a", "s@1", Era.MODERN, "p", "i", 0));
        assertNotEquals(key, WorkKey.of("a", "s@1", Era.LEGACY, "q", "i", 0));
        assertNotEquals(key, WorkKey.of("a", "s@1", Era.LEGACY, "p", "j", 0));
        assertNotEquals(key, WorkKey.of("a", "s@1", Era.LEGACY, "p", "i", 1));
    }
}
