package dev.mcpprober.cases;

import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetException;
import dev.mcpprober.rules.RuleSetParser;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every rule set that the program brings along. */
final class RuleSets {
    static final List<RuleSet> BUNDLED = load();

    private RuleSets() {}

    private static List<RuleSet> load() {
        try (Stream<Path> files = Files.list(Path.of(RuleSets.class.getResource("/rules/spec.yaml").toURI()).getParent())) {
            List<RuleSet> out = new ArrayList<>();
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                out.add(RuleSetParser.parse(file.getFileName().toString(), Files.readString(file)));
            }
            return out;
        } catch (IOException | URISyntaxException | RuleSetException e) {
            throw new IllegalStateException("rule sets", e);
        }
    }
}
