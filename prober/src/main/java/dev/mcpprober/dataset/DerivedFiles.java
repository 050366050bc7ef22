package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.run.RunFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code observations/} and {@code verdicts/} of a run folder: one line for each target that has sessions. */
final class DerivedFiles implements Closeable {
    private final GzLines observations;
    private final Map<String, GzLines> verdicts = new LinkedHashMap<>();
    private final String extractor;
    private final DerivedChanges changes;

    /** @param changes sees every line too; null for nobody */
    DerivedFiles(RunFolder folder, Analysis analysis, DerivedChanges changes) throws IOException {
        this.extractor = analysis.extractor();
        this.changes = changes;
        observations = new GzLines(folder.observations(analysis.extractor()));
        try {
            for (Judge judge : analysis.judges()) {
                verdicts.put(judge.label(), new GzLines(folder.verdicts(judge.label())));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    void add(Derived derived) throws IOException {
        if (derived.observed() == null) {
            return;
        }
        ObjectNode observed = DerivedJson.observations(derived);
        observations.add(observed);
        Map<String, ObjectNode> judged = new LinkedHashMap<>();
        for (Map.Entry<String, GzLines> entry : verdicts.entrySet()) {
            ObjectNode line = DerivedJson.verdicts(derived, entry.getKey(), extractor);
            entry.getValue().add(line);
            judged.put(entry.getKey(), line);
        }
        if (changes != null) {
            changes.add(derived.history().row().target(), observed, judged);
        }
    }

    List<Path> finish() throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(observations.finish());
        for (GzLines lines : verdicts.values()) {
            files.add(lines.finish());
        }
        return files;
    }

    @Override
    public void close() throws IOException {
        observations.close();
        for (GzLines lines : verdicts.values()) {
            lines.close();
        }
    }
}
