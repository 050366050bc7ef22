package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.io.Json;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What README, citation, description and provenance say of the tables is what the tables say. */
final class CardCheck {
    private static final String README = "README.md";
    private static final String CITATION = "CITATION.cff";
    private static final String PROVENANCE = "provenance.json";
    private static final List<String> OTHERS = List.of(README, CITATION, PROVENANCE, "LICENSE", "CHANGELOG.md", DataPackage.FILE_NAME);
    private static final int LARGEST = 8 << 20;

    private final Path folder;
    private final JsonNode root;
    private final Map<String, Descriptor> tables;
    private final Problems problems;
    private final Map<String, Integer> states = new TreeMap<>();
    private final Set<String> named = new HashSet<>();
    private int withheld;

    CardCheck(Path folder, JsonNode root, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.root = root;
        this.tables = tables;
        this.problems = problems;
    }

    void run() throws IOException {
        TableCheck.each(folder, tables.get("targets"), row -> {
            states.merge(row.get("state"), 1, Integer::sum);
            withheld += row.get("disclosure").equals("withheld") ? 1 : 0;
            named.add(row.get("target_id"));
        });
        files();
        description();
        readme();
        provenance();
        String version = "version: " + root.path("version").asText();
        List<String> citation = lines(CITATION);
        if (!citation.isEmpty() && !citation.contains(version)) {
            problems.add(CITATION, 0, "does not say " + version + ", as " + DataPackage.FILE_NAME + " does");
        }
    }

    private int all() {
        return states.values().stream().mapToInt(Integer::intValue).sum();
    }

    private int count(String state) {
        return states.getOrDefault(state, 0);
    }

    /** Whatever is in the folder has its place in a release. */
    private void files() throws IOException {
        Set<String> described = new HashSet<>(OTHERS);
        tables.values().forEach(table -> described.addAll(List.of(table.path(), table.path().replaceFirst("\\.csv$", ParquetFiles.ENDING))));
        for (String file : Checksums.files(folder)) {
            boolean report = file.startsWith("report/") && file.matches("[A-Za-z0-9_./@~+-]{1,300}\\.(html|css|csv|json|svg)");
            if (!described.contains(file) && !report && !file.startsWith("transcripts/")) {
                problems.add(file, 0, "is no part of a release");
            }
        }
    }

    private void description() {
        String incomplete = "Incomplete: " + count("unmeasured") + " of " + all() + " rows";
        if (count("unmeasured") > 0 != root.path("description").asText().startsWith("Incomplete: ") || count("unmeasured") > 0 && !root.path("description").asText().startsWith(incomplete)) {
            problems.add(DataPackage.FILE_NAME, 0, "the description does not begin with what is unmeasured: " + count("unmeasured") + " of " + all() + " rows");
        }
        if (!root.at("/licenses/0/name").asText().equals(Release.LICENSE)) {
            problems.add(DataPackage.FILE_NAME, 0, "licence " + root.at("/licenses/0/name").asText() + ", and LICENSE is " + Release.LICENSE);
        }
        String told = root.at("/x-provenance/withheld").asText("0");
        if (!told.equals(Integer.toString(withheld))) {
            problems.add(DataPackage.FILE_NAME, 0, "x-provenance says that " + told + " rows are withheld, table targets has " + withheld);
        }
    }

