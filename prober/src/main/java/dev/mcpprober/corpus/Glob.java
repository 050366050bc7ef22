package dev.mcpprober.corpus;

/** Patterns of names: {@code *} stands for any characters, {@code ?} for one, everything else for itself. */
public final class Glob {
    private Glob() {}

    /** Takes at most the product of both lengths, whatever the pattern. */
    public static boolean matches(String glob, String name) {
        int g = 0;
        int n = 0;
        int star = -1;
        int from = 0;
        while (n < name.length()) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                star = g++;
                from = n;
            } else if (g < glob.length() && (glob.charAt(g) == '?' || glob.charAt(g) == name.charAt(n))) {
                g++;
                n++;
            } else if (star >= 0) {
                // The last star takes one character more.
                g = star + 1;
                n = ++from;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }
}
