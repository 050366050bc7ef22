package dev.mcpprober.cli;

import dev.mcpprober.census.Workers;
import picocli.CommandLine.Option;

/** Options of commands that take targets through a census on this machine. */
final class CensusOptions {
    @Option(names = "--workers", paramLabel = "N", description = "Targets probed at a time. Default: by processors and memory.")
    Integer probe;

    @Option(names = "--install-workers", paramLabel = "N", description = "Targets installed at a time. Default: by processors and memory.")
    Integer install;

    @Option(names = "--keep-images", description = "Keep the image of each server; else it is removed as soon as the server is finished.")
    boolean keepImages;

    Workers workers() throws UserError {
        check("--workers", probe);
        check("--install-workers", install);
        return Workers.ofThisMachine().with(probe, install);
    }

    private static void check(String option, Integer count) throws UserError {
        if (count != null && (count < 1 || count > Workers.MOST)) {
            throw new UserError(option + ": " + count + " is not between 1 and " + Workers.MOST);
        }
    }
}
