package dev.mcpprober.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What is on an engine after a run that nothing needs any more. The gateway's cache and the images that installs start from stay on purpose. */
final class Remains {
    private Remains() {}

    /**
     * @param before  images that were there before the run
     * @param records folders with records of installs, whose images are kept for the next run: the run's own and those of its cache
     */
    static List<String> of(OwnEngine engine, Set<String> before, List<Path> records) throws IOException, InterruptedException {
        List<String> left = new ArrayList<>();
        engine.docker("ps", "-a", "--format", "container {{.ID}} {{.Status}} {{.Command}}").lines().forEach(left::add);
        engine.docker("network", "ls", "--filter", "type=custom", "--format", "network {{.Name}}").lines().forEach(left::add);
        engine.docker("volume", "ls", "-q").lines().filter(name -> !name.equals("mcp-prober-registry-cache")).forEach(name -> left.add("volume " + name));
        Set<String> kept = kept(records);
        for (String image : images(engine)) {
            if (!before.contains(image) && !kept.contains(image)) {
                left.add("image " + image);
            }
        }
        return left;
    }

    static Set<String> images(OwnEngine engine) throws IOException, InterruptedException {
        return new HashSet<>(engine.docker("images", "-aq", "--no-trunc").lines().toList());
    }

    /** Images that a later run of the same packages would use. */
    private static Set<String> kept(List<Path> records) throws IOException {
        Set<String> kept = new HashSet<>();
        for (Path folder : records) {
            try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    JsonNode image = Json.mapper().readTree(file.toFile()).at("/program/image");
                    if (image.isTextual()) {
                        kept.add(image.asText());
                    }
                }
            }
        }
        return kept;
    }

    /** Removes what installs made, so that the next run begins as the last one did. */
    static void removeImages(OwnEngine engine, Set<String> before) throws IOException, InterruptedException {
        for (String image : images(engine)) {
            if (!before.contains(image)) {
                engine.docker("rmi", "-f", image);
            }
        }
    }
}
