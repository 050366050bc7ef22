package dev.mcpprober.cli;

import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.model.Printable;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Option;

/** Options of commands that decide which servers may be named. */
final class HoldOptions {
    private static final int MAX_DAYS = 3650;
    private static final int DAYS = 90;

    @Option(names = "--disclosure", paramLabel = "FILE", description = "CSV of what was agreed with maintainers: target,check,policy,date,answer,note. Private.")
    Path file;

    @Option(names = "--hold-days", paramLabel = "N", defaultValue = "" + DAYS, description = "Days from the run for which a finding with a severity is held where that file says nothing.")
    int days;

    @Option(names = "--today", paramLabel = "DATE", description = "Day on which holds are decided (YYYY-MM-DD), to build the same again later. Default: today, UTC.")
    String today;

    boolean given() {
        return file != null || today != null || days != DAYS;
    }

    Disclosure.Request request(Path key, boolean cover) throws UserError {
        if (days < 0 || days > MAX_DAYS) {
            throw new UserError("--hold-days: " + days + " is not between 0 and " + MAX_DAYS);
        }
        try {
            return new Disclosure.Request(file, days, today == null ? LocalDate.now(Clock.systemUTC()) : LocalDate.parse(today), key, cover);
        } catch (DateTimeParseException e) {
            throw new UserError("--today: \"" + Printable.text(today, 40) + "\" is no day (YYYY-MM-DD)");
        }
    }
}
