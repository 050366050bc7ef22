package dev.mcpprober.census;

import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.LedgerWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * {@code ledger.jsonl}, append-only. An event is on disk when {@link #append} returns, and only then part of the state. Safe for
 * use by many threads.
 */
public final class Ledger implements AutoCloseable {
    private final Sink sink;
    private final LedgerState state;
    private long length;
    private IOException broken;

    /** Where the bytes go; a seam for tests that let the disk fill or the program die in the middle of a line. */
    interface Sink extends AutoCloseable {
        /** Writes all bytes at the end and syncs them. */
        void append(byte[] bytes) throws IOException;

        void truncate(long length) throws IOException;

        @Override
        void close() throws IOException;
    }

    interface SinkFactory {
        Sink open(Path file) throws IOException;
    }

    private Ledger(Sink sink, LedgerState state, long length) {
        this.sink = sink;
        this.state = state;
        this.length = length;
    }

    /** Opens or makes a ledger; cuts off a last line that was never finished. */
    public static Ledger open(Path file) throws IOException {
        return open(file, FileSink::new);
    }

    static Ledger open(Path file, SinkFactory sinks) throws IOException {
        LedgerState state = new LedgerState();
        long length = Files.exists(file) ? LedgerReader.read(file, state::apply) : 0;
        Sink sink = sinks.open(file);
        sink.truncate(length);
        return new Ledger(sink, state, length);
    }

    /** Appends events in one write. @throws IOException when they are not on disk; the ledger then is as before */
    public synchronized void append(LedgerEvent... events) throws IOException {
        if (broken != null) {
            throw new IOException("the ledger could not be written before: " + broken.getMessage(), broken);
        }
        StringBuilder text = new StringBuilder();
        for (LedgerEvent event : events) {
            text.append(LedgerWriter.line(event));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        try {
            sink.append(bytes);
        } catch (IOException e) {
            restore(e);
            throw e;
        }
        length += bytes.length;
        for (LedgerEvent event : events) {
            state.apply(event);
        }
    }

    /** Takes back half a line, so that what is written next does not run into it. */
    private void restore(IOException cause) {
        try {
            sink.truncate(length);
        } catch (IOException e) {
            broken = cause;
        }
    }

    /** Reads from the state while nobody changes it. */
    public synchronized <T> T read(Function<LedgerState, T> question) {
        return question.apply(state);
    }

    @Override
    public synchronized void close() throws IOException {
        sink.close();
    }

    /** Not a FileChannel: those close themselves under a thread that is interrupted, and Ctrl-C interrupts. */
    static final class FileSink implements Sink {
        private final RandomAccessFile file;

        FileSink(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rw");
        }

        @Override
        public void append(byte[] bytes) throws IOException {
            file.seek(file.length());
            file.write(bytes);
            file.getFD().sync();
        }

        @Override
        public void truncate(long length) throws IOException {
            if (file.length() > length) {
                file.setLength(length);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
