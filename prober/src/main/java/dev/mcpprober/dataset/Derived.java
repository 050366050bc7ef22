package dev.mcpprober.dataset;

import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
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
import java.util.Map;
import java.util.Optional;

/**
 * One row of the frame with all that follows from what is on disk about it.
 *
 * @param observed null where there are no sessions
 * @param verdicts rule set's label to its verdicts, in the order of the judges
 * @param failures session name to its failed calls
 * @param tools    what the session that stands for the server lists
 */
record Derived(TargetHistory history, Optional<InstallRecord> install, List<SessionFigures> sessions, TargetObservations observed,
               Map<String, List<Graded>> verdicts, Map<String, List<FailureShape>> failures, List<DeclaredTool> tools) {
    static final ShapeRules SHAPES = ShapeRules.read();
    static final DeclaredRules DECLARED = DeclaredRules.read();

    static Derived of(RunReader reader, TargetHistory history, Analysis analysis) throws IOException {
        Optional<InstallRecord> install = reader.install(history);
        List<SessionFigures> figures = new ArrayList<>();
        Map<String, List<FailureShape>> failures = new LinkedHashMap<>();
        Map<String, List<DeclaredTool>> listed = new LinkedHashMap<>();
        Analysis.Extraction extraction = analysis.begin().get();
        // One transcript in memory at a time: a server may fill each with tens of MiB.
        for (TargetHistory.Attempt attempt : reader.sessions(history)) {
            Transcript transcript = reader.transcript(attempt);
            figures.add(SessionFigures.of(attempt, reader.path(attempt), transcript));
            extraction.add(transcript);
            failures.put(transcript.header().session(), SHAPES.of(transcript));
            // Parts of one session, legacy.2 and so on, list the same tools.
            if (listed.getOrDefault(base(transcript.header().session()), List.of()).isEmpty()) {
                listed.put(base(transcript.header().session()), DECLARED.of(transcript));
            }
        }
        if (figures.isEmpty()) {
            return new Derived(history, install, figures, null, Map.of(), Map.of(), List.of());
        }
        TargetObservations observed = extraction.finish();
        Map<String, List<Graded>> verdicts = new LinkedHashMap<>();
        for (Judge judge : analysis.judges()) {
            verdicts.put(judge.label(), judge.grade(observed));
        }
        return new Derived(history, install, figures, observed, verdicts, failures,
                observed.session() == null ? List.of() : listed.getOrDefault(base(observed.session().name()), List.of()));
    }

    private static String base(String session) {
        return session.replaceFirst("\\.\\d+$", "");
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

    /** Names of the observations of this target, by identity: {@code o0001} and so on, in their order. */
    Map<Observation, String> names() {
        Map<Observation, String> names = new IdentityHashMap<>();
        if (observed != null) {
            for (Observation observation : observed.observations()) {
                names.put(observation, name(names.size() + 1));
            }
        }
        return names;
    }

    private static String name(int number) {
        return String.format("o%05d", number);
    }

    /** Revision in force in a session, raw; empty where none was agreed on. */
    String revision(String session) {
        return observed.observations().stream().map(Observation::subject)
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
