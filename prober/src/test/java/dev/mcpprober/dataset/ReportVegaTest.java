package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.io.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each Vega-Lite specification holds its data and names only what is in it. That they compile and draw was tried with vega-lite 6.5 and its own JSON schema. */
class ReportVegaTest {
    private static final Set<String> MARKS = Set.of("bar", "rule", "rect", "text", "line");
    private static final Set<String> CHANNELS = Set.of("x", "x2", "y", "y2", "color", "text");
    private static final Set<String> TYPES = Set.of("nominal", "quantitative");

    @TempDir Path temp;

    @Test
    void everySpecificationNamesWhatItHolds() throws Exception {
        Path report = Report.ofRun(RunFixture.make(temp, "run").folder, ReleaseFixture.analysis(Map.of(), "house@1", "other@2"), null, temp.resolve("out")).getParent();
        List<Path> specs;
        try (Stream<Path> files = Files.list(report.resolve("figures"))) {
            specs = files.filter(file -> file.toString().endsWith(".vl.json")).toList();
        }
        assertTrue(specs.size() >= 15, specs.toString());
        for (Path file : specs) {
            JsonNode spec = Json.mapper().readTree(file.toFile());
            String name = file.getFileName().toString();
            assertEquals("https://vega.github.io/schema/vega-lite/v6.json", spec.path("$schema").asText(), name);
            assertTrue(!spec.path("title").asText().isEmpty(), name);
            List<String> lines = Files.readAllLines(file.resolveSibling(name.replace(".vl.json", ".csv")));
            assertEquals(lines.size() - 1, spec.at("/data/values").size(), name);
            Set<String> fields = new HashSet<>(List.of(lines.get(0).split(",")));
            fields.add("row");
            spec.at("/transform/0/as").forEach(as -> fields.add(as.asText()));
            spec.at("/data/values").forEach(row -> row.fieldNames().forEachRemaining(field -> assertTrue(fields.contains(field), name + " " + field)));
            List<String> wrong = new ArrayList<>();
            walk(spec, "", fields, wrong);
            assertEquals(List.of(), wrong, name);
            assertTrue(spec.has("mark") || spec.has("layer") || spec.has("facet"), name);
        }
    }

    private static void walk(JsonNode node, String at, Set<String> fields, List<String> wrong) {
        if (at.endsWith("/values")) {
            return;
        }
        if (node.path("field").isTextual() && !fields.contains(node.get("field").asText())) {
            wrong.add(at + ": no field " + node.get("field").asText());
        }
        if (node.has("mark")) {
            String mark = node.get("mark").isTextual() ? node.get("mark").asText() : node.at("/mark/type").asText();
            if (!MARKS.contains(mark)) {
                wrong.add(at + ": mark " + mark);
            }
        }
        node.path("encoding").fields().forEachRemaining(channel -> {
            boolean second = channel.getKey().endsWith("2");
            if (!CHANNELS.contains(channel.getKey()) || !second && !TYPES.contains(channel.getValue().path("type").asText())) {
                wrong.add(at + ": channel " + channel);
            }
        });
        node.fields().forEachRemaining(member -> walk(member.getValue(), at + "/" + member.getKey(), fields, wrong));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            walk(node.get(i), at + "/" + i, fields, wrong);
        }
    }
}
