package dev.mcpprober.toolfailure.conformance;

import dev.mcpprober.io.YamlTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The statements of the proposal with their checks, as in {@code seps/sep-3313.yaml}.
 *
 * @param sep     number of the proposal
 * @param specUrl document and anchor of the chapter
 */
public record Traceability(String sep, String specUrl, List<Statement> statements) {
    public Traceability {
        statements = List.copyOf(statements);
    }

    /**
     * @param check    id of the check; empty where the statement is excluded
     * @param role     {@code server}, {@code client} or {@code relay}
     * @param level    {@code must}, {@code should} or {@code described}
     * @param text     the proposal's words
     * @param excluded why it is not tested; empty where it is
     */
    public record Statement(Optional<String> check, String role, String level, String text, Optional<String> excluded) {}

    /** The bundled file. */
    public static Traceability read() {
        YamlTree file = YamlTree.ofResource("/seps/sep-3313.yaml");
        List<Statement> statements = new ArrayList<>();
        for (YamlTree row : file.list("requirements")) {
            statements.add(new Statement(row.optional("check"), row.text("role"), row.text("level"), row.text("text"), row.optional("excluded")));
        }
        return new Traceability(file.text("sep"), file.text("spec_url"), statements);
    }
}
