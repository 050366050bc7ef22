package dev.mcpprober.dataset;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Registry;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.traits.FailedCall;
import dev.mcpprober.traits.FailureShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Everything that the program decided about a run, and that a person may decide anew: the population of an audit. */
public final class Decisions {
    private static final int EVIDENCE_LINES = 300;
    private static final int FIRST_EVENTS = 12;

    private final String run;
    private final Analysis analysis;
    private final Map<String, List<String>> demands = new HashMap<>();

    private Decisions(String run, Analysis analysis) {
        this.run = run;
        this.analysis = analysis;
        for (Judge judge : analysis.judges()) {
            for (Judge.RuleText rule : judge.rules()) {
                demands.put(String.join(" ", judge.label(), rule.check(), rule.revision().date()),
                        List.of(rule.requirement(), rule.level().equals("none") ? "No text puts a demand." : "How binding: " + rule.level(), rule.citation()));
            }
        }
    }

    /** Of the run, so that labels of another one are known for what they are. */
    public static String runId(RunFolder run) throws IOException {
        return Digests.sha256(run.census()).substring(0, 16);
    }

    /** Derives a run anew, row by row. @return rows that are unmeasured, of which nothing was decided */
    public static int each(RunFolder folder, Analysis analysis, Consumer<Decision> sink) throws IOException {
        Decisions decisions = new Decisions(runId(folder), analysis);
        try (RunReader reader = new RunReader(folder, analysis.redactor())) {
            int unmeasured = 0;
            for (FrameRow row : reader.rows()) {
                Derived derived = Derived.of(reader, reader.history(row), analysis);
                unmeasured += derived.state() == TargetState.UNMEASURED ? 1 : 0;
                decisions.of(derived).forEach(sink);
            }
            return unmeasured;
        }
    }

    /** For a run that is derived for something else, too. */
    static Decisions of(RunReader reader, Analysis analysis) throws IOException {
        return new Decisions(runId(reader.folder()), analysis);
    }

    List<Decision> of(Derived derived) {
        if (!derived.state().measured()) {
            return List.of();
        }
        One one = new One(derived);
        one.verdicts();
        one.consequences();
        one.startup();
        one.attribution();
        one.failures();
        return one.out;
    }

    /** The decisions about one target. */
    private final class One {
        private final Derived derived;
        private final String target;
        private final String publisher;
        private final Map<String, String> transcripts = new HashMap<>();
        private final Set<String> ids = new HashSet<>();
        private final List<Decision> out = new ArrayList<>();

        One(Derived derived) {
            this.derived = derived;
            FrameRow row = derived.history().row();
            this.target = row.target();
            this.publisher = row.registry().equals(Registry.LOCAL.id()) ? target : Publishers.of(row.registry(), row.name());
            derived.sessions().forEach(session -> transcripts.put(session.header().session(), session.path()));
        }

        private void add(Stratum stratum, String revision, String session, String tool, String property, String row, List<Integer> witness, List<String> demand,
                         List<String> evidence) {
            List<String> parts = List.of(target, session, tool, property);
            String id = Decision.id(run, stratum, parts);
            for (int number = 2; !ids.add(id); number++) {
                id = Decision.id(run, stratum, List.of(target, session, tool, property, Integer.toString(number)));
            }
            out.add(new Decision(stratum, id, target, publisher, revision, session, transcripts.getOrDefault(session, ""), tool, property, row, witness, demand, evidence));
        }

        /** The verdict that stands for a server that started on each check, which is what shares count. */
        void verdicts() {
            if (derived.state() != TargetState.STARTED) {
                return;
            }
            derived.verdicts().keySet().forEach(ruleSet -> Stand.of(derived, ruleSet).forEach((check, stand) -> {
                List<String> demand = demands.getOrDefault(String.join(" ", ruleSet, check, stand.revision()), List.of());
                add(new Stratum(Decision.VERDICT, ruleSet, check, stand.word().id()), stand.revision(), stand.session(), stand.tool(), "", stand.observation(),
                        stand.witness(), demand, List.of());
            }));
        }

        void consequences() {
            Map<Observation, String> names = derived.names();
            for (Observation observation : derived.observed() == null ? List.<Observation>of() : derived.observed().observations()) {
                if (observation instanceof Observation.Reaction reaction && reaction.consequence() != null) {
                    Subject subject = reaction.subject();
                    add(new Stratum(Decision.CONSEQUENCE, Decision.NONE, subject.check(), reaction.consequence()), Tables.revision(subject.revision()), subject.session(),
                            subject.tool() == null ? "" : subject.tool(), subject.property() == null ? "" : subject.property(), names.get(observation), reaction.witness(),
                            List.of(), List.of());
                }
            }
        }

        void startup() {
            if (derived.startupFailure().isEmpty()) {
                return;
            }
            TargetObservations.StartupFailure failure = derived.observed() == null ? null : derived.observed().startup().orElse(null);
            Stratum stratum = new Stratum(Decision.STARTUP_FAILURE, Decision.NONE, Decision.STARTUP_FAILURE, derived.startupFailure());
            List<Integer> witness = new ArrayList<>();
            if (failure != null) {
                for (int event = 0; event < FIRST_EVENTS; event++) {
                    witness.add(event);
                }
                failure.witness().stream().filter(event -> !witness.contains(event)).forEach(witness::add);
            }
            add(stratum, "", failure == null ? "" : failure.session(), "", "", "", witness, List.of(), failure != null && derived.caveat().isEmpty() ? List.of() : installed());
        }

        private List<String> installed() {
            List<String> lines = new ArrayList<>();
            derived.install().ifPresent(install -> {
                lines.add("install scripts of: " + String.join(", ", install.scripts().packages()) + (install.scripts().failed().isEmpty() ? "" : "; failed: " + install.scripts().failed()));
                lines.add("hosts that were asked for and denied: " + String.join(", ", install.traffic().blockedHosts()));
                lines.add("end of what the installer said:");
                lines.addAll(last(install.logTail().lines().toList()));
            });
            return lines;
        }

        void attribution() {
            if (derived.state() == TargetState.NOT_INSTALLED || derived.family().isEmpty()) {
                return;
            }
            InstallRecord install = derived.install().orElseThrow();
            List<String> lines = new ArrayList<>();
            install.program().ifPresent(program -> lines.add("program: " + Json.write(Json.mapper().valueToTree(program.entry().argv()))));
            lines.add("installed packages (" + install.tree().size() + "):");
            lines.addAll(install.tree().subList(0, Math.min(EVIDENCE_LINES, install.tree().size())));
            add(new Stratum(Decision.SDK_FAMILY, Decision.NONE, Decision.SDK_FAMILY, derived.family()), "", "", "", "", "", List.of(), List.of(), lines);
        }

        void failures() {
            int number = 0;
            for (Map.Entry<String, List<FailureShape>> session : derived.failures().entrySet()) {
                for (FailureShape shape : session.getValue()) {
                    FailedCall call = shape.call();
                    add(new Stratum(Decision.FAILURE_SHAPE, Decision.NONE, Decision.FAILURE_SHAPE, shape.shape()), "", session.getKey(), call.tool(), call.probe(),
                            String.format(Locale.ROOT, "f%05d", ++number), List.of(call.sentAt(), call.event()), List.of(), List.of());
                }
            }
        }

        private static List<String> last(List<String> lines) {
            return lines.subList(Math.max(0, lines.size() - EVIDENCE_LINES), lines.size());
        }
    }
}
