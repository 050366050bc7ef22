package dev.mcpprober.cli.report;

import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Results of checks for tests of the reports: one row of each verdict, all text of the server as nasty as it gets. */
public final class Samples {
    /** Ends terminal lines, XML, HTML, tables, code spans and code fences, and names somebody. */
    public static final String HOSTILE = "\u001b[2J\u0007\u0000\u009b|`````]]>--></code></pre><script>alert(1)</script>\r\n# forged @everyone https://x.invalid \u202e\ud800\ufffe";

    private Samples() {}

    public static RuleSet rules() {
        StringBuilder text = new StringBuilder("id: mine\nversion: 3\ntitle: \"Mine\"\nrules:\n");
        for (String check : List.of("tools-call-wrong-type", "tools-call-unknown", "ping", "tools-list", "method-not-found", "tools-call-no-name", "server-initialize")) {
            text.append("  - check: ").append(check).append("\n    level: must\n    revisions: {2025-06-18: \"here#").append(check).append("\"}\n")
                    .append("    requirement: \"Asked\\e[2J for <b>it</b>\"\n    fix: Mend it.\n    comment: Because | of `that`.\n")
                    .append("    outcomes:\n      - {verdict: fail, note: \"Not\\u0007 so <i>at</i> all.\"}\n");
        }
        try {
            return RuleSetParser.parse("mine.yaml", text.toString());
        } catch (dev.mcpprober.rules.RuleSetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    public static Graded row(String check, String tool, VerdictWord verdict, String observed) {
        Subject subject = new Subject(check, "legacy", Era.LEGACY, "2025-06-18", tool, tool == null ? null : "arg" + HOSTILE, false);
        Observation observation = verdict == VerdictWord.NOT_RUN ? new Observation.NotRun(subject, "no tool", "", List.of())
                : new Observation.Reaction(subject, observed, -32602L, Set.of(), null, "said " + HOSTILE, List.of(1, 2, 3));
        return new Graded(observation, "mine@3", verdict.with("Not\u0007 so <i>at</i> all."), "must", "Asked\u001b[2J for <b>it</b>", "here#" + check, "Mend it.");
    }

    /** One row of each verdict. */
    public static List<Graded> rows() {
        return List.of(row("tools-call-wrong-type", "tool" + HOSTILE, VerdictWord.FAIL, "success"), row("tools-call-wrong-type", "other", VerdictWord.FAIL, "success"),
                row("tools-call-unknown", null, VerdictWord.WARN, "result"), row("ping", null, VerdictWord.DIVERGENT, "result"),
                row("tools-list", null, VerdictWord.PASS, "result"), row("method-not-found", null, VerdictWord.INCONCLUSIVE, "result"),
                row("tools-call-no-name", null, VerdictWord.NOT_RUN, ""));
    }

    public static CheckResult result(Path folder, List<Graded> rows, Optional<TargetObservations.StartupFailure> startup) throws Exception {
        Path file = folder.resolve("legacy.jsonl.gz");
        TranscriptHeader header = new TranscriptHeader("a", "k", "t", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25", List.of("x"), "", "host", "0", "2026-01-01T00:00:00Z", 1, 1, 1);
        try (TranscriptWriter out = new TranscriptWriter(file, header)) {
            out.write(new Event.Started(0, 0, List.of("x")));
            out.write(new Event.Sent(1, 1, "s", "{\"id\":4}\n".getBytes(StandardCharsets.UTF_8)));
            out.write(new Event.Received(2, 2, HOSTILE.getBytes(StandardCharsets.UTF_8), true, 9));
            out.write(new Event.Stderr(3, 3, HOSTILE.getBytes(StandardCharsets.UTF_8), 0));
            out.finish();
        }
        TargetObservations observed = new TargetObservations(EnumSet.of(Era.LEGACY), new TargetObservations.SessionSummary(startup.isEmpty(), "legacy", "2025-11-25",
                HOSTILE, HOSTILE, HOSTILE, 1), startup, rows.stream().map(Graded::observation).toList());
        return new CheckResult(new CheckResult.TargetNames(null, "command", "run " + HOSTILE, null, "a%20b/server.py"), Optional.empty(), Optional.of(observed),
                List.of(rules()), rows, CheckResult.Repeats.NONE, Witnesses.of(rows, startup, Map.of("legacy", file)), List.of());
    }

    public static Optional<TargetObservations.StartupFailure> startup() {
        return Optional.of(new TargetObservations.StartupFailure("needs-config", "GREETER_KEY, --city" + HOSTILE + ": set " + HOSTILE, "legacy", List.of(1, 3)));
    }
}
