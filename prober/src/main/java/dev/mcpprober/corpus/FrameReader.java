package dev.mcpprober.corpus;

import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads frames: CSV with the header {@code target,args,env,note}, or JSON lines with the same members when the file's name
 * ends in {@code .jsonl}. One row is one line, so a row that is wrong costs that row alone.
 */
public final class FrameReader {
    private static final long MAX_BYTES = 256L << 20;

    private FrameReader() {}

    /** @throws FrameException when the file as a whole is no frame; a row that is wrong becomes an excluded one instead */
    public static Frame read(Path file) throws FrameException {
        byte[] bytes = bytes(file);
        Path folder = file.toAbsolutePath().normalize().getParent();
        boolean json = file.getFileName().toString().endsWith(".jsonl");
        return json ? jsonLines(bytes, folder) : csv(file, bytes, folder);
    }

    private static byte[] bytes(Path file) throws FrameException {
        try {
            if (Files.isDirectory(file)) {
                throw new FrameException("frame " + file + ": is a folder; name the CSV file" + (Files.exists(file.resolve("frame.csv")) ? ", " + file.resolve("frame.csv") : ""));
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new FrameException("frame " + file + ": larger than " + (MAX_BYTES >> 20) + " MiB; split it");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new FrameException("frame " + file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new FrameException("frame " + file + ": may not be read by this user", e);
        } catch (FrameException e) {
            throw e;
        } catch (IOException e) {
            throw new FrameException("frame " + file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static Frame csv(Path file, byte[] bytes, Path folder) throws FrameException {
        Rows rows = new Rows(folder);
        CsvFrameRow.Header header = null;
        int number = 0;
        for (byte[] raw : lines(bytes)) {
            number++;
            String line = decode(raw);
            if (line != null && line.isBlank()) {
                continue;
            }
            if (header == null) {
                header = header(file, number, line);
            } else if (line == null) {
                rows.malformed(number, latin1(raw), "not UTF-8");
            } else {
                rows.add(number, line, header);
            }
        }
        if (header == null) {
            throw new FrameException("frame " + file + ": empty; the first line must be the header target,args,env,note");
        }
        return new Frame(folder, rows.list);
    }

    private static CsvFrameRow.Header header(Path file, int number, String line) throws FrameException {
        try {
            if (line == null) {
                throw new IllegalArgumentException("not UTF-8");
            }
            return CsvFrameRow.header(line);
        } catch (IllegalArgumentException e) {
            throw new FrameException("frame " + file + ", line " + number + ": " + e.getMessage()
                    + " (the first line must be the header target,args,env,note; only target is required; of other tables prober corpus import makes a frame)", e);
        }
    }

    private static Frame jsonLines(byte[] bytes, Path folder) {
        Rows rows = new Rows(folder);
        int number = 0;
        for (byte[] raw : lines(bytes)) {
            number++;
            String line = decode(raw);
            if (line == null) {
                rows.malformed(number, latin1(raw), "not UTF-8");
            } else if (!line.isBlank()) {
                rows.addJson(number, line);
            }
        }
        return new Frame(folder, rows.list);
    }

    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> out = new ArrayList<>();
        boolean bom = bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        int from = bom ? 3 : 0;
        while (from < bytes.length) {
            int to = from;
            while (to < bytes.length && bytes[to] != '\n') {
                to++;
            }
            int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
            out.add(Arrays.copyOfRange(bytes, from, end));
            from = to + 1;
        }
        return out;
    }

    private static String decode(byte[] line) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String latin1(byte[] raw) {
        return new String(raw, StandardCharsets.ISO_8859_1);
    }

    /** Collects rows and tells duplicates: the same target with the same arguments stands once. */
    private static final class Rows {
        private final List<Eligibility> list = new ArrayList<>();
        private final Map<String, FrameEntry> seen = new HashMap<>();
        private final Path folder;

        Rows(Path folder) {
            this.folder = folder;
        }

        void add(int number, String line, CsvFrameRow.Header header) {
            try {
                accept(CsvFrameRow.read(line, header).entry(number, folder), line);
            } catch (IllegalArgumentException e) {
                malformed(number, line, e.getMessage());
            }
        }

        void addJson(int number, String line) {
            try {
                accept(FrameCells.ofJson(line).entry(number, folder), line);
            } catch (IllegalArgumentException e) {
                malformed(number, line, e.getMessage());
            }
        }

        private void accept(FrameEntry entry, String line) {
            FrameEntry first = seen.putIfAbsent(entry.id(), entry);
            if (first == null) {
                list.add(new Eligibility.Eligible(entry));
                return;
            }
            String differs = first.env().equals(entry.env()) ? "" : ", with another env, which does not make it another target";
            list.add(new Eligibility.Excluded(entry.line(), Eligibility.Excluded.DUPLICATE,
                    "the same target and args as line " + first.line() + differs, line));
        }

        void malformed(int number, String line, String reason) {
            list.add(new Eligibility.Excluded(number, Eligibility.Excluded.MALFORMED, Printable.text(reason, 500), line));
        }
    }
}
