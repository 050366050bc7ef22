package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the project's own files are: {@code prober/} (system property {@code prober.home}) and {@code images/} beside it. */
public final class ProberHome {
    private ProberHome() {}

    /** The {@code prober/} folder. */
    public static Path folder() throws EngineException {
        String home = System.getProperty("prober.home", "");
        Path folder = Path.of(home.isEmpty() ? "prober" : home).toAbsolutePath().normalize();
        if (!Files.isDirectory(folder.resolve("bin"))) {
            throw new EngineException(new Fault.ProberDefect("no folder bin in " + folder
                    + "; start the prober by prober/bin/prober, or give its folder as -Dprober.home=…"));
        }
        return folder;
    }

    /** The {@code images/} folder. */
    public static Path images() throws EngineException {
        Path images = folder().resolveSibling("images");
        if (!Files.isDirectory(images)) {
            throw new EngineException(new Fault.ProberDefect("no folder " + images + "; it belongs beside " + folder()));
        }
        return images;
    }

    /** A file of {@code images/}, for what goes without where the prober was started in another way. */
    static Path imageFile(String name) {
        String home = System.getProperty("prober.home", "prober");
        return Path.of(home).toAbsolutePath().normalize().resolveSibling("images").resolve(name);
    }
}
