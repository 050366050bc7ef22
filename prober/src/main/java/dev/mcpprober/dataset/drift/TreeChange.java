package dev.mcpprober.dataset.drift;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A package whose releases in two dependency trees differ.
 *
 * @param from releases that only the first tree has, parted by commas; empty where the package is new
 * @param to   releases that only the second tree has; empty where the package is gone
 */
public record TreeChange(String name, String from, String to) {
    private static final Pattern LEADING = Pattern.compile("(?:\\d+!)?[vV]?(\\d+)(?:\\.(\\d+))?.*", Pattern.DOTALL);

    /** How large the step between two releases of a package is; the kinds that rather are a cause than a consequence come first. */
    public enum Step {
        MAJOR("major", "another first number, of a first number 0 another second one"),
        RELEASE("release", "another release"),
        NEW("new", "a package that was not there before"),
        GONE("gone", "a package that is not there any more");

        private final String id;
        private final String meaning;

        Step(String id, String meaning) {
            this.id = id;
            this.meaning = meaning;
        }

        public String id() {
            return id;
        }

        public String meaning() {
            return meaning;
        }
    }

    public Step step() {
        if (to.isEmpty()) {
            return Step.GONE;
        } else if (from.isEmpty()) {
            return Step.NEW;
        }
        return line(from).equals(line(to)) ? Step.RELEASE : Step.MAJOR;
    }

    /** What semantic versioning keeps compatible. Of several releases the last is taken. */
    private static String line(String releases) {
        String release = releases.substring(releases.lastIndexOf(',') + 1);
        Matcher numbers = LEADING.matcher(release);
        if (!numbers.matches()) {
            return release;
        }
        return numbers.group(1).equals("0") ? "0." + numbers.group(2) : numbers.group(1);
    }

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
