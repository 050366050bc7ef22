package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetException;
import dev.mcpprober.rules.RuleSetParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds rule sets: bundled ones by id, others by file. */
public final class Rules {
    static final List<String> BUNDLED = List.of("spec", "tool-failure", "sep-2145", "error-schema");
    /** For the help of every command that grades. */
    static final String HELP = "Rule sets to grade by: spec, tool-failure, sep-2145, error-schema (see prober rules list), or a file of yours ending in .yaml.";
    static final List<String> DEFAULT = List.of("spec", "tool-failure");

    private static final long MAX_FILE = 8 << 20;

    private Rules() {}

    public static List<RuleSet> load(List<String> names) throws UserError, IOException {
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
            source = Printable.text(name, 300);
            text = file(name);
        } else {
            throw new UserError("no rule set \"" + Printable.text(name, 100) + "\" (bundled: " + String.join(", ", BUNDLED) + "; or a file ending in .yaml)");
        }
        try {
            return RuleSetParser.parse(source, text);
        } catch (RuleSetException e) {
            throw new UserError("rule set " + source + " cannot be used:\n  "
                    + e.problems().stream().map(problem -> Printable.text(problem, 600)).collect(Collectors.joining("\n  ")));
        }
    }

    private static String file(String name) throws UserError, IOException {
        String shown = "rule set " + Printable.text(name, 300) + ": ";
        try {
            Path path = Path.of(name);
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new UserError(shown + "no such file, or not readable");
            }
            if (Files.size(path) > MAX_FILE) {
                throw new UserError(shown + "too large for a rule set");
            }
            return Files.readString(path);
        } catch (InvalidPathException e) {
            throw new UserError(shown + "no such file, or not readable");
        } catch (CharacterCodingException e) {
            throw new UserError(shown + "not UTF-8");
        }
    }
}
