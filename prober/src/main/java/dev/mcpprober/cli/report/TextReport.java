package dev.mcpprober.cli.report;

import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.dataset.Flaky;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code check --format text}: for each finding what was sent, what came back, which text applies to the negotiated revision and
 * what to change. Every piece of server text is escaped, markup included: reports get pasted.
 */
final class TextReport {
    private static final List<VerdictWord> EXPLAINED = List.of(VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT, VerdictWord.INCONCLUSIVE);
    /** Tools named with a finding that is explained for another one. */
    private static final int ALSO = 12;
    private final PrintWriter out;
    private final boolean all;

    /** @param all explain passed checks too */
    TextReport(PrintWriter out, boolean all) {
        this.out = out;
        this.all = all;
    }

    void print(CheckResult result, Gate gate) {
        head(result);
        for (VerdictWord word : all ? Stream.concat(EXPLAINED.stream(), Stream.of(VerdictWord.PASS)).toList() : EXPLAINED) {
            Map<List<Object>, List<Graded>> alike = new LinkedHashMap<>();
            result.graded().stream().filter(g -> g.verdict().word().equals(word.id())).forEach(g -> alike.computeIfAbsent(kind(g, gate), k -> new ArrayList<>()).add(g));
            alike.values().forEach(same -> finding(same, result, gate));
        }
        result.repeats().flaky().forEach(flaky -> flaky(flaky, result.witnesses()));
        tail(result, gate);
    }

    private void flaky(Flaky flaky, Witnesses witnesses) {
        out.println("flaky  " + FindingText.title(flaky.stands()) + "  " + flaky.words().stream().map(word -> word == null ? "no verdict" : word).collect(Collectors.joining(", ")));
        for (Graded graded : List.of(flaky.stands(), flaky.other())) {
            indented(FindingText.line(graded.verdict().word(), graded == flaky.stands() ? "the first time; this verdict stands" : "repeat " + flaky.repeat()));
            witnesses.lines(graded.observation().subject().session(), graded.observation().witness()).forEach(this::indented);
            indented(FindingText.line("observed", FindingText.observed(graded.observation())));
        }
        out.println();
    }

    private void head(CheckResult result) {
        out.println("target   " + Quote.text(result.label()));
        result.install().ifPresent(install -> {
            out.println("install  " + install.outcome() + String.format(Locale.ROOT, " in %.1f s", install.seconds())
                    + (install.reused() ? " by an earlier run, reused now" : "")
                    + (install.detail().isEmpty() ? "" : ": " + Quote.text(install.detail())));
            if (!install.entryPoint().isEmpty()) {
                out.println("started  " + Quote.text(String.join(" ", install.entryPoint())));
            }
            install.sdk().ifPresent(sdk -> out.println("sdk      " + sdk.family() + (sdk.version() == null ? "" : " " + Quote.text(sdk.version()))
                    + " (" + Quote.text(sdk.evidence()) + ")"));
        });
        result.observed().ifPresent(observed -> {
            TargetObservations.SessionSummary session = observed.session();
            if (session.handshake()) {
                out.println("session  " + session.name() + ", offered " + session.offeredRevision() + ", agreed on " + Quote.text(session.protocolVersion())
                        + (session.serverName() == null ? "" : ", server " + Quote.text(session.serverName()) + " " + Quote.text(String.valueOf(session.serverVersion())))
                        + (session.toolCount() == null ? "" : ", " + CheckResult.tools(session.toolCount())));
            }
        });
        result.observed().map(TargetObservations::offers).filter(offers -> offers.size() > 1).ifPresent(offers -> {
            out.println("versions offered     answered");
            offers.forEach(offer -> out.println("         " + offer.offered() + "  " + (offer.answered() == null ? "none: " + offer.met() : Quote.text(offer.answered()))));
        });
        if (!result.repeats().startAlike()) {
            out.println("starts   not alike each time: " + String.join(", ", result.repeats().starts()));
        }
        if (result.startupFailure().isPresent()) {
            out.println();
            out.println("no session: " + result.startupFailure().get());
            result.startupText().forEach(this::indented);
        }
        out.println();
    }

    /** The same verdict for the same reason on several tools is explained once. */
    private static List<Object> kind(Graded graded, Gate gate) {
        Subject subject = graded.observation().subject();
        return subject.tool() == null ? List.of(graded) : List.of(graded.ruleSet(), subject.check(), subject.era(), graded.verdict().note(), gate.isKnown(graded));
    }

    private void finding(List<Graded> alike, CheckResult result, Gate gate) {
        Graded graded = alike.get(0);
        out.println(graded.verdict().word() + "  " + FindingText.title(graded) + otherRevision(graded, result) + (gate.isKnown(graded) ? "  [baselined]" : ""));
        FindingText.body(graded, result.witnesses()).forEach(this::indented);
        List<Graded> others = alike.subList(1, alike.size());
        if (!others.isEmpty()) {
            String named = others.stream().limit(ALSO).map(other -> FindingText.about(other.observation().subject(), "")).collect(Collectors.joining("; "));
            indented(FindingText.line("also", named + (others.size() > ALSO ? " and " + (others.size() - ALSO) + " more (--format json has them all)" : "")));
        }
        out.println();
    }

