package dev.mcpprober.redaction;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is no secret although a rule matches it: an allowlist of gitleaks. Its conditions on paths and commits are never met here, as there
 * are none.
 *
 * @param all       every kind of condition has to be met, not any; {@code elsewhere} is one that cannot be
 * @param target    what the expressions are held against: {@code secret}, {@code match} or {@code line}
 * @param stopWords lower case
 * @param rules     ids that it is for; empty for all
 */
record Allowance(boolean all, boolean elsewhere, String target, List<Pattern> regexes, List<String> stopWords, Set<String> rules) {
    static final List<String> TARGETS = List.of("secret", "match", "line");

    Allowance {
        regexes = List.copyOf(regexes);
        stopWords = List.copyOf(stopWords);
        rules = Set.copyOf(rules);
    }

    boolean covers(String rule, String secret, String match, Supplier<String> line) {
        if (!rules.isEmpty() && !rules.contains(rule) || all && elsewhere) {
            return false;
        }
        boolean word = stopped(secret);
        if (!all && word) {
            return true;
        }
        String text = target.equals("secret") ? secret : target.equals("match") ? match : line.get();
        boolean matched = regexes.stream().anyMatch(regex -> regex.matcher(text).find());
        return all ? (word || stopWords.isEmpty()) && (matched || regexes.isEmpty()) && (word || matched) : matched;
    }

    private boolean stopped(String secret) {
        String lower = secret.toLowerCase(Locale.ROOT);
        return stopWords.stream().anyMatch(lower::contains);
    }
}
