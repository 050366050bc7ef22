package dev.mcpprober.dataset;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one server does that carries a severity, and what it is known by.
 *
 * @param end        state, reason and startup failure, which tables show of every row
 * @param serverName that it gives itself, raw, or empty
 * @param findings   in the order of the severities, those of a primary tool first
 */
public record ServerFindings(FrameRow row, String end, String version, String serverName, Veil.Traits traits, List<Found> findings) {
    /**
     * One finding.
     *
     * @param check       or the id of the rule that found a credential
     * @param session     that shows it
     * @param transcript  of that session, within the run folder, or empty
     * @param tool        raw, or empty
     * @param witness     events of the session
     * @param requirement which text applies, by the rule set that says most; empty where none does
     */
    public record Found(Severities.Severity severity, String check, String session, String transcript, String tool, String observed, String revision,
                        List<Integer> witness, String requirement, String citation, String fix) {}

    /** Takes servers one by one. */
    public interface Sink {
        void accept(ServerFindings server) throws IOException;
    }

    /** Derives a run anew, row by row in the order of the tables. */
    public static RunInfo each(RunFolder folder, Analysis analysis, Severities severities, Sink sink) throws IOException {
        try (RunReader reader = new RunReader(folder, analysis.redactor())) {
            for (FrameRow row : reader.rows()) {
                if (row.excluded().isEmpty()) {
                    sink.accept(of(Derived.of(reader, reader.history(row), analysis), severities));
                }
            }
            return reader.info();
        }
    }

    private static ServerFindings of(Derived derived, Severities severities) {
        ServerVerdicts server = ServerVerdicts.of(derived);
        String name = derived.observed() == null || derived.observed().session() == null ? "" : derived.observed().session().serverName();
        String eras = String.join(";", server.eras().stream().sorted().map(era -> era.id()).toList());
        return new ServerFindings(server.row(), String.join(" ", server.state().id(), server.reason(), server.startupFailure()), server.version(), name == null ? "" : name,
                new Veil.Traits(server.row().registry(), server.family(), minor(server.sdkVersion()), server.revision(), eras), found(derived, severities));
    }

    /** Patch releases are many and have few users each. */
    static String minor(String version) {
        String[] parts = version.split("\\.");
        return parts.length < 2 ? version : parts[0] + "." + parts[1].replaceFirst("[^0-9].*", "");
    }

    private static List<Found> found(Derived derived, Severities severities) {
        List<Found> out = new ArrayList<>();
        if (derived.observed() == null) {
            return out;
        }
        Map<String, String> transcripts = new HashMap<>();
        derived.sessions().forEach(session -> transcripts.put(session.header().session(), session.path()));
        Map<Observation, List<Graded>> verdicts = new java.util.IdentityHashMap<>();
        derived.verdicts().values().forEach(set -> set.forEach(graded -> verdicts.computeIfAbsent(graded.observation(), key -> new ArrayList<>()).add(graded)));
        for (Severities.Severity severity : severities.all()) {
            List<Found> own = new ArrayList<>();
            for (Observation observation : derived.observed().observations()) {
                List<Graded> said = verdicts.getOrDefault(observation, List.of());
                Set<String> words = new HashSet<>(said.stream().map(graded -> graded.verdict().word()).toList());
                if (severity.covers(observation, words)) {
                    Subject subject = observation.subject();
                    Graded most = said.stream().filter(graded -> VerdictWord.of(graded.verdict()).wantsFix()).findFirst().orElse(null);
                    Found found = new Found(severity, subject.check(), subject.session(), transcripts.getOrDefault(subject.session(), ""),
                            subject.tool() == null ? "" : subject.tool(), observation.observed(), subject.revision(), observation.witness(),
                            most == null ? "" : most.requirement(), most == null ? "" : most.citation(), most == null ? "" : most.fix());
                    own.add(subject.primary() ? 0 : own.size(), found);
                }
            }
            for (SessionFigures session : derived.sessions()) {
                session.credentials().stream().filter(severity.redacted()::contains).sorted().forEach(rule -> own.add(new Found(severity, rule, session.header().session(),
                        session.path(), "", "printed", "", List.of(), "", "", "")));
            }
            out.addAll(own);
        }
        return out;
    }
}
