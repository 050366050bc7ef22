package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private void take(int stream, byte[] bytes) {
        (stream == FrameDecoder.STDOUT ? out : err).writeBytes(bytes);
    }

    private static byte[] frame(int stream, byte[] payload) {
        return ByteBuffer.allocate(8 + payload.length).put((byte) stream).put(new byte[3]).putInt(payload.length).put(payload).array();
    }

    @Test
    void headerAndPayloadMayBeCutAnywhere() throws Exception {
        Random random = new Random(7);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        ByteArrayOutputStream expectedOut = new ByteArrayOutputStream();
        ByteArrayOutputStream expectedErr = new ByteArrayOutputStream();
        for (int i = 0; i < 200; i++) {
            byte[] payload = new byte[i % 5 == 0 ? 0 : random.nextInt(300)];
            random.nextBytes(payload);
            int stream = 1 + random.nextInt(2);
            wire.writeBytes(frame(stream, payload));
            (stream == 1 ? expectedOut : expectedErr).writeBytes(payload);
        }
        FrameDecoder decoder = new FrameDecoder();
        ByteBuffer all = ByteBuffer.wrap(wire.toByteArray());
        while (all.hasRemaining()) {
            ByteBuffer piece = all.slice().limit(Math.min(all.remaining(), 1 + random.nextInt(40)));
            all.position(all.position() + piece.remaining());
            decoder.feed(piece, this::take);
        }
        assertArrayEquals(expectedOut.toByteArray(), out.toByteArray());
        assertArrayEquals(expectedErr.toByteArray(), err.toByteArray());
    }

    @Test
    void payloadIsNotHeldBackUntilItsFrameIsComplete() throws Exception {
        List<Integer> sizes = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        ByteBuffer start = ByteBuffer.allocate(13).put((byte) 1).put(new byte[3]).putInt(-1).put(new byte[5]).flip();
        decoder.feed(start, (stream, bytes) -> sizes.add(bytes.length));
        decoder.feed(ByteBuffer.allocate(3), (stream, bytes) -> sizes.add(bytes.length));
        assertEquals(List.of(5, 3), sizes, "a length of 4 GiB is not allocated");
    }

    @Test
    void aHeaderThatCannotBeIsRefused() {
        for (byte[] header : List.of(frame(0, new byte[0]), frame(3, new byte[0]), new byte[] {1, 0, 9, 0, 0, 0, 0, 1})) {
            assertThrows(IOException.class, () -> new FrameDecoder().feed(ByteBuffer.wrap(header), this::take));
        }
    }
}
