package dev.mcpprober.dataset;

import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code grade DIR --rules}: observations and verdicts of a run, derived anew from its transcripts. Needs no engine. */
public final class Regrade {
    private Regrade() {}

    /**
     * @param targets  targets that have sessions
     * @param verdicts rule set's label to verdict to how often it was given
     * @param changes  against what the run folder held before
     */
    public record Result(List<Path> files, int targets, Map<String, Map<String, Integer>> verdicts, Changes changes) {
        public Result {
            files = List.copyOf(files);
        }
    }

    /** @throws IOException naming the file, when something cannot be read or written, or is not what the ledger says */
    public static Result run(RunFolder folder, Analysis analysis) throws IOException {
        Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
        analysis.judges().forEach(judge -> counts.put(judge.label(), new LinkedHashMap<>()));
        int targets = 0;
        List<Path> files = new ArrayList<>();
        Changes changed;
        try (RunReader reader = new RunReader(folder, analysis.redactor()); DerivedChanges changes = new DerivedChanges(folder, analysis);
                DerivedFiles out = new DerivedFiles(folder, analysis, changes); TraitFiles traits = new TraitFiles(folder)) {
            for (FrameRow row : reader.rows()) {
                Derived derived = Derived.of(reader, reader.history(row), analysis);
                targets += derived.observed() == null ? 0 : 1;
                derived.verdicts().forEach((label, graded) ->
                        graded.forEach(verdict -> counts.get(label).merge(verdict.verdict().word(), 1, Integer::sum)));
                out.add(derived);
                traits.add(derived);
            }
            files.addAll(out.finish());
            files.addAll(traits.finish());
            changed = changes.finish();
            if (changed.file() != null) {
                files.add(changed.file());
            }
        }
        return new Result(files, targets, counts, changed);
    }
}
