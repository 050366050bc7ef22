package dev.mcpprober.dataset.audit;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.TableSchema.ForeignKey;
import dev.mcpprober.dataset.audit.AuditFolder.Drawn;
import dev.mcpprober.dataset.audit.AuditFolder.Keyed;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.WeightedShare;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Tables {@code labels} and {@code audit} of a data set, and {@code agreement} beside them. */
public final class AuditTables {
    public static final TableSchema LABELS = new TableSchema("labels", "What people answered who decided a random sample anew without knowing what the program had decided. "
            + "Empty where nobody did.", List.of(
            plain("decision", "Id of the decision; a number where the server is withheld.").always(),
            plain("labeller", "Pseudonym; adjudicated for what was settled where labellers disagreed.").always(),
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set, for verdicts; else empty."),
            plain("rule", "Check; the kind where nothing divides it.").always(),
            plain("decided", "What the program decided.").always(),
            oneOf("label", "What was answered; see the list of its kind.", Question.allAnswers()).always(),
            plain("target_id", "The target; empty where it is withheld."),
            plain("observation", "Of verdicts and consequences: row of table observations; empty where the server is withheld."),
            plain("failure", "Of failure shapes: row of table failure-shapes; empty where the server is withheld."),
            integer("population", "Decisions of the same kind, rule and word.").always(),
            integer("sampled", "Drawn of them.").always(),
            number("weight", "population / sampled.").always()),
            List.of("decision", "labeller"), List.of(new ForeignKey(List.of("target_id"), "targets", List.of("target_id")),
            new ForeignKey(List.of("target_id", "observation"), "observations", List.of("target_id", "observation")),
            new ForeignKey(List.of("target_id", "observation", "rule_set"), "verdicts", List.of("target_id", "observation", "rule_set")),
            new ForeignKey(List.of("target_id", "failure"), "failure-shapes", List.of("target_id", "failure"))));

    public static final TableSchema AUDIT = new TableSchema("audit", "How often the program errs, by kind, rule and word, and its shares raw and corrected. One row for every word "
            + "that it used, looked at by people or not.", List.of(
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set; none where none is behind it.").always(),
            plain("rule", "Check; the kind where nothing divides it.").always(),
            plain("decided", "The word.").always(),
            oneOf("status", "Whether people looked at the decisions that its share is of.", Rates.STATUSES).always(),
            integer("k", "Decisions with this word.").always(),
            integer("n", "Decisions that its share is of: for pass, fail, warn and divergent those with one of these words; else all of the rule.").always(),
            number("share", "k / n, as the program counted.").always(),
            number("ci_low", "Lower bound of Wilson's interval at n_eff.").always(),
            number("ci_high", "Upper bound.").always(),
            number("n_eff", "n as independent draws, with publishers as clusters.").always(),
            number("corrected", "The share corrected by false_positive and false_negative (Rogan and Gladen); empty without an audit of every word of the rule, or "
                    + "where it gives nothing to correct by."),
            number("corrected_low", "Lower bound of its interval (Lang and Reiczigel)."),
            number("corrected_high", "Upper bound."),
            integer("sampled", "Decisions with this word in the sample.").always(),
            integer("labelled", "Of them, those with an answer that labellers agree on or that was settled.").always(),
            integer("right", "Of those, the ones where people say the same word.").always(),
            integer("cannot_tell", "Of the sampled ones, those that people could not tell.").always(),
            integer("open", "Of the sampled ones, those on which labellers disagree.").always(),
            number("ppv", "right / labelled."),
            number("ppv_low", "Lower bound of Wilson's interval."),
            number("ppv_high", "Upper bound."),
            number("npv", "Of decisions for another word, how many people decide for another word; weighted."),
            number("npv_low", "Lower bound of Wilson's interval at the effective size."),
            number("npv_high", "Upper bound."),
            number("false_positive", "Of what people decide to be another word, how much the program decides to be this one; weighted."),
            number("false_positive_low", "Lower bound of Wilson's interval at the effective size."),
            number("false_positive_high", "Upper bound."),
            number("false_positive_n", "Effective size (Kish)."),
            number("false_negative", "Of what people decide to be this word, how much the program decides to be another; weighted."),
            number("false_negative_low", "Lower bound of Wilson's interval at the effective size."),
            number("false_negative_high", "Upper bound."),
            number("false_negative_n", "Effective size (Kish)."),
            number("rule_error", "Of all decisions of the rule, how many people decide otherwise; weighted. The same for each of its words."),
            number("rule_error_low", "Lower bound of Wilson's interval at the effective size."),
            number("rule_error_high", "Upper bound.")),
            List.of("kind", "rule_set", "rule", "decided"), List.of());

