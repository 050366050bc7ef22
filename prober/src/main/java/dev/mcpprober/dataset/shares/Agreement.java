package dev.mcpprober.dataset.shares;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.TextTable;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Kappa;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Test-retest agreement: how often a later repeat gives a server the verdict on a check that stands for it. Pairs of one server, and of one
 * publisher, depend on each other; the interval takes whole publishers as what was drawn.
 */
public final class Agreement {
    static final TableSchema SCHEMA = new TableSchema("agreement", "Test-retest agreement: verdicts of later repeats held against those that stand.", List.of(
            plain("rule_set", "Rule set and version.").always(),
            plain("check", "Check; all: every check of the rule set together.").always(),
            integer("k", "Pairs with the same verdict.").always(),
            integer("n", "Pairs: the standing verdict of a server on a check in repeat 0, and in a later repeat, where the question was put in both.").always(),
            integer("n_servers", "Servers among them.").always(),
            integer("n_clusters", "Publishers among them.").always(),
            number("share", "k / n."),
            number("ci_low", "Lower bound of the 95 % interval."),
            number("ci_high", "Upper bound."),
            oneOf("ci_method", "Wilson's at n, or at n / deff where a publisher has several pairs.", List.of("wilson", "wilson-neff")).always(),
            number("kappa", "Cohen's kappa over the verdicts but not-run; empty where only one was ever given, when chance explains everything.")),
            List.of("rule_set", "check"), List.of());
    private static final String ALL = "all";
    private static final int WORDS = VerdictWord.values().length;

    private final Map<List<String>, Pairs> lines = new TreeMap<>((a, b) -> a.get(0).equals(b.get(0)) ? order(a.get(1)).compareTo(order(b.get(1))) : a.get(0).compareTo(b.get(0)));

    private static String order(String check) {
        return check.equals(ALL) ? "" : check;
    }

    /** One line. */
    private static final class Pairs {
        private final Map<String, int[]> publishers = new TreeMap<>();
        private final int[][] table = new int[WORDS][WORDS];
        private int servers;
        private String lastServer = "";

        void add(String server, String publisher, VerdictWord stands, VerdictWord later) {
            int[] counts = publishers.computeIfAbsent(publisher, key -> new int[2]);
            counts[0] += stands == later ? 1 : 0;
            counts[1]++;
            table[stands.ordinal()][later.ordinal()]++;
            servers += server.equals(lastServer) ? 0 : 1;
            lastServer = server;
        }

        ClusteredShare share() {
            return new ClusteredShare(publishers.values().stream().map(counts -> new Proportion(counts[0], counts[1])).toList());
        }

        double kappa() {
            return new Kappa(Arrays.stream(table).map(row -> Arrays.stream(row).boxed().toList()).toList()).value();
        }
    }

    /** Counts a server; one whose sessions were not repeated adds nothing. */
    public void add(ServerVerdicts server) {
        String publisher = server.repeats().isEmpty() ? "" : Sample.publisher(server);
        for (Map<String, Map<String, VerdictWord>> repeat : server.repeats()) {
            repeat.forEach((ruleSet, words) -> words.forEach((check, word) -> {
                if (put(word) && server.stand(ruleSet, check) != null && put(server.stand(ruleSet, check).word())) {
                    for (String line : List.of(check, ALL)) {
                        lines.computeIfAbsent(List.of(ruleSet, line), key -> new Pairs()).add(server.row().target(), publisher, server.stand(ruleSet, check).word(), word);
                    }
                }
            }));
        }
    }

    /** A question that was not put has no answer to agree with. */
    private static boolean put(VerdictWord word) {
        return word != VerdictWord.NOT_RUN;
    }

    /** True when no server was measured more than once. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** The whole of each rule set, and the checks on which repeats do not agree. */
    public String text() {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("rules", "check", "same/pairs", "%", "95 % interval", "servers", "kappa")));
        lines.forEach((key, pairs) -> {
            ClusteredShare share = pairs.share();
            if (key.get(1).equals(ALL) || share.all().k() < share.all().n()) {
                Interval interval = share.wilson();
                rows.add(List.of(key.get(0), key.get(1), share.all().k() + "/" + share.all().n(), percent(share.all().share().orElse(Double.NaN)),
                        percent(interval.low()) + " to " + percent(interval.high()), Integer.toString(pairs.servers),
                        Double.isNaN(pairs.kappa()) ? "-" : String.format(Locale.ROOT, "%.2f", pairs.kappa())));
            }
        });
        StringBuilder out = new StringBuilder("Test-retest agreement: verdicts of later repeats held against those that stand. Checks without a line agree throughout.\n");
        TextTable.append(out, rows, "llrrrrr");
        return out.toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", share * 100);
    }

    /** Writes {@code agreement.csv} into {@code folder}. */
    public Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Row> rows = new ArrayList<>();
        lines.forEach((key, pairs) -> rows.add(row(key, pairs)));
        try (CsvTable table = new CsvTable(folder, SCHEMA)) {
            table.add(rows);
            return table.finish();
        }
    }

    private static Row row(List<String> key, Pairs pairs) {
        ClusteredShare share = pairs.share();
        Row row = new Row(SCHEMA).set("rule_set", key.get(0)).set("check", key.get(1)).set("k", share.all().k()).set("n", share.all().n())
                .set("n_servers", pairs.servers).set("n_clusters", share.publishers()).set("share", Decimal.text(share.all().share().getAsDouble()))
                .set("ci_low", Decimal.text(share.wilson().low())).set("ci_high", Decimal.text(share.wilson().high()))
                .set("ci_method", share.publishers() == share.all().n() ? "wilson" : "wilson-neff");
        return Double.isNaN(pairs.kappa()) ? row : row.set("kappa", Decimal.text(pairs.kappa()));
    }
}
