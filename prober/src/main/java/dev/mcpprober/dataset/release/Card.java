package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.ReleaseData;
import dev.mcpprober.dataset.Summary;
import dev.mcpprober.dataset.SummaryText;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** README (dataset card and datasheet), citation, licence and changelog, from templates beside this class's resources. */
final class Card {
    private static final String CHANGELOG = "CHANGELOG.md";
    private static final String TEMPLATES = "/dev/mcpprober/dataset/release/";

    private final ReleaseData data;
    private final List<TableSchema> tables;
    private final List<String> ruleSets;
    private final DataVersion version;
    private final Release.Options options;
    private final String audit;

    Card(ReleaseData data, List<TableSchema> tables, List<String> ruleSets, DataVersion version, Release.Options options, String audit) {
        this.data = data;
        this.tables = tables;
        this.ruleSets = ruleSets;
        this.version = version;
        this.options = options;
        this.audit = audit;
    }

    /** File name to text. */
    Map<String, String> texts() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (String name : List.of("README.md", "CITATION.cff", "LICENSE", CHANGELOG)) {
            texts.put(name, fill(template(name), values()));
        }
        if (options.previous() != null && Files.isRegularFile(options.previous().resolve(CHANGELOG))) {
            texts.merge(CHANGELOG, Files.readString(options.previous().resolve(CHANGELOG)), (now, before) -> version.same() ? before : now + "\n" + before);
        }
        return texts;
    }

    private Map<String, String> values() {
        Coverage coverage = data.summary().coverage();
        RunInfo info = data.info();
        Map<String, String> values = new TreeMap<>();
        values.put("incomplete", coverage.unmeasured() == 0 ? "" : "> **Incomplete: " + coverage.unmeasured() + " of " + coverage.frame()
                + " rows of the frame are unmeasured** (" + reasons(TargetState.UNMEASURED) + "). Every share below leaves them out; they are no results.\n\n");
        values.put("configs", tables.stream().map(table -> "- config_name: " + table.name() + "\n  data_files: " + Release.DATA + table.fileName())
                .collect(Collectors.joining("\n")));
        values.put("tables", tables.stream().map(table -> "| `" + Release.DATA + table.fileName() + "` | " + table.description() + " | "
                + String.join(", ", table.primaryKey()) + " |").collect(Collectors.joining("\n")));
        values.put("funnel", funnel(coverage));
        values.put("families", families());
        values.put("audit", audit);
        values.put("version", version.version());
        values.put("why", version.why());
        values.put("author", options.author());
        values.put("rules", String.join(", ", ruleSets));
        values.put("first_rules", data.summary().ruleSet());
        values.put("prober", info.proberVersion());
        values.put("created", info.createdAt());
        values.put("profile", info.profile());
        values.put("frame", Integer.toString(coverage.frame()));
        values.put("frame_sha256", info.frameHash());
        values.put("as_of", info.settings().getOrDefault("as of", "unknown"));
        Summary.Repeated repeated = data.summary().repeated();
        values.put("repeats", repeated.servers() == 0 ? "No session was repeated, so nothing here says how stable a verdict is."
                : "The sessions of " + repeated.servers() + " servers were gone through " + repeated.times() + " times. The first time stands in every figure; rows of the others"
                        + " have a number above 0 in column `repeat`. " + SummaryText.sentence(repeated) + " Table `flaky` has both witnesses of each.");
        values.put("transcripts", options.transcripts()
                ? "`transcripts/` holds each session as it was recorded, without the secrets that were found in it, of servers that are named; table `sessions` has file and hash of each."
                : "The transcripts themselves are not part of this release; table `sessions` has their hashes, so that they can be checked when they are handed over.");
        values.put("parquet", options.parquet().isEmpty() ? "" : "\n\n`data/*.parquet` are the same tables again, made from the CSVs (zstd): the same rows in the same order, an empty "
                + "cell as null, `integer` as BIGINT, `number` as DOUBLE, `datetime` as TIMESTAMP in UTC. Member `x-parquet` of a table in `datapackage.json` has path, size and hash.");
        int withheld = options.disclosure().veil().size();
        values.put("withheld", withheld == 0 ? "No server is withheld or renamed by this release."
                : withheld + " rows of table `targets` are withheld (`disclosure`): their servers have findings that their maintainers were given time for, or hide one that has. "
                        + "They stand under pseudonyms, without tools, texts, witnesses, transcripts, exact versions and exact times, and each shares with at least four others what "
                        + "it is known by. Shares of all servers count them with all that is known of them, and cannot all be recomputed from these tables; shares of a group of servers, the table of "
                        + "families above among them, count them only where table `targets` says that they belong to it.");
        return values;
    }

    private String funnel(Coverage coverage) {
        StringBuilder out = new StringBuilder("| | rows | |\n|---|---:|---|\n");
        line(out, "frame", coverage.frame(), "");
        line(out, "excluded", coverage.excluded(), reasons(TargetState.EXCLUDED));
        line(out, "unmeasured", coverage.unmeasured(), reasons(TargetState.UNMEASURED));
        line(out, "measured", coverage.measured(), "");
        line(out, "– not installed", coverage.notInstalled(), reasons(TargetState.NOT_INSTALLED));
        line(out, "– start failed", coverage.startFailed(), reasons(TargetState.START_FAILED));
        line(out, "– started", coverage.started(), "");
        return out.toString().stripTrailing();
    }

    private static void line(StringBuilder out, String name, int rows, String why) {
        out.append("| ").append(name).append(" | ").append(rows).append(" | ").append(why).append(" |\n");
    }

    private String reasons(TargetState state) {
        return data.summary().reasons().getOrDefault(state.id(), Map.of()).entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "));
    }

    private String families() {
        StringBuilder out = new StringBuilder("| SDK family | revision | servers | without a fail | 95 % |\n|---|---|---:|---:|---|\n");
        for (Summary.Family family : data.summary().families()) {
            Interval interval = family.interval();
            out.append(String.format(Locale.ROOT, "| %s | %s | %d | %d | %.1f to %.1f %% |\n", family.family(), family.revision(), family.servers(),
                    family.faultless().k(), interval.low() * 100, interval.high() * 100));
        }
        int untold = data.summary().coverage().started() - data.summary().families().stream().mapToInt(Summary.Family::servers).sum();
        if (untold > 0) {
            out.append("\n**").append(untold).append(" of ").append(data.summary().coverage().started())
                    .append(" servers that started are in none of these lines**: they are withheld, and what they are built on is not told. Table `shares` counts them among all servers.\n");
        }
        return out.toString().stripTrailing();
    }

    private static String fill(String template, Map<String, String> values) {
        String text = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        if (text.contains("${")) {
            throw new IllegalStateException("a template asks for something unknown: " + text.substring(text.indexOf("${"), text.indexOf("${") + 20));
        }
        return text;
    }

    private static String template(String name) {
        try (InputStream in = Card.class.getResourceAsStream(TEMPLATES + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the program's own templates can be read", e);
        }
    }
}
