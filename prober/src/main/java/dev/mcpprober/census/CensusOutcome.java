package dev.mcpprober.census;

import dev.mcpprober.run.Coverage;

/** How a run of the program over a frame ended. */
public sealed interface CensusOutcome {
    Coverage coverage();

    /** Every target was tried to its end; unmeasured ones used up their tries. */
    record Done(Coverage coverage) implements CensusOutcome {}

    /** Broken off; the same command goes on from here. {@code reason} is for a person and may hold raw text of the engine. */
    record StoppedEarly(Coverage coverage, String reason) implements CensusOutcome {}
}
