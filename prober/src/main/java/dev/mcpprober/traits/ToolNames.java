package dev.mcpprober.traits;

import dev.mcpprober.io.YamlTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What the name of a tool tells: whether it is one that revision 2025-11-25 describes, how it is cased, which verb is in it. */
public final class ToolNames {
    /** {@code slash}: but for slashes, which early drafts of SEP-986 allowed. */
    public static final List<String> FORMS = List.of("as-described", "slash", "characters", "too-long", "empty", "missing");
    public static final List<String> STYLES = List.of("one-word", "snake", "kebab", "camel", "pascal", "upper", "dotted", "mixed", "other");
    public static final String READ = "read";
    public static final String WRITE = "write";
    public static final String NONE = "none";
    public static final List<String> VERBS = List.of(READ, WRITE, NONE);

    private static final int MAX_LENGTH = 128;
    private static final Pattern DESCRIBED = Pattern.compile("[A-Za-z0-9_.-]+");
    private static final Pattern WITH_SLASH = Pattern.compile("[A-Za-z0-9_./-]+");
    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern SIGNS = Pattern.compile("[^A-Za-z0-9]+");
    private static final String PART = "[a-z0-9]+";

    private final Set<String> read;
    private final Set<String> write;
    private final Set<String> writeOrNoun;

    /** @param kind one of {@link #VERBS}; {@code word} is empty where it is {@code none} */
    public record Verb(String kind, String word) {}

    /** @param lists of verbs, all in lower case */
    ToolNames(YamlTree lists) {
        this.read = new HashSet<>(lists.texts("read"));
        this.write = new HashSet<>(lists.texts("write"));
        this.writeOrNoun = new HashSet<>(lists.texts("write-or-noun"));
    }

    /** @param name null where the tool has none that is a string */
    static String form(String name) {
        if (name == null) {
            return "missing";
        } else if (name.isEmpty()) {
            return "empty";
        } else if (!WITH_SLASH.matcher(name).matches()) {
            return "characters";
        } else if (name.length() > MAX_LENGTH) {
            return "too-long";
        }
        return DESCRIBED.matcher(name).matches() ? "as-described" : "slash";
    }

    static String style(String whole) {
        String name = whole.substring(0, Math.min(whole.length(), 2 * MAX_LENGTH));
        if (name.matches(PART)) {
            return "one-word";
        } else if (name.matches(PART + "(_" + PART + ")+")) {
            return "snake";
        } else if (name.matches(PART + "(-" + PART + ")+")) {
            return "kebab";
        } else if (name.matches("[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*")) {
            return "camel";
        } else if (name.matches("[A-Z][a-z0-9]+[A-Za-z0-9]*")) {
            return "pascal";
        } else if (name.matches("[A-Z0-9]+(_[A-Z0-9]+)*")) {
            return "upper";
        } else if (name.matches("[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)+")) {
            return "dotted";
        }
        return name.matches("[A-Za-z0-9_-]+") ? "mixed" : "other";
    }

    /** The words of a name in lower case. */
    static List<String> words(String name) {
        List<String> out = new ArrayList<>();
        for (String part : SIGNS.split(name)) {
            for (String word : CAMEL.split(part)) {
                if (!word.isEmpty()) {
                    out.add(word.toLowerCase(Locale.ROOT));
                }
            }
        }
        return out;
    }

    Verb verb(String name) {
        // A verb stands near the beginning; a name of megabytes is no name.
        List<String> words = words(name.substring(0, Math.min(name.length(), 2 * MAX_LENGTH)));
        for (String word : words) {
            if (read.contains(word) || write.contains(word)) {
                return new Verb(read.contains(word) ? READ : WRITE, word);
            }
        }
        return words.stream().filter(writeOrNoun::contains).findFirst().map(word -> new Verb(WRITE, word)).orElse(new Verb(NONE, ""));
    }

    /** Every word of every list, for tests. */
    List<Set<String>> lists() {
        return List.of(read, write, writeOrNoun);
    }
}
