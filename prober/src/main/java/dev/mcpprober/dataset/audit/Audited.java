package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.audit.AuditFolder.Drawn;
import dev.mcpprober.dataset.audit.AuditFolder.Keyed;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Labels of a scored audit, to be held against the run that a data set is made of. */
public final class Audited {
    private static final String FOLDER = "score";

    private final AuditFolder audit;
    private final Labels labels;
    private final Population population = new Population();
    private final Set<String> found = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    private Audited(AuditFolder audit, Labels labels) {
        this.audit = audit;
        this.labels = labels;
    }

    /** Nobody looked. */
    public static Audited none() {
        return new Audited(new AuditFolder("", "", Map.of(), Map.of()), Labels.NONE);
    }

    /**
     * @param folder that {@code audit score} wrote, or the one above it
     * @throws AuditException where it is none, or not of this run
     */
    public static Audited read(Path folder, String run) throws IOException, AuditException {
        Path scored = Files.isDirectory(folder.resolve(FOLDER)) ? folder.resolve(FOLDER) : folder;
        Path labels = scored.resolve(AuditTables.LABELS.fileName());
        AuditFolder audit = AuditFolder.read(scored);
        if (!Files.isRegularFile(labels)) {
            throw new AuditException(folder + " holds no labels that were scored; prober audit score " + folder + " --labels FIRST.csv --labels SECOND.csv");
        }
        if (!audit.run().equals(run)) {
            throw new AuditException(folder + " is the audit of another run (" + audit.run() + ", this is " + run + "); draw a sample of this one");
        }
        return new Audited(audit, Labels.ofTable(audit, labels));
    }

    static Path scored(Path audit) {
        return audit.resolve(FOLDER);
    }

    public void add(Decision decision) {
        population.add(decision);
        if (!labels.given().containsKey(decision.id())) {
            return;
        }
        found.add(decision.id());
        Keyed keyed = audit.key().get(decision.id());
        if (!keyed.stratum().equals(decision.stratum()) || !keyed.target().equals(decision.target()) || !keyed.row().equals(decision.row())) {
            problems.add("decision " + decision.id() + " was " + String.join(" ", keyed.stratum().key()) + " " + keyed.row() + " when the sample was drawn, and is "
                    + String.join(" ", decision.stratum().key()) + " " + decision.row());
        }
    }

    /** @throws AuditException where the labels are of decisions that the data set does not hold */
    public List<Path> write(Path folder) throws IOException, AuditException {
        labels.given().keySet().stream().filter(decision -> !found.contains(decision)).forEach(decision ->
                problems.add("decision " + decision + " (" + String.join(" ", audit.key().get(decision).stratum().key()) + ") is not made here"));
        Map<Stratum, Drawn> strata = new TreeMap<>(Population.ORDER);
        population.sizes().forEach((stratum, size) -> {
            var share = population.share(stratum);
            Drawn before = audit.strata().get(stratum);
            strata.put(stratum, new Drawn(size, before == null ? 0 : before.sampled(), share.all().n(), share.effectiveSize()));
            if (before != null && before.sampled() > 0 && before.population() != size) {
                problems.add("there were " + before.population() + " of " + String.join(" ", stratum.key()) + " when the sample was drawn, and are " + size);
            }
        });
        if (!problems.isEmpty()) {
            throw new AuditException("the labels are not of this data set: it was graded by other rules, or by another version of the program, since the sample was drawn. "
                    + "Build with the rules of audit.json, or draw and label anew.\n  " + String.join("\n  ", problems.subList(0, Math.min(10, problems.size())))
                    + (problems.size() > 10 ? "\n  and " + (problems.size() - 10) + " more" : ""));
        }
        return List.of(AuditTables.labels(labels, audit.key(), strata, folder), AuditTables.audit(new Rates(strata, audit.key(), labels).lines(), folder));
    }

    /** How many decisions have an answer. */
    public int labelled() {
        return labels.given().size();
    }

    public int labellers() {
        return labels.labellers().size();
    }
}
