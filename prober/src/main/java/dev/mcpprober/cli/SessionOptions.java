package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.ToolBudget;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of every command that drives sessions. Times are whole or fractional seconds. */
final class SessionOptions {
    private static final Pattern BUDGET = Pattern.compile("(\\d{1,5}|100000)(?:,(\\d{1,5}(?:\\.\\d{1,3})?))?");

    @Option(names = "--profile", paramLabel = "quick|full", description = "quick: one session; full: every session of the plan.",
            converter = ProfileConverter.class, defaultValue = "full")
    Profile profile;

    @Option(names = "--versions", description = "Also offer every legacy revision, and two that do not exist, each in a process of its own.")
    boolean versions;

    @Option(names = "--start-timeout", paramLabel = "SECONDS", description = "From the start of the process to its first answer.", defaultValue = "30")
    double start;

    @Option(names = "--request-timeout", paramLabel = "SECONDS", description = "For each later answer.", defaultValue = "10")
    double request;

    @Option(names = "--session-timeout", paramLabel = "SECONDS", description = "For one whole session.", defaultValue = "180")
    double session;

    @Option(names = "--eof-grace", paramLabel = "SECONDS", description = "For the process to end after stdin is closed, and once more after SIGTERM.", defaultValue = "5")
    double eofGrace = 5;

    @Option(names = "--tool-budget", paramLabel = "TOOLS[,SECONDS]", defaultValue = "25,120",
            description = "Full profile: call the first TOOLS tools, for SECONDS at most; 0 calls the primary tool only.")
    String toolBudget;

    Profile profile() {
        return versions ? profile.withVersions() : profile;
    }

    /** Told at once: to install a server first and then refuse a number is a loss of minutes. */
    void requireUsable() throws UserError {
        limits();
        toolBudget();
    }

    SessionLimits limits() throws UserError {
        return SessionLimits.DEFAULT.withTimeouts(seconds("--start-timeout", start), seconds("--request-timeout", request),
                seconds("--session-timeout", session)).withEofGrace(seconds("--eof-grace", eofGrace));
    }

    ToolBudget toolBudget() throws UserError {
        Matcher given = BUDGET.matcher(toolBudget);
        if (!given.matches()) {
            throw new UserError("--tool-budget: \"" + Printable.text(toolBudget, 80) + "\" is no number of tools up to 100000, or number and seconds: 25 or 25,120");
        }
        Duration time = given.group(2) == null ? ToolBudget.DEFAULT.time() : seconds("--tool-budget", Double.parseDouble(given.group(2)));
        return new ToolBudget(Integer.parseInt(given.group(1)), time);
    }

    static Duration seconds(String name, double value) throws UserError {
        if (!(value > 0 && value <= 86_400)) {
            throw new UserError(name + ": " + value + " is not a number of seconds above 0, 86400 at most");
        }
        return Duration.ofMillis(Math.max(1, Math.round(value * 1000)));
    }

    /** Reads {@code quick} and {@code full}. */
    static final class ProfileConverter implements picocli.CommandLine.ITypeConverter<Profile> {
        @Override
        public Profile convert(String text) {
            for (Profile profile : List.of(Profile.QUICK, Profile.FULL)) {
                if (profile.id().equals(text)) {
                    return profile;
                }
            }
            throw new picocli.CommandLine.TypeConversionException("\"" + text + "\" is no profile (quick or full)");
        }
    }
}
