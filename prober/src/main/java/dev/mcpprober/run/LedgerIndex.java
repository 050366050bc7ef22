package dev.mcpprober.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The events of a ledger by target, read when asked for: the ledger of a large frame does not fit in memory. For one thread. */
public final class LedgerIndex implements AutoCloseable {
    private final RandomAccessFile file;
    private final Map<String, Places> places = new HashMap<>();

    /** Offsets and lengths of lines, in turn. */
    private static final class Places {
        private long[] values = new long[16];
        private int size;

        void add(long offset, int length) {
            if (size + 2 > values.length) {
                values = Arrays.copyOf(values, values.length * 2);
            }
            values[size++] = offset;
            values[size++] = length;
        }
    }

    private LedgerIndex(RandomAccessFile file) {
        this.file = file;
    }

    /** A ledger that does not exist has no events. */
    public static LedgerIndex of(Path path) throws IOException {
        if (!Files.exists(path)) {
            return new LedgerIndex(null);
        }
        LedgerIndex index = new LedgerIndex(new RandomAccessFile(path.toFile(), "r"));
        try {
            LedgerReader.read(path, (event, offset, length) -> {
                String target = target(event);
                if (target != null) {
                    index.places.computeIfAbsent(target, key -> new Places()).add(offset, length);
                }
            });
            return index;
        } catch (IOException e) {
            index.close();
            throw e;
        }
    }

    /** Targets that the ledger says anything of. */
    public int targets() {
        return places.size();
    }

    private static String target(LedgerEvent event) {
        if (event instanceof LedgerEvent.Started e) {
            return e.target();
        } else if (event instanceof LedgerEvent.Installed e) {
            return e.target();
        } else if (event instanceof LedgerEvent.Completed e) {
            return e.target();
        } else if (event instanceof LedgerEvent.Faulted e) {
            return e.target();
        } else if (event instanceof LedgerEvent.Finished e) {
            return e.target();
        }
        return null;
    }

    /** What began and what came of it, in the order of the file. */
    public List<LedgerEvent> of(String target) throws IOException {
        Places found = places.get(target);
        List<LedgerEvent> events = new ArrayList<>();
        for (int i = 0; found != null && i < found.size; i += 2) {
            byte[] line = new byte[(int) found.values[i + 1]];
            file.seek(found.values[i]);
            file.readFully(line);
            events.add(LedgerJson.read(new String(line, StandardCharsets.UTF_8)));
        }
        return events;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
