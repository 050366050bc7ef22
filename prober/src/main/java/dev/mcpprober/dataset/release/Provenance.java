package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.ReleaseData;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code provenance.json}: by what, from what and with which settings. Nothing of the host but what results may depend on. */
final class Provenance {
    private final ReleaseData data;
    private final String extractor;
    private final List<String> ruleSets;
    private final Release.Options options;

    Provenance(ReleaseData data, String extractor, List<String> ruleSets, Release.Options options) {
        this.data = data;
        this.extractor = extractor;
        this.ruleSets = ruleSets;
        this.options = options;
    }

    /** For the descriptor. */
    Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        facts.put("prober", data.info().proberVersion());
        facts.put("extractor", extractor);
        facts.put("rule_sets", String.join(" ", ruleSets));
        facts.put("frame_sha256", data.info().frameHash());
        facts.put("frame_rows", Integer.toString(data.info().frameRows()));
        facts.put("profile", data.info().profile());
        facts.put("seed", Long.toString(data.info().seed()));
        facts.put("run_created_at", data.info().createdAt());
        facts.put("as_of", data.info().settings().getOrDefault("as of", ""));
        facts.putAll(options.disclosure().facts());
        return facts;
    }

    void write(Path file, String version) throws IOException {
        ObjectNode root = Json.object().put("schemaVersion", 1).put("dataVersion", version);
        ObjectNode tool = root.putObject("tool").put("name", "mcp-prober").put("version", data.info().proberVersion()).put("extractor", extractor);
        options.parquet().ifPresent(parquet -> tool.put("parquet", parquet.library()));
        ObjectNode rules = root.putObject("ruleSets");
        ruleSets.forEach(label -> rules.put(label, options.ruleDigests().containsKey(label) ? "sha256:" + options.ruleDigests().get(label) : ""));
        ObjectNode run = root.putObject("run");
        run.put("createdAt", data.info().createdAt()).put("profile", data.info().profile()).put("seed", data.info().seed())
                .put("frameSha256", data.info().frameHash()).put("frameRows", data.info().frameRows());
        run.set("settings", Json.mapper().valueToTree(data.settings()));
        run.set("images", Json.mapper().valueToTree(data.info().images()));
        // Paths are left out: they name folders of the machine, and another folder must not give other bytes.
        List<String> argv = new ArrayList<>(List.of("dataset", "build", "--rules",
                String.join(",", ruleSets.stream().map(label -> label.replaceFirst("@\\d+$", "")).toList())));
        if (options.transcripts()) {
            argv.add("--transcripts");
        }
        if (options.report()) {
            argv.add("--report");
        }
        if (options.parquet().isPresent()) {
            argv.add("--parquet");
        }
        if (!options.disclosure().facts().isEmpty()) {
            root.set("disclosure", Json.mapper().valueToTree(options.disclosure().facts()));
        }
        root.set("argv", Json.mapper().valueToTree(argv));
        root.set("lockfiles", Json.mapper().valueToTree(data.lockfiles()));
        AtomicFiles.write(file, (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
