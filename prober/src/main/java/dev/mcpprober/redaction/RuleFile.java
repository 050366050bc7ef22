package dev.mcpprober.redaction;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * Reads rules in gitleaks' format. Of a rule count {@code id}, {@code regex}, {@code secretGroup}, {@code entropy}, {@code keywords} and
 * allowlists; a rule for paths alone says nothing of texts and is left out, a path beside an expression is not asked for.
 */
public final class RuleFile {
    private static final long MAX_BYTES = 4 << 20;
    private static final int MAX_RULES = 2_000;

    private final String file;
    private final TomlParseResult root;

    private RuleFile(String file, TomlParseResult root) {
        this.file = file;
        this.root = root;
    }

    /** The rules of a file, labelled by its name and the beginning of its SHA-256. */
    public static CredentialRules read(Path path) throws IOException, RuleFileException {
        String name = Printable.text(path.toString(), 300);
        if (!Files.isRegularFile(path)) {
            throw new RuleFileException(name + ": no such file; name a file of rules in gitleaks' format, such as its gitleaks.toml");
        }
        if (Files.size(path) > MAX_BYTES) {
            throw new RuleFileException(name + ": larger than " + MAX_BYTES + " bytes, which no file of rules is");
        }
        byte[] bytes = Files.readAllBytes(path);
        String label = String.valueOf(path.getFileName()).replaceAll("\\.toml$", "").replaceAll("[^A-Za-z0-9._-]", "_") + "@" + Digests.sha256(bytes).substring(0, 12);
        return parse(name, label, new String(bytes, StandardCharsets.UTF_8));
    }

    static CredentialRules parse(String file, String label, String text) throws RuleFileException {
        TomlParseResult root = Toml.parse(text);
        if (root.hasErrors()) {
            var first = root.errors().get(0);
            throw new RuleFileException(file + ", line " + first.position().line() + ", column " + first.position().column() + ": no TOML: "
                    + Printable.text(String.valueOf(first.getMessage()), 300) + "; mend the file, or name another one");
        }
        return new RuleFile(file, root).rules(label);
    }

