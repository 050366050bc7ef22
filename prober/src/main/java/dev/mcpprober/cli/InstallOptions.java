package dev.mcpprober.cli;

import dev.mcpprober.install.InstallLimits;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that installs packages. */
public final class InstallOptions {
    @Option(names = "--as-of", paramLabel = "DATE", description = "Install as the registries stood on this day (YYYY-MM-DD).")
    String asOf;

    @Option(names = "--install-timeout", paramLabel = "SECONDS", description = "For installing one package.", defaultValue = "300")
    double timeout;

    public Optional<LocalDate> asOf() throws UserError {
        if (asOf == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.parse(asOf));
        } catch (DateTimeParseException e) {
            throw new UserError("--as-of: \"" + dev.mcpprober.model.Printable.text(asOf, 40) + "\" is no date (YYYY-MM-DD)");
        }
    }

    public InstallLimits limits() throws UserError {
        if (!(timeout > 0 && timeout <= 86_400)) {
            throw new UserError("--install-timeout: " + timeout + " is not a number of seconds between 0 and 86400");
        }
        return InstallLimits.standard().withTime(Duration.ofMillis(Math.round(timeout * 1000)));
    }
}
