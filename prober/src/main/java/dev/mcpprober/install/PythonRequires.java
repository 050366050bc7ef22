package dev.mcpprober.install;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does a Python release satisfy {@code Requires-Python} (PEP 440 specifiers)? One that cannot be read excludes nothing, as for pip. */
final class PythonRequires {
    private static final Pattern CLAUSE = Pattern.compile("(~=|===?|!=|<=|>=|<|>)\\s*v?(\\d+(?:\\.\\d+)*)(\\.\\*)?[^,]*");

    /** Longer ones are nobody's; a pattern with a repeated group must not meet them. */
    private static final int MAX_LENGTH = 1_000;

    private PythonRequires() {}

    /** @param version e.g. {@code 3.13.5} */
    static boolean allows(String specifiers, String version) {
        if (specifiers.length() > MAX_LENGTH) {
            return true;
        }
        int[] python = numbers(version);
        for (String clause : specifiers.split(",")) {
            Matcher matcher = CLAUSE.matcher(clause.strip());
            if (matcher.matches() && !one(matcher.group(1), numbers(matcher.group(2)), matcher.group(3) != null, python)) {
                return false;
            }
        }
        return true;
    }

    private static boolean one(String operator, int[] wanted, boolean prefix, int[] python) {
        return switch (operator) {
            case ">=" -> compare(python, wanted) >= 0;
            case "<=" -> compare(python, wanted) <= 0;
            case ">" -> compare(python, wanted) > 0;
            case "<" -> compare(python, wanted) < 0;
            case "!=" -> !equal(wanted, prefix, python);
            case "~=" -> compare(python, wanted) >= 0 && equal(cut(wanted), true, python);
            default -> equal(wanted, prefix, python);
        };
    }

    private static boolean equal(int[] wanted, boolean prefix, int[] python) {
        if (!prefix) {
            return compare(python, wanted) == 0;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] != (i < python.length ? python[i] : 0)) {
                return false;
            }
        }
        return true;
    }

    private static int[] cut(int[] version) {
        return Arrays.copyOf(version, Math.max(1, version.length - 1));
    }

    private static int compare(int[] a, int[] b) {
        for (int i = 0; i < Math.max(a.length, b.length); i++) {
            int difference = Integer.compare(i < a.length ? a[i] : 0, i < b.length ? b[i] : 0);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private static int[] numbers(String version) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : version.split("\\.")) {
            Matcher digits = Pattern.compile("^(\\d{1,9}).*").matcher(part);
            if (!digits.matches()) {
                break;
            }
            numbers.add(Integer.parseInt(digits.group(1)));
        }
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
