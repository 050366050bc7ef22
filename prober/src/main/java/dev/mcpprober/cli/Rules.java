package dev.mcpprober.cli;

import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetException;
import dev.mcpprober.rules.RuleSetParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds rule sets: bundled ones by id, others by file. */
final class Rules {
    static final List<String> BUNDLED = List.of("spec", "tool-failure", "sep-2145");
    static final List<String> DEFAULT = List.of("spec", "tool-failure");

    private Rules() {}

    static List<RuleSet> load(List<String> names) throws UserError, IOException {
        List<RuleSet> out = new ArrayList<>();
        for (String name : names) {
            out.add(load(name));
        }
        return out;
    }

    private static RuleSet load(String name) throws UserError, IOException {
        String source;
        String text;
        if (BUNDLED.contains(name)) {
            source = name + ".yaml";
            try (InputStream in = Rules.class.getResourceAsStream("/rules/" + source)) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            source = name;
            if (!Files.isReadable(Path.of(name))) {
                throw new UserError("rule set " + name + ": no such file, or not readable");
            }
            text = Files.readString(Path.of(name));
        } else {
            throw new UserError("no rule set \"" + name + "\" (bundled: " + String.join(", ", BUNDLED) + "; or a file ending in .yaml)");
        }
        try {
            return RuleSetParser.parse(source, text);
        } catch (RuleSetException e) {
            throw new UserError("rule set " + name + " cannot be used:\n  " + String.join("\n  ", e.problems()));
        }
    }
}
