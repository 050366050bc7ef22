package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Releases of {@link RunFixture}, and edits of them that keep every hash right, as somebody would make who wants them to pass. */
final class ReleaseFixture {
    private static final List<String> CHECKS = List.of("server-initialize", "tools-call-unknown", "tools-call-wrong-type", "stdout-utf8", "discover");

    final Path folder;

    private ReleaseFixture(Path folder) {
        this.folder = folder;
    }

    static ReleaseFixture make(Path temp, String name, boolean transcripts) throws IOException, RefusedException {
        return make(temp, name, analysis(Map.of(), "house@1"), new Release.Options(Map.of("house@1", "abc"), transcripts, "A. Nother", null, ""));
    }

    static ReleaseFixture make(Path temp, String name, Analysis analysis, Release.Options options) throws IOException, RefusedException {
        RunFixture run = RunFixture.make(temp.resolve(name + "-run"), "run");
        Path out = temp.resolve(name);
        Release.build(run.folder, analysis, out, options);
        return new ReleaseFixture(out);
    }

    /** The usual one, as Parquet too. */
    static ReleaseFixture make(Path temp, String name, Path previous, Optional<ParquetTables> parquet) throws IOException, RefusedException {
        return make(temp, name, analysis(Map.of(), "house@1"), new Release.Options(Map.of("house@1", "abc"), true, "A. Nother", previous, "", true, Disclosure.NONE,
                Audited.none(), parquet));
    }

    static ReleaseFixture copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
        return new ReleaseFixture(to);
    }

    /** @param words check to verdict, where it is not what the fixture's observations suggest */
    static Analysis analysis(Map<String, String> words, String... labels) {
        return new Analysis("fake@1", RunFixture::extraction, Arrays.stream(labels).map(label -> judge(label, words)).toList());
    }

    private static Judge judge(String label, Map<String, String> words) {
        return new Judge() {
            @Override
            public String label() {
                return label;
            }

            @Override
            public List<Graded> grade(TargetObservations target) {
                return target.observations().stream().map(o -> {
                    String usual = switch (o.observed()) {
                        case "result", "conforms" -> "pass";
                        case "not-run" -> "not-run";
                        case "protocol-error" -> "divergent";
                        default -> "fail";
                    };
                    String word = words.getOrDefault(o.subject().check(), usual);
                    return new Graded(o, label, VerdictWord.of(word).orElseThrow().with(RunFixture.EVIL), "must", "do it", "tools#x", "");
                }).toList();
            }

            @Override
            public List<RuleText> rules() {
                return CHECKS.stream().map(check -> new RuleText(check, ProtocolRevision.V2025_06_18, "must", "-32602", "tools#errors", "=why")).toList();
            }
        };
    }

    /** Number of the first line that holds {@code part}, from 1. */
    int line(String file, String part) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(file), StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return i + 1;
            }
        }
        throw new AssertionError("no line of " + file + " holds " + part + ":\n" + String.join("\n", lines));
    }

    ReleaseFixture edit(String file, int line, Function<String, String> change) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve(file), StandardCharsets.UTF_8));
        String changed = change.apply(lines.get(line - 1));
        if (changed == null) {
            lines.remove(line - 1);
        } else {
            lines.set(line - 1, changed);
        }
        return write(file, String.join("\n", lines).concat("\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sets one cell, by the name of its column; cells of these files are quoted only where nothing is edited. */
    ReleaseFixture cell(String file, int line, String column, String value) throws IOException {
        List<String> header = List.of(Files.readAllLines(folder.resolve(file), StandardCharsets.UTF_8).get(0).split(",", -1));
        return edit(file, line, text -> {
            List<String> cells = new ArrayList<>();
            StringBuilder cell = new StringBuilder();
            boolean quoted = false;
            for (char c : (text + ",").toCharArray()) {
                quoted ^= c == '"';
                if (c == ',' && !quoted) {
                    cells.add(cell.toString());
                    cell.setLength(0);
                } else {
                    cell.append(c);
                }
            }
            cells.set(header.indexOf(column), value);
            return String.join(",", cells);
        });
    }

    ReleaseFixture write(String file, byte[] bytes) throws IOException {
        Files.write(folder.resolve(file), bytes);
        return seal();
    }

    /** Makes every hash right again. */
    ReleaseFixture seal() throws IOException {
        Path description = folder.resolve("datapackage.json");
        JsonNode root = Json.mapper().readTree(description.toFile());
        for (JsonNode resource : root.get("resources")) {
            for (JsonNode told : List.of(resource, resource.path("x-parquet"))) {
                Path file = folder.resolve(told.path("path").asText());
                if (Files.isRegularFile(file)) {
                    ((ObjectNode) told).put("bytes", Files.size(file)).put("hash", "sha256:" + Digests.sha256(file));
                }
            }
        }
        Files.writeString(description, Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
        StringBuilder sums = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                String name = folder.relativize(file).toString();
                if (!name.equals("SHA256SUMS")) {
                    sums.append(Digests.sha256(file)).append("  ").append(name).append('\n');
                }
            }
        }
        Files.writeString(folder.resolve("SHA256SUMS"), sums);
        return this;
    }
}
