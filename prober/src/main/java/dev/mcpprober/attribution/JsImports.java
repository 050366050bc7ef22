package dev.mcpprober.attribution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The modules that a JavaScript source names in {@code import}, {@code export … from}, {@code import()} and {@code require()}.
 *
 * <p>A scanner, not a parser: it knows comments, strings, templates and regular expressions well enough that code inside a
 * string (a scaffolding tool's template, a usage text) is not taken for an import.
 */
final class JsImports {
    private static final Set<String> BEFORE_REGEX = Set.of("return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new",
            "instanceof", "await", "yield");
    private static final Set<String> BEFORE_PAREN = Set.of("if", "while", "for", "with");
    private static final Pattern REQUIRE = Pattern.compile("(__)?require\\d*");
    private static final int MAX_FOUND = 20_000;

    /** @param names what is taken from the module, as far as the statement says */
    record Import(String specifier, List<String> names) {}

    /**
     * @param identifiers every identifier in code position
     * @param literals    string literals that look like the path of a script
     */
    record Scan(List<Import> imports, Set<String> identifiers, Set<String> literals) {}

    private final String source;
    private final List<Import> imports = new ArrayList<>();
    private final Set<String> identifiers = new LinkedHashSet<>();
    private final Set<String> literals = new LinkedHashSet<>();
    /** What stands before each open bracket, and for a template's hole the mark {@code `}. */
    private final Deque<String> openers = new ArrayDeque<>();
    private int at;
    private String last = "";
    private boolean regexAllowed = true;

    private JsImports(String source) {
        this.source = source;
    }

    static Scan scan(String source) {
        JsImports scanner = new JsImports(source);
        scanner.run();
        return new Scan(scanner.imports, scanner.identifiers, scanner.literals);
    }

    private void run() {
        if (source.startsWith("#!")) {
            skipLine();
        }
        for (skipBlank(); at < source.length(); skipBlank()) {
            char c = source.charAt(at);
            if (c == '"' || c == '\'') {
                literal(string());
                token("''", false);
            } else if (c == '`') {
                at++;
                template();
            } else if (identifierStart(c)) {
                identifier();
            } else if (Character.isDigit(c)) {
                while (at < source.length() && (Character.isLetterOrDigit(source.charAt(at)) || source.charAt(at) == '.')) {
                    at++;
                }
                token("0", false);
            } else if (c == '/' && regexAllowed && regex()) {
                token("//", false);
            } else {
                punctuation(c);
            }
        }
    }

    private void punctuation(char c) {
        at++;
        switch (c) {
            case '(', '[', '{' -> {
                openers.push(last);
                token(String.valueOf(c), true);
            }
            case ')' -> token(")", !openers.isEmpty() && BEFORE_PAREN.contains(openers.pop()));
            case ']' -> {
                openers.poll();
                token("]", false);
            }
            case '}' -> {
                String before = openers.isEmpty() ? "" : openers.pop();
                if (before.equals("`")) {
                    template();
                } else {
                    token("}", !startsExpression(before));
                }
            }
            case '+', '-' -> token(String.valueOf(c), !(last.equals(String.valueOf(c)) && !regexAllowed));
            default -> token(c == '>' && last.equals("=") ? "=>" : String.valueOf(c), true);
        }
    }

    /** True for what stands before the brace of an object literal, after whose end a slash divides. */
    private static boolean startsExpression(String before) {
        return before.length() == 1 && "=(,:?[&|+-!".contains(before) || before.equals("return") || before.equals("typeof");
    }

    private void identifier() {
        int start = at;
        while (at < source.length() && identifierPart(source.charAt(at))) {
            at++;
        }
        String word = source.substring(start, at);
        boolean member = last.equals(".");
        if (identifiers.size() < MAX_FOUND) {
            identifiers.add(word);
        }
        token(word, BEFORE_REGEX.contains(word) && !member);
        if (member || imports.size() >= MAX_FOUND) {
            return;
        }
        int resume = at;
        boolean found = word.equals("import") ? afterImport() : word.equals("export") ? afterExport()
                : REQUIRE.matcher(word).matches() && call();
        if (found) {
            token("''", false);
        } else {
            at = resume;
        }
    }

    private boolean afterImport() {
        skipBlank();
        if (peek('(')) {
            return call();
        }
        if (peek('"') || peek('\'')) {
            imports.add(new Import(string(), List.of()));
            return true;
        }
        return !peek('.') && clause(true);
    }

    private boolean afterExport() {
        skipBlank();
        return (peek('{') || peek('*')) && clause(false);
    }

    /** {@code name, { a as b }, * as c from "x"}; anything else is no import and consumes nothing. */
    private boolean clause(boolean isImport) {
        List<String> names = new ArrayList<>();
        boolean typeClause = source.startsWith("type", at) && at + 4 < source.length() && Character.isWhitespace(source.charAt(at + 4))
                && !source.startsWith("from", at + 5);
        for (int tokens = 0; tokens < 5_000; tokens++) {
            skipBlank();
            if (at >= source.length()) {
                return false;
            }
            char c = source.charAt(at);
            if (c == '{' || c == '}' || c == ',' || c == '*') {
                at++;
            } else if (c == '"' || c == '\'') {
                string();
            } else if (identifierStart(c)) {
                int start = at;
                while (at < source.length() && identifierPart(source.charAt(at))) {
                    at++;
                }
                String word = source.substring(start, at);
                skipBlank();
                if (word.equals("from") && (peek('"') || peek('\''))) {
                    String specifier = string();
                    boolean typesOnly = isImport && typeClause;
                    if (!typesOnly) {
                        imports.add(new Import(specifier, List.copyOf(names)));
                    }
                    return true;
                }
                names.add(word);
                if (identifiers.size() < MAX_FOUND) {
                    identifiers.add(word);
                }
            } else {
                return false;
            }
        }
        return false;
    }

    /** {@code ("x")} or {@code ("x", …)}. */
    private boolean call() {
        skipBlank();
        if (!peek('(')) {
            return false;
        }
        at++;
        skipBlank();
        if (!peek('"') && !peek('\'') && !peek('`')) {
            return false;
        }
        String specifier = string();
        skipBlank();
        if (specifier.contains("${") || !(peek(')') || peek(','))) {
            return false;
        }
        imports.add(new Import(specifier, List.of()));
        if (peek(',')) {
            openers.push("call");
        }
        at++;
        return true;
    }

    private boolean peek(char c) {
        return at < source.length() && source.charAt(at) == c;
    }

    private void token(String text, boolean mayStartRegex) {
        last = text;
        regexAllowed = mayStartRegex;
    }

    private void literal(String text) {
        if (literals.size() < 1_000 && text.length() < 300 && (text.endsWith(".js") || text.endsWith(".mjs") || text.endsWith(".cjs"))) {
            literals.add(text);
        }
    }

    /** Reads the string literal at hand, which ends at its quote or, when it is broken, at the end of the line. */
    private String string() {
        char quote = source.charAt(at++);
        StringBuilder text = new StringBuilder();
        while (at < source.length()) {
            char c = source.charAt(at++);
            if (c == quote) {
                break;
            }
            if (c == '\\' && at < source.length()) {
                c = source.charAt(at++);
            } else if (c == '\n' && quote != '`') {
                break;
            }
            text.append(c);
        }
        return text.toString();
    }

    /** Reads on inside a template, to its end or to its next hole. */
    private void template() {
        while (at < source.length()) {
            char c = source.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '`') {
                token("''", false);
                return;
            } else if (c == '$' && peek('{')) {
                at++;
                openers.push("`");
                token("{", true);
                return;
            }
        }
    }

    /** Skips a regular expression; false (nothing skipped) when the line ends first, so that it was a division. */
    private boolean regex() {
        boolean inClass = false;
        for (int i = at + 1; i < source.length(); i++) {
            char c = source.charAt(i);
            if (c == '\n') {
                return false;
            } else if (c == '\\') {
                i++;
            } else if (c == '[') {
                inClass = true;
            } else if (c == ']') {
                inClass = false;
            } else if (c == '/' && !inClass) {
                at = i + 1;
                return true;
            }
        }
        return false;
    }

    private void skipBlank() {
        while (at < source.length()) {
            char c = source.charAt(at);
            if (Character.isWhitespace(c) || c == '\uFEFF') {
                at++;
            } else if (c == '/' && source.startsWith("//", at)) {
                skipLine();
            } else if (c == '/' && source.startsWith("/*", at)) {
                int end = source.indexOf("*/", at + 2);
                at = end < 0 ? source.length() : end + 2;
            } else {
                return;
            }
        }
    }

    private void skipLine() {
        int end = source.indexOf('\n', at);
        at = end < 0 ? source.length() : end;
    }

    private static boolean identifierStart(char c) {
        return Character.isJavaIdentifierStart(c);
    }

    private static boolean identifierPart(char c) {
        return Character.isJavaIdentifierPart(c);
    }
}