    private void readme() throws IOException {
        List<String> lines = lines(README);
        if (lines.isEmpty()) {
            return;
        }
        int measured = count("not-installed") + count("start-failed") + count("started");
        Map<String, Integer> funnel = Map.of("| frame |", all(), "| excluded |", count("excluded"), "| unmeasured |", count("unmeasured"), "| measured |", measured,
                "| – not installed |", count("not-installed"), "| – start failed |", count("start-failed"), "| – started |", count("started"));
        funnel.forEach((name, rows) -> {
            int at = begins(lines, name);
            if (at < 0 || !lines.get(at).startsWith(name + " " + rows + " |")) {
                problems.add(README, at + 1, "\"" + name + "\" does not say " + rows + ", as table targets does");
            }
        });
        if (count("unmeasured") > 0 && lines.stream().noneMatch(line -> line.startsWith("> **Incomplete: " + count("unmeasured") + " of " + all() + " rows"))) {
            problems.add(README, 0, "does not say that " + count("unmeasured") + " of " + all() + " rows are unmeasured");
        }
        String held = withheld == 0 ? "No server is withheld or renamed by this release." : withheld + " rows of table `targets` are withheld (`disclosure`)";
        if (lines.stream().noneMatch(line -> line.equals(held) || line.startsWith(held) || line.contains(" " + held))) {
            problems.add(README, 0, "does not say \"" + held + "\"");
        }
        families(lines);
        says(lines, "# MCP server conformance, version " + root.path("version").asText());
        int[] labels = new int[1];
        TableCheck.each(folder, tables.get("labels"), row -> labels[0]++);
        boolean audited = lines.stream().anyMatch(line -> line.startsWith("**Audited** by "));
        if (audited != labels[0] > 0 || audited == lines.stream().anyMatch(line -> line.startsWith("**Not audited.** "))) {
            problems.add(README, 0, "does not say whether it is audited as table labels does, which has " + labels[0] + " rows");
        }
        List<String> sets = List.of(root.at("/x-provenance/rule_sets").asText().split(" "));
        says(lines, "graded by rule sets (" + String.join(", ", sets) + ") against the protocol revision that it negotiated itself.");
    }

    private void says(List<String> lines, String line) {
        if (!lines.contains(line)) {
            problems.add(README, 0, "does not say \"" + line + "\"");
        }
    }

    /** Its table of families is that of table shares, of the first rule set. */
    private void families(List<String> lines) throws IOException {
        String rules = root.at("/x-provenance/rule_sets").asText().split(" ")[0];
        List<String> expected = new ArrayList<>();
        TableCheck.each(folder, tables.get("shares"), row -> {
            if (row.get("figure").equals("no-fail") && row.get("rule_set").equals(rules) && row.get("group_by").equals("sdk_family_revision")) {
                Interval wilson = new Proportion(Math.max(0, Math.min(row.count("k"), row.count("n"))), Math.max(0, row.count("n"))).wilson();
                expected.add(String.format(Locale.ROOT, "| %s | %s | %s | %.1f to %.1f %% |", row.get("group").replace(" ", " | "), row.get("n"), row.get("k"), wilson.low() * 100,
                        wilson.high() * 100));
            }
        });
        int from = begins(lines, "| SDK family |");
        int rows = 0;
        for (int i = from + 2; from >= 0 && i < lines.size() && lines.get(i).startsWith("|"); i++) {
            String line = lines.get(i);
            rows++;
            if (!expected.contains(line)) {
                problems.add(README, i + 1, "table shares does not say: " + line);
            }
        }
        if (rows != expected.size()) {
            problems.add(README, from + 1, "has " + rows + " lines of SDK family and revision, table shares has " + expected.size());
        }
    }

