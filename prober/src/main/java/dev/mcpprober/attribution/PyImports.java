package dev.mcpprober.attribution;

import java.util.ArrayList;
import java.util.List;

/**
 * The modules that a Python source imports. A scanner that knows comments, strings and brackets, so that an import in a docstring
 * or a template is none.
 */
final class PyImports {
    private static final int MAX_FOUND = 20_000;

    /**
     * @param level leading dots of a relative import, 0 for an absolute one
     * @param names what {@code from … import} takes; empty for {@code import module}
     */
    record Import(int level, String module, List<String> names) {}

    private final String source;
    private final List<Import> found = new ArrayList<>();
    private int at;

    private PyImports(String source) {
        this.source = source;
    }

    static List<Import> scan(String source) {
        PyImports scanner = new PyImports(source.replace("\r\n", "\n"));
        scanner.run();
        return scanner.found;
    }

    private void run() {
        int depth = 0;
        boolean statementStart = true;
        while (at < source.length() && found.size() < MAX_FOUND) {
            char c = source.charAt(at);
            if (c == '#') {
                skipLine();
            } else if (c == '"' || c == '\'') {
                string();
                statementStart = false;
            } else if (c == '\\' && at + 1 < source.length()) {
                at += 2;
            } else if (c == '\n') {
                at++;
                statementStart = depth == 0;
            } else if (Character.isWhitespace(c) || c == '\uFEFF') {
                at++;
            } else if (Character.isJavaIdentifierStart(c)) {
                String word = word();
                if (statementStart && word.equals("import")) {
                    plainImport();
                } else if (statementStart && word.equals("from")) {
                    fromImport();
                }
                statementStart = false;
            } else {
                depth = Math.max(0, depth + ("([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0));
                statementStart = depth == 0 && (c == ';' || c == ':');
                at++;
            }
        }
    }

    private void plainImport() {
        do {
            String module = dotted();
            if (module.isEmpty()) {
                return;
            }
            found.add(new Import(0, module, List.of()));
            blanks(false);
            if (source.startsWith("as", at) && !identifierAt(at + 2)) {
                at += 2;
                blanks(false);
                word();
                blanks(false);
            }
        } while (take(','));
    }

    private void fromImport() {
        blanks(false);
        int level = 0;
        while (at < source.length() && source.charAt(at) == '.') {
            level++;
            at++;
            blanks(false);
        }
        blanks(false);
        String module = source.startsWith("import", at) && !identifierAt(at + 6) ? "" : dotted();
        blanks(false);
        if (!source.startsWith("import", at) || identifierAt(at + 6)) {
            return;
        }
        at += 6;
        blanks(false);
        boolean bracket = take('(');
        List<String> names = new ArrayList<>();
        do {
            blanks(bracket);
            if (take('*')) {
                names.add("*");
                break;
            }
            String name = word();
            if (name.isEmpty()) {
                break;
            }
            names.add(name);
            blanks(bracket);
            if (source.startsWith("as", at) && !identifierAt(at + 2)) {
                at += 2;
                blanks(bracket);
                word();
                blanks(bracket);
            }
        } while (take(','));
        blanks(bracket);
        if (bracket) {
            take(')');
        }
        found.add(new Import(level, module, List.copyOf(names)));
    }

    private String dotted() {
        blanks(false);
        StringBuilder name = new StringBuilder(word());
        while (at < source.length() && source.charAt(at) == '.' && name.length() > 0) {
            at++;
            name.append('.').append(word());
        }
        return name.toString();
    }

    private String word() {
        int start = at;
        while (identifierAt(at)) {
            at++;
        }
        return source.substring(start, at);
    }

    private boolean identifierAt(int index) {
        return index < source.length() && Character.isJavaIdentifierPart(source.charAt(index));
    }

    private boolean take(char c) {
        if (at < source.length() && source.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void blanks(boolean lines) {
        while (at < source.length()) {
            char c = source.charAt(at);
            if (c == ' ' || c == '\t' || lines && c == '\n') {
                at++;
            } else if (c == '\\' && at + 1 < source.length() && source.charAt(at + 1) == '\n') {
                at += 2;
            } else if (lines && c == '#') {
                skipLine();
            } else {
                return;
            }
        }
    }

    private void skipLine() {
        int end = source.indexOf('\n', at);
        at = end < 0 ? source.length() : end;
    }

    private void string() {
        char quote = source.charAt(at);
        String triple = String.valueOf(quote).repeat(3);
        boolean isTriple = source.startsWith(triple, at);
        at += isTriple ? 3 : 1;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (c == '\\') {
                at += 2;
            } else if (isTriple ? source.startsWith(triple, at) : c == quote || c == '\n') {
                at += isTriple ? 3 : c == quote ? 1 : 0;
                return;
            } else {
                at++;
            }
        }
    }
}
