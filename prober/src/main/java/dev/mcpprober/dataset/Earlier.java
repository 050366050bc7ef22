package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.mcpprober.io.Json;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A derived file that an earlier command left in the run folder, read along target by target in the order of the tables. */
final class Earlier implements Closeable {
    private static final Pattern NAME = Pattern.compile("(.+)@(\\d{1,6})\\.jsonl\\.gz");

    private final Path file;
    private final String label;
    private final MappingIterator<JsonNode> lines;
    private JsonNode next;

    private Earlier(Path file, String label) throws IOException {
        this.file = file;
        this.label = label;
        InputStream bytes = Files.newInputStream(file);
        try {
            this.lines = Json.stream(new GZIPInputStream(bytes, 1 << 16));
            advance();
        } catch (IOException e) {
            bytes.close();
            throw e instanceof Unreadable ? e : unreadable(e.getMessage(), e);
        }
    }

    /**
     * The file beside {@code file} of the same id with the highest version that is not above that of {@code label}, {@code file}
     * itself included.
     *
     * @param label {@code id@version}
     */
    static Optional<Earlier> beside(Path file, String label) throws IOException {
        Matcher wanted = NAME.matcher(file.getFileName().toString());
        if (!wanted.matches() || !Files.isDirectory(file.getParent())) {
            return Optional.empty();
        }
        long best = -1;
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path other : (Iterable<Path>) files::iterator) {
                Matcher found = NAME.matcher(other.getFileName().toString());
                if (found.matches() && found.group(1).equals(wanted.group(1)) && Long.parseLong(found.group(2)) <= Long.parseLong(wanted.group(2))) {
                    best = Math.max(best, Long.parseLong(found.group(2)));
                }
            }
        }
        if (best < 0) {
            return Optional.empty();
        }
        String name = wanted.group(1) + "@" + best;
        return Optional.of(new Earlier(file.resolveSibling(name + ".jsonl.gz"), name));
    }

    String label() {
        return label;
    }

    /** The line of {@code target}, or null where there is none; lines of earlier targets are passed over. */
    JsonNode take(String target) throws IOException {
        while (next != null) {
            int order = CsvTable.KEY_ORDER.compare(List.of(next.get("target").asText()), List.of(target));
            if (order > 0) {
                return null;
            }
            JsonNode here = next;
            advance();
            if (order == 0) {
                return here;
            }
        }
        return null;
    }

    private void advance() throws IOException {
        try {
            next = lines.hasNextValue() ? lines.nextValue() : null;
        } catch (IOException e) {
            throw unreadable(e.getMessage(), e);
        }
        if (next != null && !next.path("target").isTextual()) {
            throw unreadable("a line without a target", null);
        }
    }

    private static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1L;

        Unreadable(String message, IOException cause) {
            super(message, cause);
        }
    }

    private IOException unreadable(String why, IOException cause) {
        return new Unreadable(file + ": what an earlier command wrote cannot be read, so what has changed cannot be told (" + why
                + "). Move the file away to derive everything anew without comparing.", cause);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
