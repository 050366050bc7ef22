package dev.mcpprober.dataset.declared;

import dev.mcpprober.dataset.TextTable;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The main shares of what servers declare, as plain text for a terminal. */
public final class DeclaredText {
    private static final Set<String> TOLD = Set.of("annotations", "effect", "verb", "effect-of-write-verb", "schema-of-write-verb", "schema-of-write-annotation", "name-form",
            "third-state-of-write-verb", "server-annotations", "server-output-schema", "server-third-state");

    private DeclaredText() {}

    /** Over all servers; empty where none lists a tool. */
    public static String render(List<DeclaredShares.Line> lines) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("figure", "value", "of", "k/n", "%", "95 % interval", "publishers"));
        for (DeclaredShares.Line line : lines) {
            if (line.by().equals("all") && TOLD.contains(line.figure())) {
                Proportion all = line.share().all();
                Interval interval = line.share().wilson();
                rows.add(List.of(line.figure(), line.value(), line.unit(), all.k() + "/" + all.n(), percent(all.share().orElseThrow()),
                        percent(interval.low()) + " to " + percent(interval.high()), Integer.toString(line.share().publishers())));
            }
        }
        if (rows.size() == 1) {
            return "";
        }
        StringBuilder out = new StringBuilder("\nWhat servers declare of their tools, without a call; described, never scored. All of it: declared-shares.csv\n");
        TextTable.append(out, rows, "lllrrrr");
        return out.toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", share * 100);
    }
}
