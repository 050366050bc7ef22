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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Labels of a scored audit, to be held against the run that a data set is made of. */
public final class Audited {
    private static final String FOLDER = "score";

    private final AuditFolder audit;
    private final Labels labels;

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

    /** Begins to hold it against a run. */
    public Count begin() {
        return new Count();
    }

    /** What came of it for one data set, once every decision was added. */
    public final class Count {
        private final Population population = new Population();
        private final Set<String> found = new HashSet<>();
        private final List<String> problems = new ArrayList<>();
        private List<Rates.Line> lines = List.of();

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

        /**
         * Writes tables {@code labels} and {@code audit}.
         *
         * @param published name under which a target is published: another one where it is withheld
         * @throws AuditException where the labels are of decisions that the data set does not hold
         */
        public void write(Path folder, UnaryOperator<String> published) throws IOException, AuditException {
            Map<Stratum, Drawn> strata = strata();
            lines = new Rates(strata, audit.key(), labels).lines();
            AuditTables.labels(labels, audit.key(), strata, published, folder);
            AuditTables.audit(lines, folder);
        }

        /** What came of it as plain text for a terminal; to be asked for after every decision was added. */
        public String text() throws AuditException {
            lines = new Rates(strata(), audit.key(), labels).lines();
            return labels.given().isEmpty() ? "\nNot audited: nobody has labelled a sample of these decisions, so nothing is corrected for the program's errors. prober audit sample --help\n"
                    : "\nAudited by " + count(labels.labellers().size(), "labeller") + ": " + count(labels.given().size(), "decision") + "\n" + AuditText.rates(lines);
        }

        /** The same as Markdown: shares of fail raw and corrected; to be asked for after {@link #write}. */
        public String markdown() {
            if (labels.given().isEmpty()) {
                return "**Not audited.** Nobody has labelled a sample of these decisions by hand: how often the program errs is unknown, and no figure is corrected for it. Table\n"
                        + "`audit` lists every word of every rule as `not-audited`.";
            }
            StringBuilder out = new StringBuilder("**Audited** by ").append(count(labels.labellers().size(), "person")).append(", who decided ").append(count(labels.given().size(), "decision"))
                    .append(" of a stratified random sample anew, blind (table\n`labels`). Table `audit` has the error rates of each word of each rule with intervals, and every share raw and corrected.\n\n")
                    .append("Shares of `fail`; where people gave every decision of a check the same word, nothing can be corrected.\n\n").append("| rule set | check | share of fail, raw | corrected | 95 % |\n|---|---|---:|---:|---|\n");
            for (Rates.Line line : lines) {
                if (line.stratum().kind().equals(Decision.VERDICT) && line.stratum().decided().equals("fail") && (line.drawn().population() > 0 || line.corrected().isPresent())) {
                    var corrected = line.corrected();
                    out.append("| ").append(line.stratum().ruleSet()).append(" | ").append(line.stratum().rule()).append(" | ").append(percent(line.raw().share())).append(" | ")
                            .append(corrected.map(share -> percent(share.share())).orElse(line.status().equals("audited") ? "cannot be corrected" : line.status().replace('-', ' ')))
                            .append(" | ").append(corrected.map(share -> percent(share.interval().low()) + " to " + percent(share.interval().high())).orElse("")).append(" |\n");
                }
            }
            return out.toString().stripTrailing();
        }

        private static String count(int number, String noun) {
            return number + " " + (number == 1 ? noun : noun.equals("person") ? "people" : noun + "s");
        }

        private static String percent(double share) {
            return String.format(Locale.ROOT, "%.1f %%", share * 100);
        }

        private Map<Stratum, Drawn> strata() throws AuditException {
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
            return strata;
        }
    }
}
