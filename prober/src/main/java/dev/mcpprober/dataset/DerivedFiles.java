package dev.mcpprober.dataset;

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

    DerivedFiles(RunFolder folder, Analysis analysis) throws IOException {
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
        observations.add(DerivedJson.observations(derived));
        for (Map.Entry<String, GzLines> entry : verdicts.entrySet()) {
            entry.getValue().add(DerivedJson.verdicts(derived, entry.getKey()));
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
