package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What others would read otherwise than it was meant, or see in pages and pictures and not find in tables. Every hash is made right again. */
class ReleaseReadingTest extends PlantedRelease {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";

    private void described(String table, Consumer<ObjectNode> change, String at) throws Exception {
        ReleaseFixture fresh = ReleaseFixture.copy(release.folder, release.folder.resolveSibling(release.folder.getFileName() + at.replaceAll("[^a-zA-Z]", "-")));
        Path file = fresh.folder.resolve("datapackage.json");
        JsonNode root = Json.mapper().readTree(file.toFile());
        root.get("resources").forEach(resource -> {
            if (resource.path("name").asText().equals(table)) {
                change.accept((ObjectNode) resource);
            }
        });
        Files.writeString(file, root.toString());
        caught(fresh.seal(), "datapackage.json: table " + table + ": its description is not that of such a table at " + at);
    }

    private static ObjectNode object(JsonNode node, String at) {
        return (ObjectNode) node.at(at);
    }

    /** Readers of data packages do as they are told: every fail a missing value, the first row a header. */
    @Test
    void aDescriptionByWhichOthersReadSomethingElse() throws Exception {
        described("verdicts", table -> ((ArrayNode) table.at("/schema/missingValues")).add("fail"), "/schema/missingValues/1");
        described("verdicts", table -> object(table, "/schema/fields/0").putArray("missingValues").add("fail"), "/schema/fields/0/missingValues");
        described("verdicts", table -> object(table, "/dialect").put("commentChar", "p"), "/dialect/commentChar");
        described("servers", table -> object(table, "/dialect").put("header", false), "/dialect/header");
        described("attempts", table -> object(table, "/schema/fields/2").putArray("trueValues").add("false"), "/schema/fields/2/trueValues");
        described("sessions", table -> table.put("encoding", "latin-1"), "/encoding");
        described("sessions", table -> table.at("/schema/fields").forEach(field -> ((ObjectNode) field).replace("x-unit", Json.mapper().valueToTree("s"))), "/schema/fields/0/x-unit");
    }

    @Test
    void tablesAndColumnsThatAreNoneOfARelease() throws Exception {
        Path file = release.folder.resolve("datapackage.json");
        ObjectNode root = (ObjectNode) Json.mapper().readTree(file.toFile());
        ObjectNode more = root.get("resources").get(0).deepCopy();
        ((ArrayNode) root.get("resources")).add(more.put("name", "more").put("path", "data/more.csv"));
        Files.writeString(file, root.toString());
        release.write("data/more.csv", Files.readAllBytes(release.folder.resolve("data/runs.csv")));
        caught("datapackage.json: table more: is no table of a release");
        Files.writeString(file, Files.readString(file).replaceFirst("\"version\" : ", "\"version\" : \"9.0.0\", \"version\" : "));
        caught("datapackage.json: no JSON: Duplicate field 'version'");
    }

    @Test
    void cellsThatReadersTakeForDifferentThings() throws Exception {
        cell("data/targets.csv", GOOD, "reason", "\"\"", "is quoted otherwise than a line of such a table");
        cell("data/targets.csv", GOOD, "line", "9".repeat(30), "column line: ");
        cell("data/sessions.csv", GOOD, "started_at", "2026-12-01T12:00:00+01:00", "column started_at: ");
        cell("data/targets.csv", GOOD, "server_name_text", "\u00a0=1+1", "column server_name_text: ");
        cell("data/targets.csv", GOOD, "server_name_text", "a".repeat(4000), "column server_name_text: ");
    }

    /** By anybody who counts the long tables. */
    @Test
    void sharesThatTheLongTablesDoNotMake() throws Exception {
        int line = release.line("data/shares.csv", "no-fail,house@1,none,no-fail,sdk_version,");
        release.edit("data/shares.csv", line, text -> null);
        caught("data/shares.csv: 1 shares are missing, the first one [no-fail, house@1, none, no-fail, sdk_version, ");
    }

    @Test
    void boundsThatAreNoneOfTheShare() throws Exception {
        int line = release.line("data/shares.csv", "decided,house@1,tools-call-unknown,decided,all,all");
        release.cell("data/shares.csv", line, "exact_low", "0.9");
        caught("data/shares.csv:" + line + ": exact_low is 0.9, the long tables make it ");
    }

    @Test
    void pagesThatTablesDoNotMake() throws Exception {
        release = ReleaseFixture.make(temp, "with-report", null, Optional.empty()).seal();
        Path page = release.folder.resolve("report/index.html");
        Files.writeString(page, Files.readString(page).replaceFirst("</main>", "<script src=\"//example\"></script></main>"));
        Files.writeString(release.folder.resolve("report/servers/more.html"), "<h1>Fine</h1>");
        Files.delete(release.folder.resolve("report/figures/funnel.csv"));
        release.seal();
        caught("report/index.html:" + release.line("report/index.html", "<script") + ": is not what this program makes of the tables");
        caught("report/servers/more.html: is no page that this program makes of the tables");
        caught("report/figures/funnel.csv: is missing");
    }

    @Test
    void partsThatWereAskedForAndAreNotThere() throws Exception {
        dev.mcpprober.io.Folders.delete(release.folder.resolve("transcripts"));
        release.seal();
        caught("provenance.json: argv has --transcripts, and the folder has none of what it makes");
    }

    private void transcript(UnaryOperator<String> change, byte[] after, String says) throws Exception {
        int line = release.line("data/sessions.csv", GOOD + ",legacy");
        String name = Files.readAllLines(release.folder.resolve("data/sessions.csv")).get(line - 1).replaceFirst(".*,(transcripts/[^,]+),.*", "$1");
        Path file = release.folder.resolve(name);
        byte[] before = Files.readAllBytes(file);
        String digest = dev.mcpprober.io.Digests.sha256(file);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file)); GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(change.apply(new String(in.readAllBytes(), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
        }
        out.write(after);
        Files.write(file, out.toByteArray());
        swap(digest, dev.mcpprober.io.Digests.sha256(file));
        release.seal();
        caught(says.startsWith(" ") ? "data/sessions.csv:" + line + ": transcript " + name + says : name + ": " + says);
        String now = dev.mcpprober.io.Digests.sha256(file);
        Files.write(file, before);
        swap(now, digest);
    }

    private void swap(String digest, String by) throws Exception {
        for (String table : new String[] {"data/sessions.csv", "data/attempts.csv"}) {
            Path path = release.folder.resolve(table);
            Files.writeString(path, Files.readString(path).replace(digest, by));
        }
    }

    @Test
    void whatATranscriptHasBesideItsWitnesses() throws Exception {
        transcript(text -> text, "hidden".getBytes(StandardCharsets.UTF_8), "is more than one member of gzip");
        transcript(text -> text + "{\"i\":900,\"t\":1,\"e\":\"stderr\",\"text\":\"more\"}\n", new byte[0], " has ");
        transcript(text -> text + "{\"i\":2147483647,\"t\":1,\"e\":\"stderr\",\"text\":\"far\"}\n", new byte[0], " has ");
        transcript(text -> text.replaceFirst("\"target\":\"[^\"]+\"", "\"target\":\"pkg:npm/other\""), new byte[0], " is of another session");
    }
}
