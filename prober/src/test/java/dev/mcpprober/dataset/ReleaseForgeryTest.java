package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whoever corrupts a release knows how it is made: files that have no place in it, a description, card or provenance that demands or says something else, tables
 * and transcripts that were changed together. Every hash is made right again.
 */
class ReleaseForgeryTest extends PlantedRelease {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";
    private static final String SILENT = "pkg:npm/silent@1.0.0";

    @Test
    void aGroupOfServersThatIsAnother() throws Exception {
        int line = release.line("data/shares.csv", "no-fail,house@1,none,no-fail,sdk_family,official-ts");
        release.cell("data/shares.csv", line, "group", "fastmcp-py");
        caught("data/shares.csv:" + line + ": n is 1, table targets has 0 servers in this group that started");
    }

    @Test
    void linksAndWhatIsNoFile() throws Exception {
        Files.createSymbolicLink(release.folder.resolve("data/more"), Path.of("/etc"));
        Path codes = release.folder.resolve("data/codes.csv");
        Files.move(codes, temp.resolve("outside.csv"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Files.createSymbolicLink(codes, temp.resolve("outside.csv"));
        caught("data/more: is a link, or no file at all");
        caught("data/codes.csv: is a link, or no file at all");
        caught("datapackage.json: table codes: no file data/codes.csv");
    }

    @Test
    void aFileThatHasNoPlaceInARelease() throws Exception {
        release.write("data/more.csv", "x\n".getBytes(StandardCharsets.UTF_8));
        caught("data/more.csv: is no part of a release");
    }

    @Test
    void filesLargerThanAnyReleaseHas() throws Exception {
        try (java.io.RandomAccessFile file = new java.io.RandomAccessFile(release.folder.resolve("datapackage.json").toFile(), "rw")) {
            file.setLength(1L << 30);
        }
        caught("datapackage.json: larger than 16777216 bytes");
        try (java.io.RandomAccessFile file = new java.io.RandomAccessFile(release.folder.resolve("SHA256SUMS").toFile(), "rw")) {
            file.setLength(1L << 30);
        }
        caught("SHA256SUMS: SHA256SUMS: larger than 33554432 bytes");
    }

    private void described(String table, java.util.function.Consumer<ObjectNode> change, String says) throws Exception {
        Path file = release.folder.resolve("datapackage.json");
        ObjectNode root = (ObjectNode) Json.mapper().readTree(file.toFile());
        for (var resource : root.get("resources")) {
            if (resource.path("name").asText().equals(table)) {
                change.accept((ObjectNode) resource.get("schema"));
            }
        }
        Files.writeString(file, root.toString());
        release.seal();
        caught("datapackage.json: table " + table + ": " + says);
    }

    private static ObjectNode field(ObjectNode schema, String name) {
        for (var field : schema.get("fields")) {
            if (field.path("name").asText().equals(name)) {
                return (ObjectNode) field;
            }
        }
        throw new AssertionError(name);
    }

    /** Whoever edits cells can edit what the description demands of them. */
    @Test
    void aDescriptionThatDemandsLess() throws Exception {
        described("verdicts", schema -> ((ArrayNode) field(schema, "verdict").at("/constraints/enum")).add("maybe"), "column verdict has a closed list with other words");
        described("targets", schema -> field(schema, "line").put("type", "string"), "column line is of type string, and has to be integer");
        described("rules", schema -> field(schema, "level").remove("constraints"), "column level may be empty, and must not be");
        described("attribution", schema -> schema.remove("foreignKeys"), "foreign key [target_id] to table targets is missing");
        described("flaky", schema -> ((ArrayNode) schema.get("primaryKey")).add("check"), "its primary key is [");
        described("observations", schema -> field(schema, "detail_text").put("name", "details"), "column detail_text is missing");
        described("targets", schema -> field(schema, "server_name_text").remove("x-escaped"), "column server_name_text holds text of strangers, and does not say so");
    }

    @Test
    void aCodeThatMeansSomethingElse() throws Exception {
        int line = release.line("data/codes.csv", ",fail,");
        release.cell("data/codes.csv", line, "meaning", "fine");
        caught("data/codes.csv:" + line + ": the code means something else: ");
    }

    private void text(String file, String from, String to, String says) throws Exception {
        Path path = release.folder.resolve(file);
        String text = Files.readString(path);
        assertTrue(text.contains(from), from + " is not in\n" + text);
        Files.writeString(path, text.replace(from, to));
        release.seal();
        caught(says);
    }

    @Test
    void aCardThatSaysSomethingElse() throws Exception {
        text("README.md", "| frame | 8 |", "| frame | 9 |", "README.md:" + release.line("README.md", "| frame | 8 |") + ": \"| frame |\" does not say 8");
        text("README.md", "> **Incomplete: 2 of 8", "> **Complete: 2 of 8", "README.md: does not say that 2 of 8 rows are unmeasured");
        int line = release.line("README.md", "| official-ts |");
        release.edit("README.md", line, row -> row.replaceFirst("\\| 1 \\|", "| 7 |"));
        caught("README.md:" + line + ": table shares does not say: | official-ts |");
        line = release.line("README.md", "| official-ts |");
        release.edit("README.md", line, row -> row.replaceFirst("\\d+\\.\\d to", "99.9 to"));
        caught("README.md:" + line + ": table shares does not say: | official-ts |");
        text("README.md", "**Not audited.** ", "**Audited** by everybody. ", "README.md: does not say whether it is audited as table labels does");
        text("README.md", "rule sets (house@1)", "rule sets (house@2)", "README.md: does not say \"graded by rule sets (house@1)");
        text("README.md", "No server is withheld", "One server is withheld", "README.md: does not say \"No server is withheld or renamed");
        text("CITATION.cff", "version: 1.0.0", "version: 2.0.0", "CITATION.cff: does not say version: 1.0.0");
    }

    @Test
    void aProvenanceThatSaysSomethingElse() throws Exception {
        text("provenance.json", "\"frameRows\" : 8", "\"frameRows\" : 9", "provenance.json: run.frameRows is 9, datapackage.json says 8");
        text("provenance.json", "network=none", "network=all", "provenance.json: run.settings are not those of table runs");
        text("provenance.json", "sha256:abc", "sha256:abd", "provenance.json: ruleSets are not those of table runs");
        text("provenance.json", "\"lockfiles\" : { }", "\"lockfiles\" : {\"npm:x\":\"0\"}", "provenance.json: a lockfile of no target");
        text("provenance.json", "\"dataVersion\"", "\"dataVersion", "provenance.json: no JSON: ");
        text("datapackage.json", "Incomplete: 2 of 8 rows", "Incomplete: 1 of 8 rows", "datapackage.json: the description does not begin with what is unmeasured");
        text("datapackage.json", "CC-BY-4.0", "CC0-1.0", "datapackage.json: licence CC0-1.0");
    }

    private static byte[] gzip(String text) throws IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        try (java.util.zip.GZIPOutputStream zip = new java.util.zip.GZIPOutputStream(out)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    /** Puts another transcript into the place of one, with its digest wherever it stands. */
    private int transcript(java.util.function.UnaryOperator<String> change) throws Exception {
        int line = release.line("data/sessions.csv", GOOD + ",legacy");
        String name = java.util.Arrays.stream(Files.readAllLines(release.folder.resolve("data/sessions.csv")).get(line - 1).split(",")).filter(cell -> cell.startsWith("transcripts/")).findFirst().orElseThrow();
        Path file = release.folder.resolve(name);
        String before = dev.mcpprober.io.Digests.sha256(file);
        String text;
        try (java.io.InputStream in = new java.util.zip.GZIPInputStream(Files.newInputStream(file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Files.write(file, gzip(change.apply(text)));
        String after = dev.mcpprober.io.Digests.sha256(file);
        for (String table : List.of("data/sessions.csv", "data/attempts.csv")) {
            Path path = release.folder.resolve(table);
            Files.writeString(path, Files.readString(path).replace(before, after));
        }
        release.seal();
        return line;
    }

    @Test
    void aTranscriptThatSaysSomethingElseWithItsDigest() throws Exception {
        int line = transcript(text -> text.replaceFirst("\"node\"\\]", "\"deno\"]").replace("=HYPERLINK", "=HYPERLINKS"));
        caught("data/sessions.csv:" + line + ": event 1 of transcript ");
        line = transcript(text -> text.replaceFirst("(?s)\\n.*", "\n"));
        caught("data/sessions.csv:" + line + ": table witnesses has ");
        line = transcript(text -> text.replaceFirst("\"session\":\"legacy\"", "\"session\":\"modern\""));
        caught("data/sessions.csv:" + line + ": transcript ");
    }

    @Test
    void aTranscriptThatUnpacksWithoutEnd() throws Exception {
        Path bomb = temp.resolve("bomb.gz");
        String event = "{\"i\":9,\"t\":9,\"e\":\"stderr\",\"text\":\"" + "a".repeat(1 << 16) + "\"}\n";
        Files.write(bomb, gzip(event.repeat(64)));
        IOException e = org.junit.jupiter.api.Assertions.assertThrows(IOException.class, () -> dev.mcpprober.transcript.TranscriptReader.readEach(bomb, 1 << 20, seen -> { }));
        assertTrue(e.getMessage().contains("line 1:"), e.getMessage());
        int[] events = new int[1];
        line(transcriptOf(event), events);
        assertTrue(events[0] > 0 && events[0] < 20, events[0] + " events were read before the end");
    }

    private Path transcriptOf(String event) throws Exception {
        int[] none = new int[1];
        Path file = temp.resolve("long.gz");
        transcript(text -> {
            none[0]++;
            return text.substring(0, text.indexOf('\n') + 1) + event.repeat(64);
        });
        try (Stream<Path> files = Files.walk(release.folder.resolve("transcripts"))) {
            Path largest = files.filter(Files::isRegularFile).max(java.util.Comparator.comparingLong(path -> path.toFile().length())).orElseThrow();
            return Files.copy(largest, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void line(Path file, int[] events) {
        IOException e = org.junit.jupiter.api.Assertions.assertThrows(IOException.class,
                () -> dev.mcpprober.transcript.TranscriptReader.readEach(file, 1 << 20, seen -> events[0]++));
        assertTrue(e.getMessage().contains("unpacked it has more than 1048576 bytes"), e.getMessage());
    }

    @Test
    void aVerdictAndItsViewThatWereImprovedTogether() throws Exception {
        cell("data/verdicts.csv", GOOD + ",o00002", "verdict", "pass");
        cell("data/servers.csv", GOOD, "tools-call-unknown", "pass");
        caught("data/shares.csv:" + release.line("data/shares.csv", "verdict,house@1,tools-call-unknown,divergent,all,all") + ": k is 2, table servers has 1");
    }

    @Test
    void whatNobodyWasSeenToDo() throws Exception {
        int line = release.line("data/shares.csv", "observed,none,tools-call-unknown,tool-error,all,all");
        release.cell("data/shares.csv", line, "k", "2");
        caught("data/shares.csv:" + line + ": k is 2, table observations has this of 0 servers");
        line = release.line("data/shares.csv", "verdict,house@1,tools-call-unknown,divergent,all,all");
        release.cell("data/shares.csv", line, "ci_low", "0.9");
        caught("data/shares.csv:" + line + ": k, n, share, interval, publishers and effective size do not agree");
    }

    @Test
    void aViewThatTellsSomethingElse() throws Exception {
        cell("data/servers.csv", GOOD, "tools-call-unknown", "pass", "tools-call-unknown is pass, and table verdicts has no such verdict of house@1");
    }

    @Test
    void anAuditThatNobodyMade() throws Exception {
        int line = release.line("data/audit.csv", "verdict,house@1,");
        release.cell("data/audit.csv", line, "status", "audited");
        caught("data/audit.csv:" + line + ": status audited, and nobody has labelled anything");
        release.edit("data/audit.csv", release.line("data/audit.csv", "sdk-family,"), text -> null);
        caught("data/audit.csv: a word that the tables have is missing");
    }

    @Test
    void aViewWithoutOneServer() throws Exception {
        release.edit("data/servers.csv", release.line("data/servers.csv", SILENT), text -> null);
        caught("data/servers.csv: no row for " + SILENT);
    }
}
