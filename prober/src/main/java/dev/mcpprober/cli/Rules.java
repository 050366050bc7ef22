package dev.mcpprober.cli;

import dev.mcpprober.io.Digests;
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
import java.util.Map;
import java.util.TreeMap;
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
        String source = BUNDLED.contains(name) ? name + ".yaml" : Printable.text(name, 300);
        try {
            return RuleSetParser.parse(source, text(name));
        } catch (RuleSetException e) {
            throw new UserError("rule set " + source + " cannot be used:\n  "
                    + e.problems().stream().map(problem -> Printable.text(problem, 600)).collect(Collectors.joining("\n  ")));
        }
    }

    /** Rule set, {@code id@version}, to the SHA-256 of its file. */
    static Map<String, String> digests(List<String> names) throws UserError, IOException {
        Map<String, String> out = new TreeMap<>();
        for (String name : names) {
            out.put(load(name).label(), Digests.sha256(text(name)));
        }
        return out;
    }

    private static String text(String name) throws UserError, IOException {
        if (BUNDLED.contains(name)) {
            try (InputStream in = Rules.class.getResourceAsStream("/rules/" + name + ".yaml")) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return file(name);
        }
        throw new UserError("no rule set \"" + Printable.text(name, 100) + "\" (bundled: " + String.join(", ", BUNDLED) + "; or a file ending in .yaml)");
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
