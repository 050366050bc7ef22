package dev.mcpprober.run;

import dev.mcpprober.model.Printable;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads {@code ledger.jsonl}. A last line that is cut short or unreadable is what a killed program leaves: it was never
 * acknowledged, so it is passed over. An unreadable line anywhere else is damage and named.
 */
public final class LedgerReader {
    private LedgerReader() {}

    /**
     * Feeds every event in order and returns the length in bytes of the whole lines, where the next one belongs.
     *
     * @throws UnusableRunException naming the line, when one that is not the last cannot be read
     */
    public static long read(Path file, Consumer<LedgerEvent> events) throws IOException {
        return read(file, (event, offset, length) -> events.accept(event));
    }

    /** Takes an event and where its line stands in the file. */
    interface Placed {
        void accept(LedgerEvent event, long offset, int length);
    }

    static long read(Path file, Placed events) throws IOException {
        long good = 0;
        int number = 0;
        IOException broken = null;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream(512);
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (broken != null) {
                    throw broken;
                }
                if (b != '\n') {
                    line.write(b);
                    continue;
                }
                number++;
                LedgerEvent event = null;
                try {
                    event = LedgerJson.read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString());
                } catch (CharacterCodingException e) {
                    broken = new UnusableRunException("ledger " + file + ", line " + number + ": not UTF-8", e);
                } catch (IllegalArgumentException e) {
                    broken = new UnusableRunException("ledger " + file + ", line " + number + ": " + Printable.text(String.valueOf(e.getMessage()), 300), e);
                }
                if (event != null) {
                    events.accept(event, good, line.size());
                    good += line.size() + 1;
                }
                line.reset();
            }
        }
        return good;
    }
}
