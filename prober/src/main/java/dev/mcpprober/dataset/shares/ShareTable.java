package dev.mcpprober.dataset.shares;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Table shares: every share with count, denominator, interval, method and publishers. */
public final class ShareTable {
    public static final TableSchema SCHEMA = new TableSchema("shares", "Every share: k of n servers, with 95 % intervals that take servers of one "
            + "publisher as alike. A publisher is an npm scope, else a package.", List.of(
            oneOf("figure", "state: ends of measured rows. startup-failure: why a measured server gave no session. no-fail: servers that started without a check "
                    + "that fails under the revision that stands for them, or before one was agreed on. decided: servers that started whose verdict is pass, fail, warn or divergent. verdict: of the decided ones. observed: servers that "
                    + "started, of those that the question was put to. consequence: the same, what came of bad arguments; none where they were not accepted. answered: of "
                    + "servers that were offered the version in column check, what they answered; a version, other, or how the request was met.",
                    List.of("state", "startup-failure", "no-fail", "decided", "verdict", "observed", "consequence", "answered")).always(),
            plain("rule_set", "Rule set and version; none where none is behind it.").always(),
            plain("check", "Check, or version offered; none where it is of no single one. Each server counts once for a check, see README.").always(),
            plain("value", "What is counted.").always(),
            oneOf("group_by", "Dimension of the group.", Shares.groupings()).always(),
            plain("group", "Which servers: all, registry, negotiated revision, SDK family, the last two, or SDK family and its exact version.").always(),
            integer("k", "Servers with the value.").always(),
            integer("n", "Servers of the group that are counted.").always(),
            number("share", "k / n."),
            number("ci_low", "Lower bound of the interval."),
            number("ci_high", "Upper bound."),
            oneOf("ci_method", "wilson: score interval at n. wilson-neff: the same at n_eff.", List.of("wilson", "wilson-neff")).always(),
            integer("n_clusters", "Publishers among the n.").always(),
            number("deff", "Design effect: variance as a multiple of that of independent draws, at least 1. Where k is 0 or n it cannot be estimated and is "
                    + "n / n_clusters."),
            number("n_eff", "n / deff."),
            number("t_low", "Lower bound of the linearised interval, Student's t with n_clusters - 1; empty with fewer than two publishers and where k is 0 or n."),
            number("t_high", "Upper bound."),
            number("exact_low", "Lower bound of the Clopper-Pearson interval, which takes servers as independent."),
            number("exact_high", "Upper bound."),
            integer("one_k", "The same with one server of each publisher, the one whose target_id has the lowest SHA-256.").always(),
            number("one_share", "one_k / n_clusters."),
            number("one_low", "Lower bound of its Wilson interval."),
            number("one_high", "Upper bound.")),
            List.of("figure", "rule_set", "check", "value", "group_by", "group"), List.of());

    private ShareTable() {}

    /** Writes {@code shares.csv} into {@code folder}. */
    public static Path write(List<ShareLine> lines, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (CsvTable table = new CsvTable(folder, SCHEMA)) {
            table.add(lines.stream().map(ShareTable::row).toList());
            return table.finish();
        }
    }

    /** The row as it stands in the table, a missing value empty. */
    public static List<String> cells(ShareLine line) {
        return row(line).texts();
    }

    static Row row(ShareLine line) {
        ClusteredShare share = line.share();
        Proportion all = share.all();
        Row row = new Row(SCHEMA).set("figure", line.of().figure()).set("rule_set", line.of().ruleSet()).set("check", line.of().check())
                .set("value", line.of().value()).set("group_by", line.group().by()).set("group", line.group().value())
                .set("k", all.k()).set("n", all.n()).set("ci_method", line.method()).set("n_clusters", share.publishers()).set("one_k", line.onePerPublisher().k());
        if (all.n() == 0) {
            return row;
        }
        row.set("share", Decimal.text(all.share().getAsDouble())).set("deff", Decimal.text(share.designEffect()))
                .set("n_eff", Decimal.text(share.effectiveSize())).set("one_share", Decimal.text(line.onePerPublisher().share().getAsDouble()));
        bounds(row, "ci", share.wilson());
        bounds(row, "exact", all.clopperPearson());
        bounds(row, "one", line.onePerPublisher().wilson());
        // Where all servers are the same there is no spread to take a standard error from.
        if (share.publishers() > 1 && all.k() > 0 && all.k() < all.n()) {
            bounds(row, "t", share.linearised());
        }
        return row;
    }

    private static void bounds(Row row, String name, Interval interval) {
        row.set(name + "_low", Decimal.text(interval.low())).set(name + "_high", Decimal.text(interval.high()));
    }
}
