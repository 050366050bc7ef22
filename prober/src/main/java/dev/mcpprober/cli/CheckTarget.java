package dev.mcpprober.cli;

import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a TARGET of the command line. */
public final class CheckTarget {
    private CheckTarget() {}

    public static Target parse(String text) throws UserError {
        if (!PackageUrl.looksLikeOne(text)) {
            Optional<Path> named = path(text);
            if (named.isEmpty()) {
                throw new UserError("\"" + Printable.text(text, 200) + "\" is neither a file or folder here nor a registry target"
                        + " (npm:NAME[@VERSION], pypi:NAME[==VERSION], pkg:npm/…, pkg:pypi/…)");
            }
            return new Target.OnDisk(named.get());
        }
        try {
            return new Target.InRegistry(PackageUrl.parse(text));
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** Empty where there is nothing of that name; what the locale of this process cannot say is no name of a file here. */
    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text)).filter(path -> !text.isBlank() && Files.exists(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
