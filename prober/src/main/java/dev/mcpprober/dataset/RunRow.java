package dev.mcpprober.dataset;

import static dev.mcpprober.dataset.Column.instant;
import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.plain;

import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.run.RunInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Table runs: by what and under which conditions the rows of the other tables were measured. */
final class RunRow {
    static final TableSchema SCHEMA = new TableSchema("runs", "One row for each run that the other tables are of. Nothing names the machine that measured.", List.of(
            plain("run_id", "Digest of all that is asked for in the run, and of when it began.").always(),
            instant("created_at", "When it began, UTC.").always(),
            plain("prober", "Version of mcp-prober that measured.").always(),
            plain("extractor", "Extractor and version that made the observations.").always(),
            plain("rule_sets", "Rule sets and versions that judged them, parted by semicolons.").always(),
            plain("rule_sets_sha256", "SHA-256 of the file of each, in that order, parted by semicolons; empty where it is not on record."),
            plain("frame_sha256", "Of the sampling frame's rows.").always(),
            integer("frame_rows", "Rows of the frame, or of the part of it that was measured; excluded ones included.").always(),
            plain("as_of", "Day as of which the registries were read; now: as they were.").always(),
            plain("profile", "What was asked of each server.").always(),
            integer("repeats", "How often the sessions of each server were gone through.").always(),
            integer("seed", "Of everything that is drawn.").always(),
            plain("settings", "All settings that results may depend on, a JSON object.").always(),
            plain("images", "Base images and their digests, as they were when the run began, a JSON object; empty where other machines did the work, see table targets."),
            plain("engine", "Container engine and its version."),
            plain("os", "Operating system and architecture of the machine that measured."),
            plain("java", "Java version, the first part."),
            integer("processors", "Of the machine that measured.")),
            List.of("run_id"), List.of());
    /** Settings that hold paths of the machine: that there was one is all that is told of them. */
    private static final List<String> PATHS = List.of("lock");
    private static final int ID_LENGTH = 16;

    private RunRow() {}

    static String id(RunInfo info) {
        return Digests.sha256(String.join("\n", info.createdAt(), info.proberVersion(), info.frameHash(), info.profile(), Long.toString(info.seed()),
                json(info.settings()))).substring(0, ID_LENGTH);
    }

    /** @param ruleDigests rule set to SHA-256 of its file, where it is known */
    static Row of(RunInfo info, Analysis analysis, Map<String, String> ruleDigests) {
        List<String> labels = analysis.judges().stream().map(Judge::label).toList();
        boolean known = ruleDigests.keySet().containsAll(labels);
        return new Row(SCHEMA).set("run_id", id(info)).set("created_at", info.createdAt()).set("prober", info.proberVersion())
                .set("extractor", analysis.extractor()).set("rule_sets", labels)
                .set("rule_sets_sha256", known ? labels.stream().map(ruleDigests::get).toList() : List.<String>of())
                .set("frame_sha256", info.frameHash()).set("frame_rows", info.frameRows()).set("as_of", info.settings().getOrDefault("as of", "now"))
                .set("profile", info.profile()).set("repeats", info.repeats()).set("seed", info.seed()).set("settings", json(settings(info)))
                .set("images", info.images().isEmpty() ? "" : json(info.images()))
                .set("engine", fact(info, "engine")).set("os", fact(info, "os").replaceFirst("^(\\S+) .* (\\S+)$", "$1 $2"))
                .set("java", fact(info, "java").replaceFirst("\\..*", "")).set("processors", processors(info));
    }

    /** What a reader of a data set may know of the settings. */
    static Map<String, String> settings(RunInfo info) {
        Map<String, String> settings = new TreeMap<>(info.settings());
        PATHS.forEach(name -> settings.computeIfPresent(name, (key, path) -> "an earlier run"));
        return settings;
    }

    /** Of one machine, or of the shards of a run that was put together; empty where it is not known or not the same in all of them. */
    private static String fact(RunInfo info, String name) {
        TreeSet<String> values = new TreeSet<>();
        info.host().forEach((key, value) -> {
            if (key.equals(name) || key.matches("shard \\d+ " + name)) {
                values.add(value);
            }
        });
        return values.size() == 1 ? values.first() : "";
    }

    private static Integer processors(RunInfo info) {
        String value = fact(info, "processors");
        return value.matches("\\d{1,6}") ? Integer.valueOf(value) : null;
    }

    private static String json(Map<String, String> map) {
        return Json.write(Json.mapper().valueToTree(new TreeMap<>(map)));
    }
}
