package dev.mcpprober.cli;

import dev.mcpprober.model.Registry;
import dev.mcpprober.model.Target;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which file of the author's repository stands for a server: tools that show findings in code want one. A relative URI. */
final class SourceFile {
    private SourceFile() {}

    /** The first file below this folder that the command names, else the manifest here. */
    static String of(List<String> command) {
        return command.stream().flatMap(word -> below(word).stream()).findFirst().orElseGet(() -> manifest(Path.of("")).orElse("README.md"));
    }

    static String of(Target target, Registry registry) {
        if (target instanceof Target.OnDisk onDisk) {
            Optional<String> here = Files.isDirectory(onDisk.path()) ? manifest(onDisk.path()) : below(onDisk.path().toString());
            if (here.isPresent()) {
                return here.get();
            }
        }
        return registry == Registry.PYPI ? "pyproject.toml" : "package.json";
    }

    private static Optional<String> manifest(Path folder) {
        return Stream.of("package.json", "pyproject.toml").flatMap(name -> below(folder.resolve(name).toString()).stream()).findFirst();
    }

    private static Optional<String> below(String file) {
        try {
            Path here = Path.of("").toAbsolutePath();
            Path path = here.resolve(file).normalize();
            if (!file.isBlank() && path.startsWith(here) && Files.isRegularFile(path)) {
                return Optional.of(new URI(null, null, here.relativize(path).toString().replace('\\', '/'), null).toASCIIString());
            }
        } catch (InvalidPathException | URISyntaxException e) {
            // Not a name of a file.
        }
        return Optional.empty();
    }
}
