package dev.mcpprober.dataset.drift;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.compare.Paired;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the drift between two runs; both are graded anew by the one rule set of the analysis. */
public final class DriftReader {
    private static final Set<TargetState> MEASURED = Set.of(TargetState.NOT_INSTALLED, TargetState.START_FAILED, TargetState.STARTED);

    private static final String NO_VERDICT = "no-verdict";

    private final RunFolder a;
    private final RunFolder b;
    private final String ruleSet;
    private int oneSided;

    private DriftReader(RunFolder a, RunFolder b, String ruleSet) {
        this.a = a;
        this.b = b;
        this.ruleSet = ruleSet;
    }

    /** @throws IOException naming the file that cannot be read */
    public static Drift between(RunFolder a, RunFolder b, Analysis analysis) throws IOException {
        List<ServerVerdicts> left = new ArrayList<>();
        List<ServerVerdicts> right = new ArrayList<>();
        ServerVerdicts.each(a, analysis, left::add);
        ServerVerdicts.each(b, analysis, right::add);
        // What a frame itself leaves out has no name to be paired by, and was never meant to be measured.
        left.removeIf(server -> server.state() == TargetState.EXCLUDED);
        right.removeIf(server -> server.state() == TargetState.EXCLUDED);
        DriftReader reader = new DriftReader(a, b, analysis.judges().get(0).label());
        List<Drift.Pair> pairs = new ArrayList<>();
        int cut = 0;
        for (Paired pair : Paired.of(left, right)) {
            if (pair.both() && MEASURED.contains(pair.a().state()) && MEASURED.contains(pair.b().state())) {
                pairs.add(reader.pair(pair.a(), pair.b()));
            } else {
                cut++;
            }
        }
        return new Drift(pairs, cut, reader.oneSided);
    }

    private Drift.Pair pair(ServerVerdicts before, ServerVerdicts after) throws IOException {
        Optional<InstallRecord> old = install(a, before);
        Optional<InstallRecord> now = install(b, after);
        String name = after.row().name();
        List<TreeChange> changes = TreeChange.between(old.map(InstallRecord::tree).orElse(List.of()), now.map(InstallRecord::tree).orElse(List.of()))
                .stream().filter(change -> !change.name().equals(name)).toList();
        // A tree is known only of what was installed: where one side was not, all of the other would look new.
        boolean trees = old.filter(InstallRecord::usable).isPresent() && now.filter(InstallRecord::usable).isPresent();
        List<TreeChange> known = trees ? changes : List.of();
        return new Drift.Pair(before.row().target(), before.version(), after.version(), flips(before, after), cause(before, after, old, now, known), known);
    }

    private static Drift.Cause cause(ServerVerdicts before, ServerVerdicts after, Optional<InstallRecord> old, Optional<InstallRecord> now, List<TreeChange> changes) {
        boolean sameArtefact = digest(old).equals(digest(now)) || digest(old).isEmpty() || digest(now).isEmpty();
        if (!before.version().equals(after.version()) || !sameArtefact) {
            return Drift.Cause.OWN_VERSION;
        }
        if (!changes.isEmpty()) {
            return Drift.Cause.DEPENDENCY;
        }
        return base(old).equals(base(now)) ? Drift.Cause.NOTHING : Drift.Cause.IMAGE;
    }

    private static String digest(Optional<InstallRecord> record) {
        return record.map(r -> r.artefact().digest()).orElse("");
    }

    private static String base(Optional<InstallRecord> record) {
        return record.flatMap(InstallRecord::program).map(InstallRecord.Program::baseImage).orElse("");
    }

    private List<Drift.Flip> flips(ServerVerdicts before, ServerVerdicts after) {
        List<Drift.Flip> out = new ArrayList<>();
        String start = start(before);
        if (!start.equals(start(after))) {
            out.add(new Drift.Flip(Drift.Flip.START, start, start(after)));
        }
        if (before.state() != TargetState.STARTED || after.state() != TargetState.STARTED) {
            // The verdicts of a server that does not start follow from that.
            return out;
        }
        TreeSet<String> checks = new TreeSet<>(before.stands().getOrDefault(ruleSet, Map.of()).keySet());
        checks.addAll(after.stands().getOrDefault(ruleSet, Map.of()).keySet());
        for (String check : checks) {
            String old = word(before.stand(ruleSet, check));
            String now = word(after.stand(ruleSet, check));
            if (old.equals(NO_VERDICT) != now.equals(NO_VERDICT)) {
                // One of the runs did not put the question: that is no change of the server.
                oneSided++;
            } else if (!old.equals(now)) {
                out.add(new Drift.Flip(check, old, now));
            }
        }
        return out;
    }

    private static String start(ServerVerdicts server) {
        String reason = !server.startupFailure().isEmpty() ? server.startupFailure() : server.reason();
        return server.state().id() + (server.state() == TargetState.STARTED || reason.isEmpty() ? "" : " " + reason);
    }

    private static String word(Stand stand) {
        return stand == null ? NO_VERDICT : stand.word().id();
    }

    private static Optional<InstallRecord> install(RunFolder run, ServerVerdicts server) throws IOException {
        Path file = run.install(server.row().target());
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InstallDocument.read(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
