package dev.mcpprober.session;

import java.util.Arrays;

/**
 * Cuts a byte stream into lines at 0x0A and nowhere else. A line longer than the limit keeps its first bytes and its true
 * length, so that an endless line costs a bounded amount of memory.
 */
final class LineSplitter {
    private final int limit;
    private byte[] kept = new byte[1 << 12];
    private int keptLength;
    private long length;

    LineSplitter(int limit) {
        this.limit = limit;
    }

    /** Takes lines as they become complete. */
    interface Lines {
        void line(byte[] kept, long originalLength);
    }

    void feed(byte[] bytes, Lines lines) {
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, from, i);
                hand(lines);
                from = i + 1;
            }
        }
        append(bytes, from, bytes.length);
    }

    /** True when bytes stand after the last line feed. */
    boolean hasRest() {
        return length > 0;
    }

    /** Hands over what stands after the last line feed, as it is. */
    void rest(Lines lines) {
        if (hasRest()) {
            hand(lines);
        }
    }

    /** Lets go of a large buffer before the line is looked at. */
    private void hand(Lines lines) {
        byte[] line = Arrays.copyOf(kept, keptLength);
        long originalLength = length;
        keptLength = 0;
        length = 0;
        if (kept.length > 1 << 20) {
            kept = new byte[1 << 12];
        }
        lines.line(line, originalLength);
    }

    private void append(byte[] bytes, int from, int to) {
        int wanted = Math.min(to - from, limit - keptLength);
        if (wanted > 0) {
            if (keptLength + wanted > kept.length) {
                kept = Arrays.copyOf(kept, (int) Math.min(limit, Math.max(kept.length * 2L, keptLength + (long) wanted)));
            }
            System.arraycopy(bytes, from, kept, keptLength, wanted);
            keptLength += wanted;
        }
        length += to - from;
    }
}
