package dev.mcpprober.cli;

import dev.mcpprober.install.Installer;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import java.io.IOException;
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
            return new Target.OnDisk(packaged(named.get()));
        }
        try {
            return new Target.InRegistry(PackageUrl.parse(text));
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** A path with no package at it is a slip of whoever named it, and nothing that could be said of a server. */
    private static Path packaged(Path path) throws UserError {
        Optional<String> problem;
        try {
            problem = Installer.noPackage(path);
        } catch (IOException e) {
            problem = Optional.of(path + " cannot be read: " + e.getMessage());
        }
        if (problem.isPresent()) {
            throw new UserError(Printable.text(problem.get(), 1000));
        }
        return path;
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
