package dev.mcpprober.cli;

import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.model.Printable;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that installs packages. */
public final class InstallOptions {
    @Option(names = "--as-of", paramLabel = "DATE", description = "Install as the registries stood on this day (YYYY-MM-DD).")
    String asOf;

    @Option(names = "--install-timeout", paramLabel = "SECONDS", description = "For installing one package.", defaultValue = "300")
    double timeout;

    /** Told before an engine is set up. */
    public void requireUsable() throws UserError {
        limits();
        asOf();
    }

    public Optional<LocalDate> asOf() throws UserError {
        if (asOf == null) {
            return Optional.empty();
        }
        return Optional.of(day("--as-of", asOf));
    }

    /** A day, today's date anywhere on earth at the latest: what registries will hold is not known, and would be recorded as if it were. */
    static LocalDate day(String option, String text) throws UserError {
        LocalDate day;
        try {
            day = LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new UserError(option + ": \"" + Printable.text(text, 40) + "\" is no date (YYYY-MM-DD)");
        }
        if (day.isAfter(LocalDate.now(ZoneOffset.ofHours(14)))) {
            throw new UserError(option + ": " + day + " is yet to come");
        }
        return day;
    }

    public InstallLimits limits() throws UserError {
        return InstallLimits.standard().withTime(SessionOptions.seconds("--install-timeout", timeout));
    }
}
