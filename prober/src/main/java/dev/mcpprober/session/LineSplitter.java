package dev.mcpprober.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a byte stream into lines at 0x0A and nowhere else. Of a line longer than the limit only the beginning and the true length are
 * kept. A long line is held in pieces, so that it is in memory once until somebody asks for it.
 */
public final class LineSplitter {
    private static final int PIECE = 1 << 16;
    private static final int SMALL = 1 << 12;

    private final int limit;
    private final List<byte[]> pieces = new ArrayList<>();
    private byte[] last = new byte[SMALL];
    private int lastLength;
    private long length;

    public LineSplitter(int limit) {
        this.limit = limit;
    }

    /** Takes lines as they become complete. */
    public interface Lines {
        void line(Line line);
    }

    /** A line, to be used while it is handed over. */
    public interface Line {
        /** On the wire. */
        long length();

        /** Without the line feed; less than {@link #length()} of them when the line was longer than the limit. Call it once. */
        byte[] bytes();
    }

    public void feed(byte[] bytes, Lines lines) {
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, from, i);
                handOver(lines);
                from = i + 1;
            }
        }
        append(bytes, from, bytes.length);
    }

    /** Hands over what stands after the last line feed, as it is; nothing when there is nothing. */
    public void rest(Lines lines) {
        if (length > 0) {
            handOver(lines);
        }
    }

    private void handOver(Lines lines) {
        long whole = length;
        lines.line(new Line() {
            @Override public long length() {
                return whole;
            }

            @Override public byte[] bytes() {
                return join();
            }
        });
        pieces.clear();
        lastLength = 0;
        length = 0;
    }

    private byte[] join() {
        byte[] joined = Arrays.copyOf(pieces.isEmpty() ? last : pieces.get(0), pieces.size() * PIECE + lastLength);
        for (int i = 1; i < pieces.size(); i++) {
            System.arraycopy(pieces.get(i), 0, joined, i * PIECE, PIECE);
        }
        System.arraycopy(last, 0, joined, pieces.size() * PIECE, lastLength);
        pieces.clear();
        return joined;
    }

    private void append(byte[] bytes, int from, int to) {
        boolean over = length > limit;
        length += to - from;
        if (over) {
            return;
        }
        // No use can be made of more than the beginning of a line that is longer than the limit.
        int room = length <= limit ? to - from : Math.max(0, Math.min(PIECE, limit) - pieces.size() * PIECE - lastLength);
        keep(bytes, from, Math.min(to, from + room));
        if (length > limit && !pieces.isEmpty()) {
            pieces.subList(1, pieces.size()).clear();
            lastLength = 0;
        }
    }

    private void keep(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (lastLength == PIECE) {
                pieces.add(last);
                last = new byte[SMALL];
                lastLength = 0;
            }
            int count = Math.min(to - at, PIECE - lastLength);
            if (lastLength + count > last.length) {
                last = Arrays.copyOf(last, Math.min(PIECE, Math.max(2 * last.length, lastLength + count)));
            }
            System.arraycopy(bytes, at, last, lastLength, count);
            lastLength += count;
            at += count;
        }
    }
}
