package dev.mcpprober.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the files of a run lie, and how its descriptions are read and written. Every failure names the file. */
public record RunFolder(Path path) {
    private static final int NAME_LENGTH = 80;

    public Path census() {
        return path.resolve("census.json");
    }

    public Path frame() {
        return path.resolve("frame.jsonl");
    }

    public Path ledger() {
        return path.resolve("ledger.jsonl");
    }

    public Path lock() {
        return path.resolve("run.lock");
    }

    public Path dataset() {
        return path.resolve("dataset");
    }

    public Path transcript(String attempt) {
        return path.resolve("transcripts").resolve(attempt.substring(0, 2)).resolve(attempt + ".jsonl.gz");
    }

    /** The target's name cut to what any file system takes, made unique by a digest of all of it. */
    public Path install(String target) {
        String safe = target.replaceAll("[^A-Za-z0-9@._-]+", "_").replaceAll("^[._]+", "");
        String cut = safe.length() > NAME_LENGTH ? safe.substring(0, NAME_LENGTH) : safe;
        return path.resolve("installs").resolve(cut + "-" + Digests.sha256(target).substring(0, 8) + ".json");
    }

    public Path observations(String extractor) {
        return path.resolve("observations").resolve(extractor + ".jsonl.gz");
    }

    public Path verdicts(String ruleSet) {
        return path.resolve("verdicts").resolve(ruleSet + ".jsonl.gz");
    }

    /** True when the file is there and its content has this digest. */
    public static boolean holds(Path file, String sha256) throws IOException {
        return Files.isRegularFile(file) && Digests.sha256(file).equals(sha256);
    }

    /** @throws UnusableRunException when the folder is none of a run, or of another format version */
    public RunInfo readInfo() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new UnusableRunException("run folder " + path + ": no such folder");
        }
        if (!Files.isRegularFile(census())) {
            throw new UnusableRunException("run folder " + path + ": holds no census.json, so it is no folder of a run");
        }
        JsonNode node;
        try {
            node = Json.mapper().readTree(census().toFile());
        } catch (IOException e) {
            throw new UnusableRunException(census() + ": cannot be read: " + said(e), e);
        }
        int version = node.path("formatVersion").asInt(-1);
        if (version != RunInfo.FORMAT_VERSION) {
            throw new UnusableRunException("run folder " + path + ": format version " + (version < 0 ? "unknown" : version) + ", this program reads version "
                    + RunInfo.FORMAT_VERSION);
        }
        try {
            return Json.mapper().treeToValue(node, RunInfo.class);
        } catch (JsonProcessingException e) {
            throw new UnusableRunException(census() + ": not as this program writes it: " + Json.problem(e), e);
        }
    }

    public void writeInfo(RunInfo info) throws IOException {
        byte[] text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(info).getBytes(StandardCharsets.UTF_8);
        AtomicFiles.write(census(), out -> {
            out.write(text);
            out.write('\n');
        });
    }

    /** @throws UnusableRunException naming the line, when the file is missing or not as this program writes it */
    public List<FrameRow> readFrame() throws IOException {
        List<FrameRow> rows = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(frame(), StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                FrameRow row = Json.mapper().readValue(line, FrameRow.class);
                if (row == null || row.target() == null || row.excluded() == null) {
                    throw new UnusableRunException("no row of a frame");
                }
                rows.add(row);
            }
        } catch (IOException e) {
            throw new UnusableRunException(frame() + (e instanceof JsonProcessingException || e instanceof UnusableRunException ? ", line " + (rows.size() + 1) + ": " : " cannot be read: ") + said(e), e);
        }
        return rows;
    }

    private static String said(IOException e) {
        return e instanceof JsonProcessingException json ? "not JSON as this program writes it: " + Json.problem(json) : e.getMessage();
    }

    public void writeFrame(List<FrameRow> rows) throws IOException {
        AtomicFiles.write(frame(), out -> {
            for (FrameRow row : rows) {
                out.write(Json.write(Json.mapper().valueToTree(row)).getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            }
        });
    }

    /** The state of the run as its ledger tells it; an empty one where there is no ledger yet. */
    public LedgerState readLedger() throws IOException {
        LedgerState state = new LedgerState();
        if (Files.exists(ledger())) {
            LedgerReader.read(ledger(), state::apply);
        }
        return state;
    }
}
