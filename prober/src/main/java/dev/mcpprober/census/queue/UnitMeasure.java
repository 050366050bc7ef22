package dev.mcpprober.census.queue;

import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.OpenRun;

/** How a worker measures: the runner for a run folder that holds one target. */
@FunctionalInterface
public interface UnitMeasure {
    CensusRunner runner(OpenRun unit);
}
