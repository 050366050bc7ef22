package dev.mcpprober.sandbox.docker;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Splits the engine's attach stream into stdout and stderr. Frames are an 8-byte header (stream number, three zeros, big-endian
 * length) and a payload; header and payload may be cut anywhere, and no payload is held back to be completed.
 */
final class FrameDecoder {
    static final int STDOUT = 1;
    static final int STDERR = 2;

    private final byte[] header = new byte[8];
    private int headerBytes;
    private int stream;
    private long payloadLeft;

    /** Consumes all of {@code in}. */
    void feed(ByteBuffer in, Sink sink) throws IOException, InterruptedException {
        while (in.hasRemaining()) {
            if (payloadLeft == 0) {
                readHeader(in);
            } else {
                byte[] piece = new byte[(int) Math.min(payloadLeft, in.remaining())];
                in.get(piece);
                payloadLeft -= piece.length;
                sink.piece(stream, piece);
            }
        }
    }

    private void readHeader(ByteBuffer in) throws IOException {
        int count = Math.min(header.length - headerBytes, in.remaining());
        in.get(header, headerBytes, count);
        headerBytes += count;
        if (headerBytes < header.length) {
            return;
        }
        headerBytes = 0;
        stream = header[0];
        if (stream != STDOUT && stream != STDERR || header[1] != 0 || header[2] != 0 || header[3] != 0) {
            throw new IOException("the engine's attach stream has a frame header that cannot be read: stream " + (header[0] & 0xFF));
        }
        payloadLeft = Integer.toUnsignedLong(ByteBuffer.wrap(header, 4, 4).getInt());
    }

    /** Takes payload in pieces, at once and in order. May wait; the array is its own. */
    @FunctionalInterface
    interface Sink {
        void piece(int stream, byte[] bytes) throws InterruptedException;
    }
}
