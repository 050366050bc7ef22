package dev.mcpprober.cli.report;

import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.transcript.Event;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code check --format text}: for each finding what was sent, what came back, which text applies to the negotiated revision and
 * what to change. Every piece of server text is escaped, markup included: reports get pasted.
 */
public final class TextReport {
    private static final int QUOTE = 600;
    private static final List<VerdictWord> EXPLAINED = List.of(VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT, VerdictWord.INCONCLUSIVE);
    private final PrintWriter out;
    private final boolean all;

    /** @param all explain passed checks too */
    public TextReport(PrintWriter out, boolean all) {
        this.out = out;
        this.all = all;
    }

    public void print(CheckResult result) {
        head(result);
        for (VerdictWord word : all ? Stream.concat(EXPLAINED.stream(), Stream.of(VerdictWord.PASS)).toList() : EXPLAINED) {
            result.graded().stream().filter(g -> g.verdict().word().equals(word.id())).forEach(g -> finding(g, result.witnesses()));
        }
        tail(result);
    }

    private void head(CheckResult result) {
        CheckResult.TargetNames target = result.target();
        out.println("target   " + quote(target.purl() != null ? target.purl() : target.name()));
        result.install().ifPresent(install -> {
            out.println("install  " + install.outcome() + String.format(Locale.ROOT, " in %.1f s", install.seconds())
                    + (install.detail().isEmpty() ? "" : ": " + quote(install.detail())));
            if (!install.entryPoint().isEmpty()) {
                out.println("started  " + quote(String.join(" ", install.entryPoint())));
            }
            install.sdk().ifPresent(sdk -> out.println("sdk      " + sdk.family() + (sdk.version() == null ? "" : " " + quote(sdk.version()))
                    + " (" + quote(sdk.evidence()) + ")"));
        });
        result.observed().ifPresent(observed -> {
            TargetObservations.SessionSummary session = observed.session();
            if (session.handshake()) {
                out.println("session  " + session.name() + ", offered " + session.offeredRevision() + ", agreed on " + quote(session.protocolVersion())
                        + (session.serverName() == null ? "" : ", server " + quote(session.serverName()) + " " + quote(String.valueOf(session.serverVersion())))
                        + (session.toolCount() == null ? "" : ", " + session.toolCount() + " tools"));
            }
            observed.startup().ifPresent(failure -> {
                out.println();
                out.println("no session: " + failure.kind() + ": " + quote(failure.detail()));
                frames(failure.session(), failure.witness(), result.witnesses());
            });
        });
        out.println();
    }

    private void finding(Graded graded, Witnesses witnesses) {
        Observation observation = graded.observation();
        Subject subject = observation.subject();
        out.println(graded.verdict().word() + "  " + subject.check() + " (" + graded.ruleSet() + ", " + graded.level() + ")"
                + (subject.tool() == null ? "" : "  tool " + quote(subject.tool()))
                + (subject.property() == null ? "" : ", argument " + quote(subject.property())));
        frames(subject.session(), observation.witness(), witnesses);
        out.println("  observed  " + observation.observed() + codeAndConsequence(observation)
                + (observation.detail().isEmpty() ? "" : ": " + quote(observation.detail())));
        out.println("  verdict   " + graded.verdict().note());
        out.println("  requires  " + graded.requirement());
        out.println("            " + (subject.revision().isEmpty() ? "" : quote(subject.revision()) + ", ") + graded.citation());
        if (!graded.fix().isEmpty()) {
            out.println("  change    " + graded.fix());
        }
        out.println();
    }

    private static String codeAndConsequence(Observation observation) {
        if (observation instanceof Observation.Reaction reaction) {
            return (reaction.code() == null ? "" : " " + reaction.code()) + (reaction.consequence() == null ? "" : ", " + reaction.consequence());
        }
        return "";
    }

    private void frames(String session, List<Integer> witness, Witnesses witnesses) {
        String place = " [" + session + "#";
        for (Event event : witnesses.shown(session, witness)) {
            int index = event.index();
            if (event instanceof Event.Sent sent) {
                out.println("  sent      " + quote(line(sent.bytes())) + place + index + "]");
            } else if (event instanceof Event.Received received) {
                out.println("  received  " + quote(line(received.bytes())) + (received.terminated() ? "" : " (no line end)") + place + index + "]");
            } else if (event instanceof Event.Stderr stderr) {
                out.println("  stderr    " + quote(line(stderr.bytes())) + place + index + "]");
            } else if (event instanceof Event.Terminated end) {
                out.println("  ended     " + end.how() + " " + end.status() + place + index + "]");
            } else if (event instanceof Event.StepEnded ended) {
                out.println("  waited    " + ended.outcome().id() + " after " + witnesses.waitedMs(session, ended) + " ms" + place + index + "]");
            } else if (event instanceof Event.StdoutClosed) {
                out.println("  closed    stdout" + place + index + "]");
            } else if (event instanceof Event.SignalSent signal) {
                out.println("  signal    " + signal.signal() + place + index + "]");
            } else if (event instanceof Event.StdinClosed) {
                out.println("  closed    stdin" + place + index + "]");
            }
        }
        if (witness.size() > Witnesses.SHOWN) {
            out.println("  …         " + (witness.size() - Witnesses.SHOWN) + " more events; the transcript has them");
        }
    }

    private void tail(CheckResult result) {
        for (VerdictWord word : List.of(VerdictWord.PASS, VerdictWord.NOT_APPLICABLE, VerdictWord.NOT_RUN)) {
            List<Graded> of = result.graded().stream().filter(g -> g.verdict().word().equals(word.id())).toList();
            if (!of.isEmpty()) {
                out.println(word.id() + ": " + of.stream().map(TextReport::brief).distinct().collect(Collectors.joining(", ")));
            }
        }
        out.println();
        out.println(Stream.of(VerdictWord.values()).map(word -> result.count(word.id()) + " " + word.id()).collect(Collectors.joining(", "))
                + "  (" + String.join(", ", result.ruleLabels()) + ")");
        result.transcripts().forEach(file -> out.println("transcript " + quote(file)));
        out.flush();
    }

    private static String brief(Graded graded) {
        boolean reason = graded.verdict().word().equals(VerdictWord.NOT_RUN.id()) || graded.verdict().word().equals(VerdictWord.NOT_APPLICABLE.id());
        String note = graded.observation() instanceof Observation.NotRun notRun ? notRun.reason() : graded.verdict().note();
        return graded.observation().subject().check() + (reason && !note.isEmpty() ? " (" + quote(note) + ")" : "");
    }

    private static String line(byte[] bytes) {
        return new String(bytes, 0, Math.min(bytes.length, 4 * QUOTE), StandardCharsets.UTF_8).stripTrailing();
    }

    private static String quote(String hostile) {
        return Printable.text(hostile, QUOTE).replace("<", "\\u003c");
    }
}