    /** In the order of the description. */
    public static final List<TableSchema> ALL = List.of(LABELS, AUDIT);

    private AuditTables() {}

    /** @param published name under which a target is published: another one where it is withheld */
    static Path labels(Labels labels, Map<String, Keyed> key, Map<Decision.Stratum, Drawn> strata, UnaryOperator<String> published, Path folder) throws IOException {
        try (CsvTable table = new CsvTable(folder, LABELS)) {
            List<Row> rows = new ArrayList<>();
            Map<String, String> numbers = new HashMap<>();
            labels.given().forEach((decision, given) -> given.forEach((labeller, label) -> rows.add(named(label(table.row(), labeller, label, key.get(decision), strata), decision, key.get(decision), published, numbers))));
            labels.settled().forEach((decision, label) -> rows.add(named(label(table.row(), Labels.ADJUDICATED, label, key.get(decision), strata), decision, key.get(decision), published, numbers)));
            table.add(rows);
            return table.finish();
        }
    }

    /**
     * The id of a decision is a plain digest, from which a name can be guessed, and what was decided about one server says much about it together: of
     * a withheld one, decisions are numbered, and nothing says which belong together.
     */
    private static Row named(Row row, String decision, Keyed keyed, UnaryOperator<String> published, Map<String, String> numbers) {
        if (!published.apply(keyed.target()).equals(keyed.target())) {
            return row.set("decision", numbers.computeIfAbsent(decision, key -> String.format(Locale.ROOT, "withheld-%05d", numbers.size() + 1)));
        }
        boolean failure = keyed.stratum().kind().equals(Decision.FAILURE_SHAPE);
        return row.set("decision", decision).set("target_id", keyed.target()).set("observation", failure ? "" : keyed.row()).set("failure", failure ? keyed.row() : "");
    }

    private static Row label(Row row, String labeller, String label, Keyed keyed, Map<Decision.Stratum, Drawn> strata) {
        String kind = keyed.stratum().kind();
        Drawn drawn = strata.get(keyed.stratum());
        return row.set("labeller", labeller).set("kind", kind).set("rule_set", kind.equals(Decision.VERDICT) ? keyed.stratum().ruleSet() : "")
                .set("rule", keyed.stratum().rule()).set("decided", keyed.stratum().decided()).set("label", label)
                .set("population", drawn.population())
                .set("sampled", drawn.sampled()).set("weight", Decimal.text((double) drawn.population() / drawn.sampled()));
    }

    static Path audit(List<Rates.Line> lines, Path folder) throws IOException {
        try (CsvTable table = new CsvTable(folder, AUDIT)) {
            table.add(lines.stream().map(AuditTables::row).toList());
            return table.finish();
        }
    }

    private static Row row(Rates.Line line) {
        Row row = new Row(AUDIT).set("kind", line.stratum().kind()).set("rule_set", line.stratum().ruleSet()).set("rule", line.stratum().rule())
                .set("decided", line.stratum().decided()).set("status", line.status()).set("k", line.drawn().population()).set("n", line.drawn().of())
                .set("share", Decimal.text(line.raw().share())).set("n_eff", Decimal.text(line.drawn().effective())).set("sampled", line.drawn().sampled())
                .set("labelled", line.labelled()).set("right", line.right()).set("cannot_tell", line.cannotTell()).set("open", line.open());
        bounds(row, "ci", line.raw().wilson());
        line.corrected().ifPresent(corrected -> {
            row.set("corrected", Decimal.text(corrected.share()));
            bounds(row, "corrected", corrected.interval());
        });
        share(row, "ppv", WeightedShare.of(line.ppv()));
        share(row, "npv", line.npv());
        share(row, "false_positive", line.falsePositive());
        share(row, "false_negative", line.falseNegative());
        share(row, "rule_error", line.error());
        row.set("false_positive_n", size(line.falsePositive())).set("false_negative_n", size(line.falseNegative()));
        return row;
    }

    private static Number size(WeightedShare share) {
        return share.empty() ? null : Decimal.text(share.size());
    }

    private static void share(Row row, String name, WeightedShare share) {
        if (!share.empty()) {
            row.set(name, Decimal.text(share.share()));
            bounds(row, name, share.wilson());
        }
    }

    private static void bounds(Row row, String name, Interval interval) {
        row.set(name + "_low", Decimal.text(interval.low())).set(name + "_high", Decimal.text(interval.high()));
    }
}
