package dev.mcpprober.census;

import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The images that a run makes, told by a label, so that those of a run that was killed are found when it goes on. */
public final class RunImages {
    private static final String LABEL = "dev.mcpprober.census";

    private RunImages() {}

    /** For every image that the run makes. */
    public static Map<String, String> labels(OpenRun run) throws IOException {
        return Map.of(LABEL, Digests.sha256(run.folder().path().toRealPath() + "\n" + run.info().createdAt()).substring(0, 16));
    }

    /** Images of the run that no target of it goes on with: it was finished, or the install was never recorded. */
    public static List<String> unneeded(OpenRun run, ImageEngine engine) throws IOException, EngineException {
        String own = labels(run).get(LABEL);
        List<String> made = engine.imagesWith(LABEL).stream().filter(image -> own.equals(image.labels().get(LABEL))).map(ImageEngine.Labelled::id).toList();
        if (made.isEmpty()) {
            return made;
        }
        Set<String> needed = needed(run);
        return made.stream().filter(image -> !needed.contains(image)).toList();
    }

    private static Set<String> needed(OpenRun run) throws IOException {
        Set<String> needed = new HashSet<>();
        for (String target : run.frameIds()) {
            Optional<LedgerEvent.Installed> installed = run.ledger().read(state -> state.of(target).finished().isPresent() ? Optional.empty()
                    : state.of(target).installed());
            if (installed.isPresent() && installed.get().usable() && RunFolder.holds(run.folder().install(target), installed.get().sha256())) {
                image(run.folder().install(target)).ifPresent(needed::add);
            }
        }
        return needed;
    }

    private static Optional<String> image(Path document) throws IOException {
        byte[] bytes = Files.readAllBytes(document);
        try {
            return InstallDocument.read(bytes).program().map(InstallRecord.Program::image);
        } catch (IOException e) {
            return Optional.empty(); // of another version of this program: the target is installed again
        }
    }
}