    private CredentialRules rules(String label) throws RuleFileException {
        if (root.getBoolean("extend.useDefault", () -> false) || root.contains("extend.path") || root.contains("extend.url")) {
            throw new RuleFileException(file + ": [extend] names rules outside of this file; name a file that holds all of them, such as gitleaks' own gitleaks.toml");
        }
        List<TomlTable> tables = tables(root, "rules", file);
        if (tables.isEmpty() || tables.size() > MAX_RULES) {
            throw new RuleFileException(file + ": " + (tables.isEmpty() ? "holds no [[rules]]" : "holds more than " + MAX_RULES + " rules")
                    + "; name a file of rules in gitleaks' format");
        }
        List<CredentialRule> rules = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < tables.size(); i++) {
            TomlTable table = tables.get(i);
            String where = file + ", rule " + (i + 1);
            String id = text(table, "id", where);
            if (id == null || !id.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")) {
                throw new RuleFileException(where + ": its id " + (id == null ? "is missing" : "\"" + Printable.text(id, 80) + "\" is not made of letters, digits, _ . and -")
                        + "; give it one, it goes into the place of what the rule finds");
            }
            if (!ids.add(id)) {
                throw new RuleFileException(where + " (" + id + "): a rule of this id stands before it; give each its own");
            }
            where += " (" + id + ")";
            String regex = text(table, "regex", where);
            if (regex != null) {
                rules.add(rule(table, id, regex, where));
            } else if (text(table, "path", where) == null) {
                throw new RuleFileException(where + ": has neither regex nor path; give it a regex");
            }
        }
        return new CredentialRules(List.of(label + " (" + rules.size() + " rules)"), rules, allowances(root, file));
    }

    private CredentialRule rule(TomlTable table, String id, String regex, String where) throws RuleFileException {
        Pattern pattern = pattern(regex, where + ", regex");
        long group = number(table, "secretGroup", where).longValue();
        if (group < 0 || group > pattern.groupCount()) {
            throw new RuleFileException(where + ": secretGroup " + group + ", the regex has " + pattern.groupCount() + " groups");
        }
        List<String> keywords = texts(table, "keywords", where).stream().map(word -> bytes(word).toLowerCase(Locale.ROOT)).filter(word -> !word.isEmpty()).toList();
        return new CredentialRule(id, pattern, (int) group, number(table, "entropy", where).doubleValue(), keywords, allowances(table, where));
    }

    private static List<Allowance> allowances(TomlTable table, String where) throws RuleFileException {
        List<TomlTable> lists = new ArrayList<>(tables(table, "allowlists", where));
        if (table.contains("allowlist")) {
            if (!table.isTable("allowlist")) {
                throw new RuleFileException(where + ": allowlist is no table");
            }
            lists.add(table.getTable("allowlist"));
        }
        List<Allowance> out = new ArrayList<>();
        for (TomlTable list : lists) {
            String here = where + ", allowlist";
            List<Pattern> regexes = new ArrayList<>();
            for (String regex : texts(list, "regexes", here)) {
                regexes.add(pattern(regex, here));
            }
            String condition = text(list, "condition", here);
            String target = text(list, "regexTarget", here);
            if (condition != null && !condition.matches("(?i)and|or|&&|\\|\\|")) {
                throw new RuleFileException(here + ": condition \"" + Printable.text(condition, 40) + "\" is neither AND nor OR");
            }
            if (target != null && !target.isEmpty() && !Allowance.TARGETS.contains(target)) {
                throw new RuleFileException(here + ": regexTarget \"" + Printable.text(target, 40) + "\" is none of " + String.join(", ", Allowance.TARGETS));
            }
            boolean elsewhere = !texts(list, "paths", here).isEmpty() || !texts(list, "commits", here).isEmpty();
            out.add(new Allowance(condition != null && condition.matches("(?i)and|&&"), elsewhere, target == null || target.isEmpty() ? "secret" : target, regexes,
                    texts(list, "stopwords", here).stream().map(word -> word.toLowerCase(Locale.ROOT)).toList(), Set.copyOf(new HashSet<>(texts(list, "targetRules", here)))));
        }
        return out;
    }

    private static Pattern pattern(String regex, String where) throws RuleFileException {
        try {
            return Pattern.compile(bytes(regex));
        } catch (PatternSyntaxException e) {
            throw new RuleFileException(where + ": " + Printable.text(e.getMessage(), 300) + "; write it in the syntax of Go's regexp (RE2)");
        }
    }

    /** Texts are looked through byte by byte, so that expressions and words have to be bytes too. */
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static List<TomlTable> tables(TomlTable table, String name, String where) throws RuleFileException {
        List<TomlTable> out = new ArrayList<>();
        if (!table.contains(name)) {
            return out;
        }
        TomlArray array = table.isArray(name) ? table.getArray(name) : null;
        for (int i = 0; array != null && i < array.size(); i++) {
            if (!(array.get(i) instanceof TomlTable entry)) {
                array = null;
                break;
            }
            out.add(entry);
        }
        if (array == null) {
            throw new RuleFileException(where + ": " + name + " is no list of tables; begin each with [[" + name + "]]");
        }
        return out;
    }

    private static String text(TomlTable table, String name, String where) throws RuleFileException {
        if (!table.contains(name)) {
            return null;
        }
        if (!table.isString(name)) {
            throw new RuleFileException(where + ": " + name + " is no text; put it in quotation marks");
        }
        return table.getString(name);
    }

    private static Number number(TomlTable table, String name, String where) throws RuleFileException {
        if (!table.contains(name)) {
            return 0;
        }
        if (table.get(name) instanceof Number number) {
            return number;
        }
        throw new RuleFileException(where + ": " + name + " is no number");
    }

    private static List<String> texts(TomlTable table, String name, String where) throws RuleFileException {
        List<String> out = new ArrayList<>();
        if (!table.contains(name)) {
            return out;
        }
        TomlArray array = table.isArray(name) ? table.getArray(name) : null;
        if (array == null) {
            throw new RuleFileException(where + ": " + name + " is no list of texts");
        }
        for (int i = 0; i < array.size(); i++) {
            if (!(array.get(i) instanceof String text)) {
                throw new RuleFileException(where + ": " + name + " is no list of texts");
            }
            out.add(text);
        }
        return out;
    }
}
