package dev.mcpprober.dataset.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The audit: labels against the decisions that they are of, rates against the labels, raw shares against the tables. */
final class AuditCheck {
    private static final double NEAR = 1e-8;
    private static final Set<String> DECIDING = Set.of("pass", "fail", "warn", "divergent");
    private static final String ADJUDICATED = "adjudicated";
    private static final String CANNOT_TELL = "cannot-tell";

    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final Problems problems;

    AuditCheck(Path folder, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.tables = tables;
        this.problems = problems;
    }

    /** Answers to one decision. */
    private static final class Answers {
        private final Set<String> words = new TreeSet<>();
        private String settled;
        private long stratum;
        private boolean shape;

        /** Empty where labellers disagree. */
        String truth() {
            return settled != null ? settled : words.size() == 1 ? words.iterator().next() : "";
        }
    }

    void run() throws IOException {
        boolean[] withheld = new boolean[1];
        each("targets", row -> withheld[0] |= row.get("disclosure").equals("withheld"));
        decided();
        Map<String, Answers> answers = labels();
        Map<Long, int[]> counted = new HashMap<>();
        answers.values().forEach(of -> {
            int[] counts = counted.computeIfAbsent(of.stratum, key -> new int[3]);
            counts[of.truth().isEmpty() ? 2 : of.truth().equals(CANNOT_TELL) && !of.shape ? 1 : 0]++;
        });
        Map<Long, Integer> populations = new HashMap<>();
        Map<Long, Integer> known = counts(withheld[0]);
        Map<Long, Integer> sums = new HashMap<>();
        each("audit", row -> {
            long stratum = row.key("kind", "rule_set", "rule", "decided");
            populations.put(stratum, row.count("k"));
            sums.merge(pool(row), Math.max(0, row.count("k")), Integer::sum);
            int[] is = counted.getOrDefault(stratum, new int[3]);
            if (is[0] != row.count("labelled") || is[1] != row.count("cannot_tell") || is[2] != row.count("open")) {
                bad(row, "labelled, cannot_tell and open are " + row.get("labelled") + ", " + row.get("cannot_tell") + " and " + row.get("open") + ", table labels makes them "
                        + is[0] + ", " + is[1] + " and " + is[2]);
            }
            Integer inTables = known.get(stratum);
            if (inTables != null && inTables != row.count("k")) {
                bad(row, "k is " + row.get("k") + ", the tables have " + inTables);
            }
            figures(row);
            if (answers.isEmpty() && !row.get("status").equals("not-audited")) {
                bad(row, "status " + row.get("status") + ", and nobody has labelled anything");
            }
        });
        known.keySet().stream().filter(stratum -> !populations.containsKey(stratum)).findAny()
                .ifPresent(stratum -> problems.add(tables.get("audit").path(), 0, "a word that the tables have is missing"));
        each("audit", row -> {
            boolean deciding = row.get("kind").equals("verdict") && DECIDING.contains(row.get("decided"));
            int sum = sums.getOrDefault(pool(row), 0) + (deciding || !row.get("kind").equals("verdict") ? 0 : sums.getOrDefault(Keys.of("verdict", row.get("rule_set"), row.get("rule"), "+"), 0));
            if (sum != row.count("n")) {
                bad(row, "n is " + row.get("n") + ", the words that it is of sum up to " + sum);
            }
        });
        each("labels", row -> {
            if (populations.getOrDefault(Keys.of(row.get("kind"), ruleSet(row), row.get("rule"), row.get("decided")), -1) != row.count("population")) {
                bad(row, "population is " + row.get("population") + ", and not the k of its word in table audit");
            }
        });
    }

    /** Verdicts that decide are one pool, the other words of a rule another. */
    private static long pool(TableRow row) {
        boolean deciding = row.get("kind").equals("verdict") && DECIDING.contains(row.get("decided"));
        return Keys.of(row.get("kind"), row.get("rule_set"), row.get("rule"), deciding ? "+" : "");
    }

    private static String ruleSet(TableRow label) {
        return label.get("rule_set").isEmpty() ? "none" : label.get("rule_set");
    }

    private Map<String, Answers> labels() throws IOException {
        Map<String, Answers> answers = new HashMap<>();
        each("labels", row -> {
            Answers of = answers.computeIfAbsent(row.get("decision"), key -> new Answers());
            long stratum = Keys.of(row.get("kind"), ruleSet(row), row.get("rule"), row.get("decided"));
            if (of.stratum != 0 && of.stratum != stratum) {
                bad(row, "decision " + row.get("decision") + " is decided otherwise in another row");
            }
            of.stratum = stratum;
            of.shape = row.get("kind").equals("failure-shape");
            if (row.get("labeller").equals(ADJUDICATED)) {
                of.settled = row.get("label");
            } else {
                of.words.add(row.get("label"));
            }
            if (Math.abs(number(row, "weight") * row.count("sampled") - row.count("population")) > NEAR * row.count("population")) {
                bad(row, "weight is " + row.get("weight") + ", and not " + row.get("population") + " / " + row.get("sampled"));
            }
        });
        return answers;
    }