    /** Said where it is another one than that of the head, which readers take for everything's: a batch under 2025-03-26, the modern era. */
    private static String otherRevision(Graded graded, CheckResult result) {
        String revision = graded.observation().subject().revision();
        boolean other = result.observed().map(TargetObservations::session).filter(session -> session.handshake() && !revision.equals(session.protocolVersion())).isPresent();
        return revision.isEmpty() || !other ? "" : "  under revision " + Quote.text(revision);
    }

    private void indented(String line) {
        out.println("  " + line);
    }

    private void tail(CheckResult result, Gate gate) {
        for (VerdictWord word : List.of(VerdictWord.PASS, VerdictWord.NOT_APPLICABLE, VerdictWord.NOT_RUN)) {
            Map<String, Set<String>> checks = new LinkedHashMap<>();
            result.graded().stream().filter(g -> g.verdict().word().equals(word.id()))
                    .forEach(g -> checks.computeIfAbsent(word == VerdictWord.PASS ? "" : reason(g), r -> new LinkedHashSet<>()).add(g.observation().subject().check()));
            checks.forEach((reason, ids) -> out.println(word.id() + ": " + String.join(", ", ids) + (reason.isEmpty() ? "" : " (" + Quote.text(reason) + ")")));
        }
        out.println();
        gate.gone().forEach(key -> out.println("gone from the baseline: " + Quote.text(key.toString()) + "; it is no longer so: write the baseline anew"));
        gate.unseen().forEach(key -> out.println("in the baseline, not looked for this time: " + Quote.text(key.toString())));
        if (result.observed().isPresent()) {
            out.println(Stream.of(VerdictWord.values()).map(word -> result.count(word.id()) + " " + word.id()).collect(Collectors.joining(", "))
                    + "  (" + String.join(", ", result.ruleLabels()) + ")");
        }
        if (result.repeats().times() > 1) {
            out.println("sessions gone through " + result.repeats().times() + " times, " + result.repeats().flaky().size() + " flaky; the verdicts of the first time stand");
        }
        out.println(verdict(result, gate));
        result.transcripts().forEach(file -> out.println("transcript " + Quote.text(file)));
        if (result.transcripts().isEmpty() && result.observed().isPresent()) {
            out.println("transcripts were not kept; --transcript DIR keeps them, --bundle DIR keeps all evidence");
        }
        words(result);
        out.flush();
    }

    /** What the words mean that stand above: a report is read by people who have not read the rest. */
    private void words(CheckResult result) {
        List<String> lines = new ArrayList<>();
        if (result.observed().isPresent()) {
            lines.add("[legacy#33] is event 33 in the transcript of the session \"legacy\"; each session is a process of its own");
        }
        if (!result.repeats().flaky().isEmpty()) {
            lines.add("flaky: not the same verdict each time; \"legacy~1\" is the session \"legacy\" in repeat 1");
        }
        if (result.count(VerdictWord.DIVERGENT.id()) > 0) {
            lines.add("divergent: contradicts a description or one of two texts that contradict each other; never counts against a server");
        }
        if (result.count(VerdictWord.INCONCLUSIVE.id()) > 0) {
            lines.add("inconclusive: legal, but does not decide the question");
        }
        if (!lines.isEmpty()) {
            lines.add("prober check --explain CHECK tells what a check does and why; prober rules show ID has a whole rule set");
            out.println();
            lines.forEach(out::println);
        }
    }

    /** The line that says what the exit status says, and why. */
    private static String verdict(CheckResult result, Gate gate) {
        long failing = result.graded().stream().filter(gate::fails).count();
        long known = result.graded().stream().filter(gate::isKnown).count();
        StringBuilder line = new StringBuilder(gate.failed(result.graded(), result.startupFailure()) ? "result: failed" : "result: passed");
        result.startupFailure().ifPresent(kind -> line.append(result.observed().isPresent() ? ", the server did not start" : ", it was not installed")
                .append(gate.fails(kind) ? "" : " (baselined)"));
        if (result.observed().isPresent()) {
            line.append(", ").append(failing).append(failing == 1 ? " check" : " checks").append(" at ").append(gate.failOn()).append(gate.failOn() == FailOn.fail ? "" : " or worse");
        }
        if (gate.hasBaseline()) {
            line.append(" beyond the baseline, ").append(known).append(" baselined, ").append(gate.gone().size()).append(" gone from it");
        }
        return line.toString();
    }

    private static String reason(Graded graded) {
        return graded.observation() instanceof Observation.NotRun notRun ? notRun.reason() : graded.verdict().note();
    }
}
