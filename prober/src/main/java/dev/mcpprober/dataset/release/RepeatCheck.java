package dev.mcpprober.dataset.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Repeats: each row belongs to the repeat that its session names, and table flaky has every verdict that another repeat does not share. */
final class RepeatCheck {
    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final Problems problems;

    RepeatCheck(Path folder, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.tables = tables;
        this.problems = problems;
    }

    private interface Rows {
        void take(TableRow row);
    }

    private void each(String table, Rows rows) throws IOException {
        TableCheck.each(folder, tables.get(table), rows::take);
    }

    private void bad(TableRow row, String what) {
        problems.add(row.table().path(), row.number(), what);
    }

    void run() throws IOException {
        each("sessions", this::label);
        LongTable repeats = new LongTable();
        LongTable kinds = new LongTable();
        LongTable subjects = new LongTable();
        LongTable shown = new LongTable();
        each("observations", row -> {
            label(row);
            long key = row.key("target_id", "observation");
            repeats.put(key, Keys.of(row.get("repeat")));
            kinds.put(key, row.key("check", "era", "tool_text", "property_text"));
            shown.put(key, row.key("session", "witness"));
            if (!row.get("repeat_of").isEmpty()) {
                subjects.put(key, row.key("target_id", "repeat_of"));
            }
        });
        each("observations", row -> {
            long of = row.key("target_id", "repeat_of");
            if (!row.get("repeat_of").isEmpty() && (row.get("repeat").equals(CrossCheck.STANDING) || repeats.get(of) != Keys.of(CrossCheck.STANDING)
                    || kinds.get(of) != row.key("check", "era", "tool_text", "property_text"))) {
                bad(row, "is no repeat of observation " + row.get("repeat_of") + ": that is of another repeat than 0, or on something else");
            }
        });
        flaky(repeats, subjects, shown);
    }

    private void label(TableRow row) {
        int tilde = row.get("session").lastIndexOf('~');
        String named = tilde < 0 ? CrossCheck.STANDING : row.get("session").substring(tilde + 1);
        if (!named.equals(row.get("repeat"))) {
            bad(row, "repeat " + row.get("repeat") + ", its session is " + row.get("session"));
        }
    }

    private static boolean put(TableRow row) {
        return !row.get("verdict").equals("not-run");
    }

    /**
     * @param repeats  observation to its repeat
     * @param subjects observation of a later repeat to the one that it repeats
     * @param shown    observation to its session and witness
     */
    private void flaky(LongTable repeats, LongTable subjects, LongTable shown) throws IOException {
        LongTable words = new LongTable();
        // A question that was not put is compared with nothing.
        each("verdicts", row -> words.put(Keys.of(row.get("rule_set"), Long.toString(row.key("target_id", "observation"))), put(row) ? Keys.of(row.get("verdict")) : 0));
        LongTable expected = new LongTable();
        each("verdicts", row -> {
            long stands = subjects.get(row.key("target_id", "observation"));
            long word = stands == 0 ? 0 : words.get(Keys.of(row.get("rule_set"), Long.toString(stands)));
            if (word != 0 && put(row) && word != Keys.of(row.get("verdict"))) {
                // The first one in the order of the rows is that of the lowest repeat: names are given in that order.
                expected.put(Keys.of(row.get("rule_set"), Long.toString(stands)), row.key("target_id", "observation", "verdict"));
            }
        });
        LongTable told = new LongTable();
        each("flaky", row -> {
            long standing = row.key("target_id", "observation");
            long other = row.key("target_id", "other_observation");
            long verdict = Keys.of(row.get("rule_set"), Long.toString(standing));
            told.add(verdict);
            if (expected.get(verdict) != row.key("target_id", "other_observation", "other_verdict")) {
                bad(row, "table verdicts has no other verdict of " + row.get("rule_set") + " by observation " + row.get("other_observation"));
            } else if (words.get(verdict) != Keys.of(row.get("verdict")) || repeats.get(other) != Keys.of(row.get("other_repeat"))
                    || shown.get(standing) != row.key("session", "witness") || shown.get(other) != row.key("other_session", "other_witness")) {
                bad(row, "verdict, repeat, session or witness is not that of its observations");
            } else if (row.count("differing") < 1 || row.count("compared") <= row.count("differing")) {
                bad(row, row.get("differing") + " of " + row.get("compared") + " repeats differ");
            }
        });
        each("verdicts", row -> {
            long verdict = Keys.of(row.get("rule_set"), Long.toString(row.key("target_id", "observation")));
            if (expected.contains(verdict) && !told.contains(verdict)) {
                bad(row, "another repeat does not share this verdict, and table flaky has no row for it");
            }
        });
    }
}
