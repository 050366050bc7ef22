package dev.mcpprober.dataset;

import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.run.RunFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Compares what is derived now with what the run folder held before, as its files are written, one target at a time. Observations are
 * the same thing when check, session, era, tool and argument are; of several such they are taken in their order.
 */
final class DerivedChanges implements Closeable {
    private static final String NONE = "none";
    private static final String OBSERVATION = "observation";

    private final RunFolder folder;
    private final Analysis analysis;
    private final Earlier observations;
    private final Map<String, Earlier> verdicts = new LinkedHashMap<>();
    private final ChangeTally observed;
    private final Map<String, ChangeTally> judged = new LinkedHashMap<>();
    private final CsvTable table;
    private final Map<String, Boolean> otherExtractor = new HashMap<>();

    DerivedChanges(RunFolder folder, Analysis analysis) throws IOException {
        this.folder = folder;
        this.analysis = analysis;
        this.observations = Earlier.beside(folder.observations(analysis.extractor()), analysis.extractor()).orElse(null);
        this.observed = new ChangeTally(analysis.extractor(), observations == null ? "" : observations.label());
        CsvTable opened = null;
        try {
            if (observations != null) {
                for (Judge judge : analysis.judges()) {
                    Earlier.beside(folder.verdicts(judge.label()), judge.label()).ifPresent(earlier -> verdicts.put(judge.label(), earlier));
                }
                Files.createDirectories(file().getParent());
                opened = new CsvTable(file().getParent(), schema());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        this.table = opened;
        for (Judge judge : analysis.judges()) {
            Earlier earlier = verdicts.get(judge.label());
            judged.put(judge.label(), new ChangeTally(judge.label(), earlier == null ? "" : earlier.label()));
        }
    }

    private Path file() {
        return folder.path().resolve("changes").resolve(schema().fileName());
    }

    private TableSchema schema() {
        return new TableSchema(analysis.extractor() + "-since-" + observations.label(), "What was derived otherwise than before.", List.of(
                plain("target_id", "The target.").always(),
                plain("what", "observation, or the rule set whose verdict it is.").always(),
                plain("number", "Within these two.").always(),
                plain("check", "Check.").always(),
                plain("session", "Session.").always(),
                oneOf("era", "Era of the session.", List.of("legacy", "modern")).always(),
                text("tool_text", "Tool that was called."),
                text("property_text", "Argument under test."),
                plain("before", "Observed value with code, consequence and flags, or verdict; none where there was none.").always(),
                plain("after", "The same now.").always(),
                plain("before_observation", "Number within its target, as it was."),
                plain("after_observation", "The same now.")),
                List.of("target_id", "what", "number"), List.of());
    }

    /** One observation, or the verdict on it. */
    private record Item(List<String> subject, String value, String name) {}

    /** @param now the lines that are written for the target: observations, and verdicts by rule set */
    void add(String target, ObjectNode now, Map<String, ObjectNode> nowJudged) throws IOException {
        if (observations == null) {
            return;
        }
        JsonNode before = observations.take(target);
        Map<String, List<String>> oldSubjects = new HashMap<>();
        Map<String, List<String>> newSubjects = new HashMap<>();
        List<Item> old = observed(before, oldSubjects);
        List<Row> rows = new ArrayList<>();
        diff(target, OBSERVATION, observed, old, observed(now, newSubjects), rows);
        for (var judge : nowJudged.entrySet()) {
            Earlier earlier = verdicts.get(judge.getKey());
            JsonNode was = earlier == null ? null : earlier.take(target);
            if (earlier == null || was != null && !was.path("extractor").asText(observations.label()).equals(observations.label())) {
                otherExtractor.put(judge.getKey(), true);
                continue;
            }
            diff(target, judge.getKey(), judged.get(judge.getKey()), judged(was, oldSubjects), judged(judge.getValue(), newSubjects), rows);
        }
        table.add(rows);
    }

    private static List<Item> observed(JsonNode line, Map<String, List<String>> subjects) {
        List<Item> items = new ArrayList<>();
        for (JsonNode node : line == null ? List.<JsonNode>of() : line.path("observations")) {
            List<String> subject = List.of(node.path("check").asText(), node.path("session").asText(), node.path("era").asText(),
                    node.path("tool").asText(""), node.path("property").asText(""));
            subjects.put(node.path("observation").asText(), subject);
            StringBuilder value = new StringBuilder(node.path("observed").asText());
            for (String part : List.of("code", "consequence", "reason")) {
                if (node.hasNonNull(part)) {
                    value.append(' ').append(node.get(part).asText());
                }
            }
            node.path("flags").forEach(flag -> value.append(" +").append(flag.asText()));
            items.add(new Item(subject, value.toString(), node.path("observation").asText()));
        }
        return items;
    }

    private static List<Item> judged(JsonNode line, Map<String, List<String>> subjects) {
        List<Item> items = new ArrayList<>();
        for (JsonNode node : line == null ? List.<JsonNode>of() : line.path("verdicts")) {
            List<String> subject = subjects.get(node.path("observation").asText());
            if (subject != null && subject.get(0).equals(node.path("check").asText())) {
                items.add(new Item(subject, node.path("verdict").asText(), node.path("observation").asText()));
            }
        }
        return items;
    }

    private void diff(String target, String what, ChangeTally tally, List<Item> before, List<Item> after, List<Row> rows) {
        Map<List<String>, Deque<Item>> old = new LinkedHashMap<>();
        before.forEach(item -> old.computeIfAbsent(item.subject(), key -> new ArrayDeque<>()).add(item));
        int number = 0;
        List<Item[]> changed = new ArrayList<>();
        for (Item item : after) {
            Item was = old.getOrDefault(item.subject(), new ArrayDeque<>()).poll();
            if (was != null && was.value().equals(item.value())) {
                tally.same();
            } else {
                changed.add(new Item[] {was, item});
            }
        }
        old.values().forEach(left -> left.forEach(was -> changed.add(new Item[] {was, null})));
        for (Item[] pair : changed) {
            Item was = pair[0];
            Item is = pair[1];
            List<String> subject = (is == null ? was : is).subject();
            String from = was == null ? NONE : was.value();
            String to = is == null ? NONE : is.value();
            tally.differs(target, subject.get(0), from, to);
            rows.add(table.row().set("target_id", target).set("what", what).set("number", String.format(Locale.ROOT, "%05d", ++number))
                    .set("check", subject.get(0)).set("session", subject.get(1)).set("era", subject.get(2)).set("tool_text", subject.get(3))
                    .set("property_text", subject.get(4)).set("before", from).set("after", to)
                    .set("before_observation", was == null ? "" : was.name()).set("after_observation", is == null ? "" : is.name()));
        }
    }

    Changes finish() throws IOException {
        List<Changes.Part> parts = new ArrayList<>();
        parts.add(observed.part());
        judged.forEach((label, tally) -> parts.add(otherExtractor.containsKey(label) ? new ChangeTally(label, "").part() : tally.part()));
        boolean differs = parts.stream().anyMatch(part -> part.differing() > 0);
        return new Changes(parts, differs ? table.finish() : null);
    }

    @Override
    public void close() throws IOException {
        if (observations != null) {
            observations.close();
        }
        for (Earlier earlier : verdicts.values()) {
            earlier.close();
        }
        if (table != null) {
            table.close();
            try (Stream<Path> files = Files.list(file().getParent())) {
                if (files.findAny().isEmpty()) {
                    Files.delete(file().getParent());
                }
            }
        }
    }
}
