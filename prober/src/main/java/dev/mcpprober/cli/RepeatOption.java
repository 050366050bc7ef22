package dev.mcpprober.cli;

import dev.mcpprober.model.SessionName;
import picocli.CommandLine.Option;

/** How often the sessions of a server are gone through. */
final class RepeatOption {
    @Option(names = "--repeat", paramLabel = "K", defaultValue = "1",
            description = "Go through all sessions K times. Verdicts of the first time stand; those that differ later are marked flaky.")
    int repeat;

    int times() throws UserError {
        if (repeat < 1 || repeat > SessionName.MAX_REPEATS) {
            throw new UserError("--repeat: " + repeat + " is not between 1 and " + SessionName.MAX_REPEATS);
        }
        return repeat;
    }
}
