package dev.mcpprober.io;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8, a piece at a time. */
public final class Utf8 {
    private static final int PIECE = 8192;

    private Utf8() {}

    /** Index of the first byte of {@code bytes} from {@code from} on that is no UTF-8; -1 where all up to {@code to} is. */
    public static int firstFault(byte[] bytes, int from, int to) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
        CharBuffer out = CharBuffer.allocate(PIECE);
        while (true) {
            var result = decoder.decode(in, out, true);
            if (result.isError()) {
                return in.position();
            }
            if (result.isUnderflow()) {
                return -1;
            }
            out.clear();
        }
    }
}
