package dev.mcpprober.census.queue;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.corpus.FrameEntry;
import java.io.IOException;
import java.util.function.Consumer;

/** How a worker measures one target in a run folder of its own. */
@FunctionalInterface
public interface UnitMeasure {
    /** @param started is to be given the runner before it runs, so that others can break it off */
    CensusOutcome measure(OpenRun unit, FrameEntry entry, Consumer<CensusRunner> started) throws IOException, InterruptedException;
}