    /** What a label says was decided is what the table of the decision says. */
    private void decided() throws IOException {
        LongTable said = new LongTable();
        each("verdicts", row -> said.add(row.key("target_id", "observation", "rule_set", "check", "verdict")));
        each("observations", row -> said.add(row.key("target_id", "observation", "check", "consequence")));
        each("failure-shapes", row -> said.add(row.key("target_id", "failure", "shape")));
        each("attribution", row -> said.add(Keys.of("sdk-family", row.get("target_id"), row.get("family"))));
        each("targets", row -> said.add(Keys.of("startup-failure", row.get("target_id"), row.get("startup_failure"))));
        each("labels", row -> {
            long decision = switch (row.get("kind")) {
                case "verdict" -> row.key("target_id", "observation", "rule_set", "rule", "decided");
                case "consequence" -> row.key("target_id", "observation", "rule", "decided");
                case "failure-shape" -> row.key("target_id", "failure", "decided");
                default -> row.key("kind", "target_id", "decided");
            };
            boolean withheld = row.get("decision").startsWith("withheld-");
            if (withheld ? !(row.get("target_id") + row.get("observation") + row.get("failure")).isEmpty() : row.get("target_id").isEmpty()) {
                bad(row, withheld ? "a label of a withheld server says whose it is" : "a label of nothing");
            } else if (!withheld && !said.contains(decision)) {
                bad(row, "decided is " + row.get("decided") + ", and the row of its " + row.get("kind") + " says otherwise or is not there");
            }
        });
    }

    /** How often each word stands in the other tables, by stratum; of a withheld server not all rows are published. */
    private Map<Long, Integer> counts(boolean withheld) throws IOException {
        Map<Long, Integer> out = new HashMap<>();
        each("shares", row -> {
            if (row.get("figure").equals("verdict") && row.get("group_by").equals("all") && row.count("k") > 0) {
                out.put(Keys.of("verdict", row.get("rule_set"), row.get("check"), row.get("value")), row.count("k"));
            }
        });
        each("targets", row -> {
            if (!row.get("startup_failure").isEmpty()) {
                out.merge(Keys.of("startup-failure", "none", "startup-failure", row.get("startup_failure")), 1, Integer::sum);
            }
        });
        if (!withheld) {
            each("attribution", row -> out.merge(Keys.of("sdk-family", "none", "sdk-family", row.get("family")), 1, Integer::sum));
            each("failure-shapes", row -> out.merge(Keys.of("failure-shape", "none", "failure-shape", row.get("shape")), 1, Integer::sum));
            each("observations", row -> {
                if (!row.get("consequence").isEmpty() && row.get("repeat").equals(CrossCheck.STANDING)) {
                    out.merge(Keys.of("consequence", "none", row.get("check"), row.get("consequence")), 1, Integer::sum);
                }
            });
        }
        return out;
    }

    private void figures(TableRow row) {
        int k = row.count("k");
        int n = row.count("n");
        double share = number(row, "share");
        boolean right = 0 <= k && k <= n && n > 0 && Math.abs(share - (double) k / n) < NEAR && between(row, "share", "ci") && 0 <= row.count("right")
                && row.count("right") <= row.count("labelled") && row.count("labelled") + row.count("cannot_tell") + row.count("open") <= row.count("sampled")
                && row.count("sampled") <= k;
        for (String rate : List.of("ppv", "npv", "false_positive", "false_negative", "rule_error")) {
            right &= between(row, rate, rate);
        }
        right &= row.get("ppv").isEmpty() ? row.count("labelled") == 0 : Math.abs(number(row, "ppv") * row.count("labelled") - row.count("right")) < NEAR * Math.max(1, k);
        right &= row.get("corrected").isEmpty() || row.get("status").equals("audited") && corrected(row, share);
        if (!right) {
            bad(row, "k, n, shares, rates and their intervals do not agree");
        }
    }

    private boolean corrected(TableRow row, double share) {
        double sensitivity = 1 - number(row, "false_negative");
        double specificity = 1 - number(row, "false_positive");
        double expected = Math.min(1, Math.max(0, (share + specificity - 1) / (sensitivity + specificity - 1)));
        return sensitivity + specificity > 1 && Math.abs(number(row, "corrected") - expected) < 1e-6 && number(row, "corrected_low") <= number(row, "corrected_high");
    }

    /** True where the figure lies within its interval, or neither is there. */
    private boolean between(TableRow row, String figure, String interval) {
        double is = number(row, figure);
        boolean none = Double.isNaN(is) && row.get(interval + "_low").isEmpty() && row.get(interval + "_high").isEmpty();
        return none || number(row, interval + "_low") <= is + NEAR && is <= number(row, interval + "_high") + NEAR && is >= 0 && is <= 1;
    }

    private static double number(TableRow row, String column) {
        try {
            return row.number(column);
        } catch (NumberFormatException e) {
            // The check of the table has said so; nothing agrees with what is no number.
            return Double.NaN;
        }
    }

    private void each(String table, Consumer<TableRow> rows) throws IOException {
        TableCheck.each(folder, tables.get(table), rows);
    }

    private void bad(TableRow row, String what) {
        problems.add(row.table().path(), row.number(), what);
    }
}
