package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * One folder of golden files: {@code NN-SESSION.jsonl}, a transcript as plain text; {@code observations.jsonl}, what the extractor has to
 * make of them; {@code RULE-SET.verdicts}, what each bundled rule set has to say of those.
 */
record GoldenCase(Path folder) {
    /** Folder below the test resources. */
    static final Path ROOT = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/cases");

    static List<GoldenCase> all() {
        List<GoldenCase> out = new ArrayList<>();
        for (String kind : List.of("generated", "manual")) {
            try (Stream<Path> folders = Files.list(ROOT.resolve(kind))) {
                folders.filter(Files::isDirectory).sorted().map(GoldenCase::new).forEach(out::add);
            } catch (IOException e) {
                throw new IllegalStateException(kind, e);
            }
        }
        return out;
    }

    List<Transcript> transcripts() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().matches("\\d+-.*\\.jsonl")).sorted().toList();
        }
        List<Transcript> out = new ArrayList<>();
        Path packed = Files.createTempFile("case", ".jsonl.gz");
        for (Path file : files) {
            try (OutputStream gz = new GZIPOutputStream(Files.newOutputStream(packed))) {
                Files.copy(file, gz);
            }
            out.add(TranscriptReader.read(packed));
        }
        Files.delete(packed);
        return out;
    }

    TargetObservations observed() throws IOException {
        return Extractor.extract(transcripts());
    }

    /** What the golden files have to hold, by file name. */
    static Map<String, String> derive(TargetObservations observed, List<RuleSet> ruleSets) {
        Map<String, String> out = new TreeMap<>();
        StringBuilder observations = new StringBuilder();
        observed.observations().forEach(o -> observations.append(Json.write(json(o))).append('\n'));
        observed.startup().ifPresent(s -> observations.append(Json.write(Json.object().put("startup", s.kind()))).append('\n'));
        out.put("observations.jsonl", observations.toString());
        for (RuleSet rules : ruleSets) {
            StringBuilder verdicts = new StringBuilder();
            for (Graded graded : Grader.grade(rules, observed)) {
                Subject subject = graded.observation().subject();
                verdicts.append(graded.verdict().word()).append("  ").append(subject.check()).append("  ").append(subject.session()).append(' ')
                        .append(subject.revision().isEmpty() ? "-" : subject.revision());
                if (subject.tool() != null) {
                    verdicts.append("  ").append(subject.tool()).append(subject.property() == null ? "" : "." + subject.property());
                }
                verdicts.append("  ").append(graded.verdict().note()).append('\n');
            }
            if (verdicts.length() > 0) {
                out.put(rules.id() + ".verdicts", verdicts.toString());
            }
        }
        return out;
    }

    private static ObjectNode json(Observation observation) {
        Subject subject = observation.subject();
        ObjectNode node = Json.object().put("check", subject.check()).put("session", subject.session()).put("era", subject.era().id())
                .put("revision", subject.revision());
        if (subject.tool() != null) {
            node.put("tool", subject.tool()).put("property", subject.property()).put("primary", subject.primary());
        }
        node.put("observed", observation.observed());
        if (observation instanceof Observation.Reaction reaction) {
            node.put("code", reaction.code()).put("consequence", reaction.consequence());
            texts(node.putArray("flags"), reaction.flags());
        } else if (observation instanceof Observation.Finding finding) {
            texts(node.putArray("flags"), finding.flags());
        } else if (observation instanceof Observation.NotRun notRun) {
            node.put("reason", notRun.reason());
        }
        ArrayNode witness = node.put("detail", observation.detail()).putArray("witness");
        observation.witness().forEach(witness::add);
        return node;
    }

    private static void texts(ArrayNode array, Iterable<String> values) {
        values.forEach(array::add);
    }

    /** The golden files as they are, by file name. */
    Map<String, String> expected() throws IOException {
        Map<String, String> out = new TreeMap<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.filter(f -> f.getFileName().toString().matches("observations\\.jsonl|.*\\.verdicts")).toList()) {
                out.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.UTF_8));
            }
        }
        return out;
    }

    void rewrite(Map<String, String> files) throws IOException {
        for (String old : expected().keySet()) {
            if (!files.containsKey(old)) {
                Files.delete(folder.resolve(old));
            }
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String toString() {
        return folder.getParent().getFileName() + "/" + folder.getFileName();
    }
}
