package dev.mcpprober.cli.explain;

import dev.mcpprober.observation.Check;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** What each check does, in a sentence, and which checks a mistyped id may mean. */
public final class CheckWords {
    private static final int SUGGESTIONS = 4;
    private static final Properties WORDS = load();

    private CheckWords() {}

    private static Properties load() {
        Properties words = new Properties();
        try (Reader in = new InputStreamReader(CheckWords.class.getResourceAsStream("checks.properties"), StandardCharsets.UTF_8)) {
            words.load(in);
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException("checks.properties", e);
        }
    }

    /** Empty where nothing is said of the check. */
    public static String of(String check) {
        return WORDS.getProperty(check, "");
    }

    /** Ids that look most like it, the likeliest first. */
    public static List<String> near(String mistyped) {
        String text = mistyped.toLowerCase(Locale.ROOT);
        List<String> ids = Arrays.stream(Check.values()).map(Check::id).toList();
        List<String> containing = ids.stream().filter(id -> text.length() >= 3 && id.contains(text)).limit(SUGGESTIONS).toList();
        return !containing.isEmpty() ? containing : ids.stream().sorted(Comparator.comparingInt(id -> distance(text, id))).limit(SUGGESTIONS).toList();
    }

    /** Edits from one to the other. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= Math.min(a.length(), 100); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
