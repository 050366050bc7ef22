package dev.mcpprober.corpus.declared;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Lines of UTF-8, without a byte order mark, of which none takes more memory than a page of a registry may. */
final class LimitedLines implements Closeable {
    /** Bytes; some ten thousand servers on a page, and read in less memory than a census is given. */
    static final int LIMIT = 16 << 20;

    private final InputStream in;
    private boolean first = true;

    LimitedLines(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** @param problem why the line has no text, or null */
    record Line(String text, String problem) {}

    /** Null at the end. */
    Line next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        boolean any = false;
        boolean cut = false;
        for (int b = in.read(); b >= 0; b = in.read()) {
            any = true;
            if (b == '\n') {
                break;
            }
            if (line.size() < LIMIT) {
                line.write(b);
            } else {
                cut = true;
            }
        }
        if (!any) {
            return null;
        }
        if (cut) {
            return new Line(null, "longer than " + (LIMIT >> 20) + " MiB");
        }
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString();
            boolean marked = first && text.startsWith("\uFEFF");
            first = false;
            return new Line(marked ? text.substring(1) : text, null);
        } catch (CharacterCodingException e) {
            return new Line(null, "not UTF-8");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
