package dev.mcpprober.dataset;

import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.traits.DeclaredRules;
import dev.mcpprober.traits.DeclaredTool;
import dev.mcpprober.traits.FailureShape;
import dev.mcpprober.traits.ShapeRules;
import dev.mcpprober.transcript.Transcript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One row of the frame with all that follows from what is on disk about it.
 *
 * @param observed by the sessions of repeat 0; null where there are no sessions
 * @param verdicts rule set's label to the verdicts on {@code observed}, in the order of the judges
 * @param failures session name to its failed calls, of repeat 0
 * @param tools    what the session that stands for the server lists
 * @param repeats  what the repeats after that showed, in their order; they stand for nothing
 */
record Derived(TargetHistory history, Optional<InstallRecord> install, List<SessionFigures> sessions, TargetObservations observed,
               Map<String, List<Graded>> verdicts, Map<String, List<FailureShape>> failures, List<DeclaredTool> tools, List<Repeat> repeats) {
    static final ShapeRules SHAPES = ShapeRules.read();
    static final DeclaredRules DECLARED = DeclaredRules.read();

    static Derived of(RunReader reader, TargetHistory history, Analysis analysis) throws IOException {
        Optional<InstallRecord> install = reader.install(history);
        List<SessionFigures> figures = new ArrayList<>();
        Map<String, List<FailureShape>> failures = new LinkedHashMap<>();
        Map<String, List<DeclaredTool>> listed = new LinkedHashMap<>();
        TreeMap<Integer, Analysis.Extraction> extractions = new TreeMap<>();
        // One transcript in memory at a time: a server may fill each with tens of MiB.
        for (TargetHistory.Attempt attempt : reader.sessions(history)) {
            Transcript transcript = reader.transcript(attempt);
            figures.add(SessionFigures.of(attempt, reader.path(attempt), reader.digest(attempt), transcript));
            SessionName session = SessionName.of(transcript.header().session());
            extractions.computeIfAbsent(session.repeat(), key -> analysis.begin().get()).add(transcript);
            if (session.repeat() == 0) {
                failures.put(session.label(), SHAPES.of(transcript));
                // Parts of one session, legacy.2 and so on, list the same tools.
                if (listed.getOrDefault(session.base(), List.of()).isEmpty()) {
                    listed.put(session.base(), DECLARED.of(transcript));
                }
            }
        }
        if (figures.isEmpty()) {
            return new Derived(history, install, figures, null, Map.of(), Map.of(), List.of(), List.of());
        }
        TargetObservations observed = null;
        Map<String, List<Graded>> verdicts = new LinkedHashMap<>();
        List<Repeat> repeats = new ArrayList<>();
        for (Map.Entry<Integer, Analysis.Extraction> extraction : extractions.entrySet()) {
            TargetObservations shown = extraction.getValue().finish();
            if (observed == null) {
                observed = shown;
                analysis.judges().forEach(judge -> verdicts.put(judge.label(), judge.grade(shown)));
            } else {
                repeats.add(new Repeat(extraction.getKey(), shown, analysis.judges().stream().flatMap(judge -> judge.grade(shown).stream()).toList()));
            }
        }
        return new Derived(history, install, figures, observed, verdicts, failures,
                observed.session() == null ? List.of() : listed.getOrDefault(SessionName.of(observed.session().name()).base(), List.of()), List.copyOf(repeats));
    }

    /** Every going through the plan, the standing one first; empty where there are no sessions. */
    List<Repeat> all() {
        if (observed == null) {
            return List.of();
        }
        List<Repeat> all = new ArrayList<>(List.of(new Repeat(0, observed, verdicts.values().stream().flatMap(List::stream).toList())));
        all.addAll(repeats);
        return all;
    }

    /** Verdicts of any rule set that another repeat does not share. */
    List<Flaky> flaky() {
        return repeats.isEmpty() ? List.of() : Flaky.of(all());
    }

    /** The extractor has the last word on whether a session came about: the census only saw that the driver could go on. */
    TargetState state() {
        return observed == null ? history.state() : observed.startup().isPresent() ? TargetState.START_FAILED : TargetState.STARTED;
    }

    /** Of the column of this name; {@code none} stands for no reason in table coverage. */
    String reason() {
        return switch (state()) {
            case EXCLUDED -> history.row().excluded();
            case UNMEASURED -> history.lastFault().isEmpty() ? "not-tried" : history.lastFault();
            case NOT_INSTALLED -> history.installed().outcome();
            case START_FAILED -> observed.startup().orElseThrow().kind();
            case STARTED -> "";
        };
    }

    /**
     * Empty when a session came about or nothing is known. A server that lacks what its install scripts would have brought failed at
     * its install.
     */
    String startupFailure() {
        return switch (state()) {
            case NOT_INSTALLED -> "install-" + reason();
            case START_FAILED -> caveat().map(outcome -> "install-" + outcome.kind()).orElse(reason());
            default -> "";
        };
    }

    /** What failed at the install although there is something to run. */
    Optional<InstallOutcome> caveat() {
        return install.flatMap(InstallRecord::program).flatMap(InstallRecord.Program::caveat);
    }

    /** Names of the observations of this target, by identity: {@code o00001} and so on, in their order, those of later repeats after all others. */
    Map<Observation, String> names() {
        Map<Observation, String> names = new IdentityHashMap<>();
        all().forEach(repeat -> repeat.observed().observations().forEach(observation -> names.put(observation, name(names.size() + 1))));
        return names;
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "o%05d", number);
    }

    /** Revision in force in a session, raw; empty where none was agreed on. */
    String revision(String session) {
        return all().stream().flatMap(repeat -> repeat.observed().observations().stream()).map(Observation::subject)
                .filter(subject -> subject.session().equals(session) && !subject.revision().isEmpty())
                .map(subject -> subject.revision()).findFirst().orElse("");
    }

    /** Revision of the session that stands for the server, raw; empty where there is none. */
    String revision() {
        return observed == null || observed.session() == null || observed.session().protocolVersion() == null ? "" : observed.session().protocolVersion();
    }

    String family() {
        return install.flatMap(InstallRecord::program).map(program -> program.sdk().family().id()).orElse("");
    }
}
