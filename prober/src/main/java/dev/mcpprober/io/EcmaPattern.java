package dev.mcpprober.io;

import java.util.Optional;

/**
 * Whether a text is a regular expression of ECMA-262 with the flag {@code u}, as JSON Schema recommends them to be. Reads the grammar, in
 * one pass without going back; does not run anything.
 */
public final class EcmaPattern {
    private static final int MAX_DEPTH = 200;
    private static final String SYNTAX = "^$\\.*+?()[]{}|/";

    private final String text;
    private int at;
    private int depth;
    private String fault;

    private EcmaPattern(String text) {
        this.text = text;
    }

    /** What is wrong with it; empty when nothing is, or where it is nested too deep to say. */
    public static Optional<String> fault(String pattern) {
        EcmaPattern reader = new EcmaPattern(pattern);
        reader.disjunction();
        if (reader.fault == null && reader.at < pattern.length()) {
            reader.fault = "unmatched )";
        }
        return reader.depth > MAX_DEPTH ? Optional.empty() : Optional.ofNullable(reader.fault);
    }

    private boolean more() {
        return fault == null && depth <= MAX_DEPTH && at < text.length();
    }

    private char next() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean take(String token) {
        boolean there = text.startsWith(token, at);
        at += there ? token.length() : 0;
        return there;
    }

    private void fail(String why) {
        fault = fault == null ? why : fault;
    }

    private void disjunction() {
        while (more() && next() != ')') {
            if (!take("|")) {
                term();
            }
        }
    }

    private void term() {
        boolean repeatable = true;
        char c = next();
        if (c == '(') {
            repeatable = group();
        } else if (c == '[') {
            at++;
            set();
        } else if (c == '\\') {
            at++;
            repeatable = next() != 'b' && next() != 'B';
            escape(false);
        } else if (c == '^' || c == '$') {
            at++;
            repeatable = false;
        } else if ("*+?{".indexOf(c) >= 0) {
            fail("nothing to repeat before " + c);
        } else if (c == ']' || c == '}') {
            fail("unmatched " + c);
        } else {
            at += Character.charCount(text.codePointAt(at));
        }
        if (fault == null) {
            quantifier(repeatable);
        }
    }

    private void quantifier(boolean repeatable) {
        int start = at;
        if (!take("*") && !take("+") && !take("?")) {
            if (next() != '{') {
                return;
            }
            int close = text.indexOf('}', at);
            String inside = close < 0 ? "" : text.substring(at + 1, close);
            if (!inside.matches("\\d+(,\\d*)?")) {
                fail("a { that counts nothing");
                return;
            }
            at = close + 1;
        }
        if (!repeatable) {
            fail("a repeated assertion: " + text.substring(start, at));
        }
        take("?");
        if (next() == '+') {
            fail("possessive quantifier");
        }
    }

    /** False for what must not be repeated: look-arounds. */
    private boolean group() {
        at++;
        boolean repeatable = true;
        if (take("?")) {
            if (take("=") || take("!") || take("<=") || take("<!")) {
                repeatable = false;
            } else if (take("<")) {
                int close = text.indexOf('>', at);
                if (close < 0 || !text.substring(at, close).matches("[\\p{L}$_][\\p{L}\\p{N}$_]*")) {
                    fail("a group without a proper name");
                    return true;
                }
                at = close + 1;
            } else if (!take(":")) {
                fail("a group that begins with (?" + (at < text.length() ? text.substring(at, at + Character.charCount(text.codePointAt(at))) : ""));
                return true;
            }
        }
        depth++;
        disjunction();
        if (depth > MAX_DEPTH) {
            return true;
        }
        depth--;
        if (!take(")")) {
            fail("a group without an end");
        }
        return repeatable;
    }

    private void set() {
        take("^");
        while (more() && next() != ']') {
            if (take("\\")) {
                escape(true);
            } else {
                at += Character.charCount(text.codePointAt(at));
            }
        }
        if (!take("]")) {
            fail("a set without an end");
        }
    }

    /** What stands behind a backslash. */
    private void escape(boolean inSet) {
        if (at >= text.length()) {
            fail("a backslash at the end");
            return;
        }
        char c = next();
        at++;
        if ("dDwWsStnvfrbB".indexOf(c) >= 0 && !(inSet && c == 'B') || SYNTAX.indexOf(c) >= 0 || inSet && c == '-') {
            return;
        }
        boolean right = switch (c) {
            case 'c' -> takes("[A-Za-z]");
            case 'x' -> takes("[0-9A-Fa-f]{2}");
            case 'u' -> takes("[0-9A-Fa-f]{4}") || takes("\\{[0-9A-Fa-f]{1,8}\\}");
            case 'p', 'P' -> takes("\\{[A-Za-z_]+(=[A-Za-z0-9_]+)?\\}");
            case 'k' -> !inSet && takes("<[\\p{L}$_][\\p{L}\\p{N}$_]*>");
            case '0' -> !Character.isDigit(next());
            default -> !inSet && c >= '1' && c <= '9' && takes("\\d*");
        };
        if (!right) {
            fail("\\" + text.substring(at - 1, at - 1 + Character.charCount(text.codePointAt(at - 1))));
        }
    }

    private boolean takes(String regex) {
        java.util.regex.Matcher here = java.util.regex.Pattern.compile(regex).matcher(text).region(at, text.length());
        boolean there = here.lookingAt();
        at = there ? here.end() : at;
        return there;
    }
}
