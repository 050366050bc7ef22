package dev.mcpprober.dataset.drift;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A package whose releases in two dependency trees differ.
 *
 * @param from releases that only the first tree has, parted by commas; empty where the package is new
 * @param to   releases that only the second tree has; empty where the package is gone
 */
public record TreeChange(String name, String from, String to) {
    /** Of trees as install records hold them: {@code name@version} each. By name. */
    public static List<TreeChange> between(List<String> before, List<String> after) {
        Map<String, TreeSet<String>> a = releases(before);
        Map<String, TreeSet<String>> b = releases(after);
        TreeSet<String> names = new TreeSet<>(a.keySet());
        names.addAll(b.keySet());
        List<TreeChange> out = new ArrayList<>();
        for (String name : names) {
            TreeSet<String> gone = new TreeSet<>(a.getOrDefault(name, new TreeSet<>()));
            TreeSet<String> come = new TreeSet<>(b.getOrDefault(name, new TreeSet<>()));
            TreeSet<String> both = new TreeSet<>(gone);
            both.retainAll(come);
            gone.removeAll(both);
            come.removeAll(both);
            if (!gone.isEmpty() || !come.isEmpty()) {
                out.add(new TreeChange(name, String.join(",", gone), String.join(",", come)));
            }
        }
        return out;
    }

    private static Map<String, TreeSet<String>> releases(List<String> tree) {
        Map<String, TreeSet<String>> out = new TreeMap<>();
        for (String entry : tree) {
            int at = entry.lastIndexOf('@');
            out.computeIfAbsent(at > 0 ? entry.substring(0, at) : entry, key -> new TreeSet<>()).add(at > 0 ? entry.substring(at + 1) : "");
        }
        return out;
    }

    @Override
    public String toString() {
        return name + " " + (from.isEmpty() ? "(new)" : from) + " -> " + (to.isEmpty() ? "(gone)" : to);
    }
}
