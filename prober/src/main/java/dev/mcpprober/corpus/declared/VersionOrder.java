package dev.mcpprober.corpus.declared;

import java.math.BigInteger;

/** Orders versions of any style: numbers by value, a pre-release before its release. */
final class VersionOrder {
    private VersionOrder() {}

    static int compare(String a, String b) {
        String[] left = parts(a);
        String[] right = parts(b);
        for (int i = 0; i < Math.max(left.length, right.length); i++) {
            int order = part(i < left.length ? left[i] : "", i < right.length ? right[i] : "");
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static String[] parts(String version) {
        String plain = version.strip().replaceFirst("^[vV]", "").replaceFirst("\\+.*", "");
        return plain.length() > 200 ? new String[] {plain} : plain.split("[.\\-_]|(?<=[0-9])(?=[a-zA-Z])|(?<=[a-zA-Z])(?=[0-9])");
    }

    private static int part(String a, String b) {
        boolean leftNumber = a.matches("[0-9]{1,50}");
        boolean rightNumber = b.matches("[0-9]{1,50}");
        if (leftNumber && rightNumber) {
            return new BigInteger(a).compareTo(new BigInteger(b));
        }
        if (leftNumber != rightNumber) {
            // "1.0.1" is after "1.0"; "1.0" is after "1.0-rc": the end stands between words and numbers.
            return rank(a, leftNumber) - rank(b, rightNumber);
        }
        return a.isEmpty() || b.isEmpty() ? rank(a, false) - rank(b, false) : a.compareTo(b);
    }

    private static int rank(String part, boolean number) {
        return number ? 2 : part.isEmpty() ? 1 : 0;
    }
}
