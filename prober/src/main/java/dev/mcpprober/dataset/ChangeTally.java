package dev.mcpprober.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the changes of one derived file. */
final class ChangeTally {
    private static final int GROUPS = 40;
    private static final int TARGETS = 3;

    private final String after;
    private final String before;
    private int same;
    private int differing;
    private final Map<List<String>, Counted> groups = new LinkedHashMap<>();

    private static final class Counted {
        private int count;
        private int targets;
        private String last = "";
        private final Set<String> some = new LinkedHashSet<>();
    }

    ChangeTally(String after, String before) {
        this.after = after;
        this.before = before;
    }

    void same() {
        same++;
    }

    /** Targets come one after the other. */
    void differs(String target, String check, String was, String is) {
        differing++;
        Counted counted = groups.computeIfAbsent(List.of(check, was, is), key -> new Counted());
        counted.count++;
        if (!counted.last.equals(target)) {
            counted.targets++;
            counted.last = target;
            if (counted.some.size() < TARGETS) {
                counted.some.add(target);
            }
        }
    }

    Changes.Part part() {
        List<Changes.Group> all = new ArrayList<>();
        groups.forEach((key, counted) -> all.add(new Changes.Group(key.get(0), key.get(1), key.get(2), counted.count, counted.targets,
                List.copyOf(counted.some))));
        all.sort(Comparator.comparingInt(Changes.Group::count).reversed().thenComparing(Changes.Group::check).thenComparing(Changes.Group::before)
                .thenComparing(Changes.Group::after));
        int shown = Math.min(GROUPS, all.size());
        return new Changes.Part(after, before, same, differing, all.subList(0, shown), all.size() - shown);
    }
}
