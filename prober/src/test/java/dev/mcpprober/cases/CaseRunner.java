package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.ScriptedServer;
import dev.mcpprober.session.SessionDriver;
import dev.mcpprober.session.SessionFacts;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.Step;
import dev.mcpprober.session.ToolBudget;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Runs the sessions of the full profile against a case's server in memory, and keeps their transcripts as text without real times. */
final class CaseRunner {
    private static final SessionLimits SHORT = new SessionLimits(Duration.ofMillis(120), Duration.ofMillis(60), Duration.ofSeconds(20),
            Duration.ofMillis(30), Duration.ofMillis(40), 1 << 13, 1 << 20, 1_000, 4096);

    private CaseRunner() {}

    /** Takes all generated cases away. */
    static void clear() throws IOException {
        Path all = GoldenCase.ROOT.resolve("generated");
        if (Files.isDirectory(all)) {
            try (Stream<Path> files = Files.walk(all)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Makes the folder of {@code spec}, with transcripts only. */
    static GoldenCase write(CaseSpec spec) throws Exception {
        Path folder = GoldenCase.ROOT.resolve("generated").resolve(spec.name());
        Files.createDirectories(folder);
        List<SessionFacts> done = new ArrayList<>();
        int number = 1;
        for (PlannedSession session = next(done); session != null; session = next(done)) {
            Path packed = Files.createTempFile("case", ".gz");
            ScriptedServer server = new ScriptedServer(new CaseServer(spec));
            spec.start().accept(server);
            try (TranscriptWriter out = new TranscriptWriter(packed, header(spec, session))) {
                new SessionDriver(session.script(), SHORT, header(spec, session), false).run(server, out);
                out.finish();
            }
            done.add(SessionFacts.read(packed));
            if (spec.keep().isEmpty() || spec.keep().contains(session.name().replaceFirst("\\.\\d+$", ""))) {
                Files.writeString(folder.resolve(String.format("%02d-%s.jsonl", number++, session.name())), timeless(packed), StandardCharsets.UTF_8);
            }
            Files.delete(packed);
        }
        return new GoldenCase(folder);
    }

    /** Of a census with every session that there is; null when it is done. */
    private static PlannedSession next(List<SessionFacts> done) {
        return SessionPlan.next(Profile.FULL_VERSIONS, ToolBudget.DEFAULT, done).orElse(null);
    }

    private static TranscriptHeader header(CaseSpec spec, PlannedSession session) {
        Step first = session.script().steps().get(0);
        String offered = first instanceof Step.Initialize initialize ? initialize.revision() : first instanceof Step.Discover discover ? discover.revision()
                : session.script().era() == Era.LEGACY ? ProtocolRevision.NEWEST_LEGACY.date() : ProtocolRevision.NEWEST_MODERN.date();
        return new TranscriptHeader("case", "0123456789abcdef", "case:" + spec.name(), session.name(), session.script().label(), session.script().era(),
                offered, List.of("case-server"), "", "memory", "0", "2026-12-01T00:00:00Z", SHORT.start().toMillis(), SHORT.request().toMillis(),
                SHORT.session().toMillis());
    }

    /** A millisecond from event to event, so that the same session is the same text. */
    private static String timeless(Path packed) throws Exception {
        StringBuilder out = new StringBuilder();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                JsonNode event = ((Json.Parsed.Value) Json.parse(line)).node();
                if (event.has("t")) {
                    ((ObjectNode) event).put("t", 1_000_000L * event.path("i").asInt());
                }
                out.append(Json.write(event)).append('\n');
            }
        }
        return out.toString();
    }
}
