package dev.mcpprober.redaction;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules that tell credentials by their shape.
 *
 * @param labels     the files that they are from, each as {@code id@version (N rules)}
 * @param allowances for every rule
 */
public record CredentialRules(List<String> labels, List<CredentialRule> rules, List<Allowance> allowances) {
    private static final String BUNDLED = "/dev/mcpprober/redaction/credentials.toml";
    public static final CredentialRules NONE = new CredentialRules(List.of(), List.of(), List.of());

    public CredentialRules {
        labels = List.copyOf(labels);
        rules = List.copyOf(rules);
        allowances = List.copyOf(allowances);
    }

    private static final class Holder {
        private static final CredentialRules RULES = read();

        private static CredentialRules read() {
            try (InputStream in = CredentialRules.class.getResourceAsStream(BUNDLED)) {
                return RuleFile.parse("credentials.toml", "prober@2", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException("the program's own rules can be read", e);
            } catch (RuleFileException e) {
                throw new IllegalStateException("the program's own rules are sound", e);
            }
        }
    }

    /** Those that come with this program. */
    public static CredentialRules bundled() {
        return Holder.RULES;
    }

    /** Both; a rule of {@code more} takes the place of one with the same id. What these rules allow is allowed for those of {@code more} too, not the reverse. */
    public CredentialRules and(CredentialRules more) {
        Map<String, CredentialRule> byId = new LinkedHashMap<>();
        rules.forEach(rule -> byId.put(rule.id(), rule));
        more.own().forEach(rule -> byId.put(rule.id(), rule));
        List<String> both = new ArrayList<>(labels);
        both.addAll(more.labels);
        return new CredentialRules(both, List.copyOf(byId.values()), allowances);
    }

    private List<CredentialRule> own() {
        return rules.stream().map(rule -> {
            List<Allowance> all = new ArrayList<>(allowances);
            all.addAll(rule.allowances());
            return new CredentialRule(rule.id(), rule.regex(), rule.secretGroup(), rule.entropy(), rule.keywords(), all);
        }).toList();
    }
}
