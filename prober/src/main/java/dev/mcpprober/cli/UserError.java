package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import java.util.stream.Collectors;

/** Something the user gave is wrong; the message names it and says what to do. */
public final class UserError extends Exception {
    private static final long serialVersionUID = 1L;

    public UserError(String message) {
        super(message);
    }

    /** Of a problem that is told in several lines, each made printable by itself. */
    static UserError inLines(Exception problem) {
        return new UserError(problem.getMessage().lines().map(line -> Printable.text(line, 600)).collect(Collectors.joining("\n")));
    }
}