    private static int begins(List<String> lines, String start) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(start)) {
                return i;
            }
        }
        return -1;
    }

    private void provenance() throws IOException {
        if (lines(PROVENANCE).isEmpty()) {
            return;
        }
        JsonNode told;
        try {
            told = Json.strict().readTree(folder.resolve(PROVENANCE).toFile());
        } catch (IOException e) {
            problems.add(PROVENANCE, 0, "no JSON: " + e.getMessage());
            return;
        }
        JsonNode facts = root.path("x-provenance");
        same("dataVersion", told.path("dataVersion"), root.path("version"));
        same("tool.version", told.at("/tool/version"), facts.path("prober"));
        same("tool.extractor", told.at("/tool/extractor"), facts.path("extractor"));
        same("run.createdAt", told.at("/run/createdAt"), facts.path("run_created_at"));
        same("run.frameSha256", told.at("/run/frameSha256"), facts.path("frame_sha256"));
        same("run.frameRows", told.at("/run/frameRows"), facts.path("frame_rows"));
        same("run.profile", told.at("/run/profile"), facts.path("profile"));
        same("run.seed", told.at("/run/seed"), facts.path("seed"));
        told.path("disclosure").fieldNames().forEachRemaining(name -> same("disclosure." + name, told.path("disclosure").path(name), facts.path(name)));
        told.path("lockfiles").fieldNames().forEachRemaining(target -> {
            if (!named.contains(target) || !told.path("lockfiles").path(target).asText().matches("[0-9a-f]{64}")) {
                problems.add(PROVENANCE, 0, "a lockfile of no target, or without its digest");
            }
        });
        parts(told.path("argv"));
        List<String> labels = new ArrayList<>();
        told.path("ruleSets").fieldNames().forEachRemaining(labels::add);
        List<String> digests = labels.stream().map(label -> told.path("ruleSets").path(label).asText().replaceFirst("^sha256:", "")).toList();
        TableCheck.each(folder, tables.get("runs"), row -> {
            json(row.get("settings"), told.at("/run/settings"), "run.settings");
            json(row.get("images"), told.at("/run/images"), "run.images");
            if (!String.join(";", labels).equals(row.get("rule_sets")) || !row.get("rule_sets_sha256").isEmpty() && !String.join(";", digests).equals(row.get("rule_sets_sha256"))) {
                problems.add(PROVENANCE, 0, "ruleSets are not those of table runs");
            }
            String asOf = facts.path("as_of").asText();
            if (!(asOf.isEmpty() ? "now" : asOf).equals(row.get("as_of"))) {
                problems.add(DataPackage.FILE_NAME, 0, "x-provenance says as_of " + asOf + ", table runs " + row.get("as_of"));
            }
        });
    }

    /** What was asked for is there, and nothing else. */
    private void parts(JsonNode argv) throws IOException {
        Set<String> asked = new HashSet<>();
        argv.forEach(word -> asked.add(word.asText()));
        List<String> files = Checksums.files(folder);
        Map<String, Predicate<String>> parts = Map.of("--transcripts", file -> file.startsWith("transcripts/"), "--report", file -> file.startsWith(Report.FOLDER + "/"),
                "--parquet", file -> file.endsWith(ParquetFiles.ENDING));
        // With transcripts, and every server withheld, there are none.
        parts.forEach((option, of) -> {
            boolean there = files.stream().anyMatch(of);
            if (there && !asked.contains(option) || !there && asked.contains(option) && !(option.equals("--transcripts") && withheld > 0)) {
                problems.add(PROVENANCE, 0, "argv " + (there ? "lacks " : "has ") + option + ", and the folder has " + (there ? "" : "none ") + "of what it makes");
            }
        });
    }

    private void json(String cell, JsonNode told, String name) {
        boolean same = cell.isEmpty() ? told.isEmpty() : Json.parse(cell) instanceof Json.Parsed.Value value && value.node().equals(told);
        if (!same) {
            problems.add(PROVENANCE, 0, name + " are not those of table runs");
        }
    }

    private void same(String name, JsonNode told, JsonNode described) {
        if (!told.asText().equals(described.asText())) {
            problems.add(PROVENANCE, 0, name + " is " + told.asText() + ", " + DataPackage.FILE_NAME + " says " + described.asText());
        }
    }

    /** Empty for a file that cannot be a text of a release; that is a problem then. */
    private List<String> lines(String file) throws IOException {
        Path path = folder.resolve(file);
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.size(path) > LARGEST) {
            problems.add(file, 0, "is missing, or larger than " + LARGEST + " bytes");
            return List.of();
        }
        return List.of(new String(Files.readAllBytes(path), StandardCharsets.UTF_8).split("\n", -1));
    }
}
