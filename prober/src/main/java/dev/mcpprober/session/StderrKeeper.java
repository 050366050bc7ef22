package dev.mcpprober.session;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Keeps the first half and the last half of a stream within a limit: the beginning shows what a server is, the end why it
 * ended. What lies between is counted.
 */
final class StderrKeeper {
    private final long headLimit;
    private final byte[] tail;
    private long headLength;
    private long tailWritten;

    StderrKeeper(long limit) {
        this.headLimit = limit / 2;
        this.tail = new byte[(int) (limit - headLimit)];
    }

    /** The part of {@code bytes} that belongs to the head; what is left goes to the tail. */
    byte[] take(byte[] bytes) {
        int toHead = (int) Math.min(bytes.length, headLimit - headLength);
        headLength += toHead;
        for (int i = Math.max(toHead, bytes.length - tail.length); i < bytes.length; i++) {
            tail[(int) ((tailWritten + i - toHead) % tail.length)] = bytes[i];
        }
        tailWritten += bytes.length - toHead;
        return toHead == bytes.length ? bytes : Arrays.copyOf(bytes, toHead);
    }

    /** Bytes between head and tail that were not kept. */
    long dropped() {
        return Math.max(0, tailWritten - tail.length);
    }

    byte[] tail() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long from = dropped();
        for (long i = from; i < tailWritten; i++) {
            out.write(tail[(int) (i % tail.length)]);
        }
        return out.toByteArray();
    }

    long total() {
        return headLength + tailWritten;
    }
}
