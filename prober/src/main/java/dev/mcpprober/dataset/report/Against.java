package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.compare.Comparer;
import dev.mcpprober.dataset.compare.Comparison;
import dev.mcpprober.dataset.drift.Drift;
import dev.mcpprober.dataset.drift.DriftReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.util.List;

/** What changed since an earlier run. */
record Against(Drift drift, Comparison comparison) {
    static Against of(RunFolder earlier, RunFolder run, Analysis analysis) throws IOException {
        Analysis first = new Analysis(analysis.extractor(), analysis.begin(), List.of(analysis.judges().get(0)));
        return new Against(DriftReader.between(earlier, run, first), Comparer.runs(earlier, run, first));
    }
}
