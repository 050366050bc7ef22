package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.CpuPressure;
import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host that is overrun or is not, and a server that reacts only once its time limit has passed: it sees that by the look at the host. */
@Timeout(60)
class FairTimeTest {
    private static final SessionLimits SHORT = new SessionLimits(Duration.ofMillis(150), Duration.ofMillis(150), Duration.ofSeconds(20),
            Duration.ofMillis(20), Duration.ofMillis(150), 1 << 16, 1 << 20, 1_000, 64);

    private static final TranscriptHeader HEADER = new TranscriptHeader("a1", "0123456789abcdef", "t", "legacy", Scripts.LEGACY_QUICK.label(), Era.LEGACY,
            "2025-11-25", List.of("server"), "", "host", "0", "2026-01-01T00:00:00Z", 1, 1, 1);

    @TempDir Path folder;
    private final List<JsonNode> asked = new ArrayList<>();
    private ScriptedServer server = server();
    private int looks;

    private ScriptedServer server() {
        return new ScriptedServer((line, it) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("method").asText().equals("initialize")) {
                asked.add(message.path("id"));
            } else {
                SessionDriverTest.answer(message, it);
            }
        });
    }

    /** Something has waited all the time. */
    private static Optional<CpuPressure> overrun(double perProcessor) {
        return Optional.of(new CpuPressure(100, System.nanoTime() / 1000, perProcessor));
    }

    private Transcript run(Supplier<Optional<CpuPressure>> pressure) throws Exception {
        Path file = folder.resolve("t.jsonl.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, HEADER)) {
            new SessionDriver(Scripts.LEGACY_QUICK, SHORT, HEADER, false, pressure).run(server, out);
            out.finish();
        }
        return TranscriptReader.read(file);
    }

    private static List<Event.DeadlineExtended> extensions(Transcript transcript) {
        return transcript.events().stream().filter(Event.DeadlineExtended.class::isInstance).map(Event.DeadlineExtended.class::cast).toList();
    }

    private static List<StepOutcome> outcomes(Transcript transcript, String step) {
        return transcript.events().stream().filter(e -> e instanceof Event.StepEnded ended && ended.step().equals(step)).map(e -> ((Event.StepEnded) e).outcome()).toList();
    }

    private static String firstStep(Transcript transcript) {
        return ((Event.StepBegan) transcript.events().get(1)).step();
    }

    @Test
    void anOverrunHostGivesTheTimeAgainAndSaysSo() throws Exception {
        Transcript transcript = run(() -> {
            if (++looks == 2) {
                server.reply(asked.get(0), "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
            }
            return overrun(3.456);
        });
        assertEquals(List.of(StepOutcome.REPLIED), outcomes(transcript, firstStep(transcript)));
        Event.DeadlineExtended extended = extensions(transcript).get(0);
        assertEquals(150, extended.byMillis());
        assertTrue(extended.waitedPercent() >= 90, extended.toString());
        assertEquals(3.46, extended.perProcessor());
        assertTrue(SessionFacts.of(transcript).agreed());
    }

    @Test
    void aHostThatIsNotOverrunGivesNone() throws Exception {
        for (Supplier<Optional<CpuPressure>> pressure : List.<Supplier<Optional<CpuPressure>>>of(Optional::empty, () -> overrun(1.9),
                () -> Optional.of(new CpuPressure(100, 7, 9)))) {
            server = server();
            Transcript transcript = run(pressure);
            assertEquals(List.of(), extensions(transcript));
            assertEquals(List.of(StepOutcome.DEADLINE), outcomes(transcript, firstStep(transcript)));
        }
    }

    @Test
    void noServerGetsMoreThanFourTimesItsTime() throws Exception {
        server.exitsOnEof = false;
        Transcript transcript = run(() -> overrun(9));
        List<Integer> steps = transcript.events().stream().filter(Event.StepBegan.class::isInstance).map(Event::index).toList();
        assertEquals(3, extensions(transcript).stream().filter(e -> e.index() < steps.get(1)).count());
        assertEquals(6, extensions(transcript).size(), "the same for its end");
        assertEquals(List.of(StepOutcome.DEADLINE), outcomes(transcript, firstStep(transcript)));
        assertFalse(SessionFacts.of(transcript).agreed());
    }

    @Test
    void theSessionsOwnTimeGrowsByWhatWasGivenAndNotForEver() throws Exception {
        long origin = System.nanoTime();
        try (TranscriptWriter out = new TranscriptWriter(folder.resolve("t.jsonl.gz"), HEADER)) {
            // As if a second had passed between any two looks.
            FairTime time = new FairTime(new Recorder(out, origin), () -> Optional.of(new CpuPressure(100, 1_000_000L * ++looks, 9)), origin, Duration.ofSeconds(10));
            assertEquals(Duration.ofSeconds(10).toNanos(), time.sessionEnd() - origin);
            assertTrue(time.fairly(Duration.ofSeconds(6)).extended());
            assertEquals(Duration.ofSeconds(16).toNanos(), time.sessionEnd() - origin);
            for (int i = 0; i < 9; i++) {
                assertTrue(time.fairly(Duration.ofSeconds(6)).extended());
            }
            assertEquals(Duration.ofSeconds(40).toNanos(), time.sessionEnd() - origin);
            assertFalse(time.briefly(Duration.ofSeconds(6)).extended());
            out.finish();
        }
    }
}
