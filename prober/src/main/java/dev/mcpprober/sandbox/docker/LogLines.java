package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/** Collects one of a container's output streams from its log, as lines, up to a bound of bytes; lines that are not wanted do not count. */
final class LogLines extends ResultCallback.Adapter<Frame> {
    private static final int MAX_LINE = 64 << 10;

    private final StreamType stream;
    private final int maxBytes;
    private final Predicate<String> wanted;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean complete = true;

    LogLines(StreamType stream, int maxBytes) {
        this(stream, maxBytes, line -> true);
    }

    LogLines(StreamType stream, int maxBytes, Predicate<String> wanted) {
        this.stream = stream;
        this.maxBytes = maxBytes;
        this.wanted = wanted;
    }

    @Override
    public synchronized void onNext(Frame frame) {
        if (frame.getStreamType() != stream) {
            return;
        }
        // docker-java hands out the same array again for the next frame: it must be copied before this returns.
        for (byte b : frame.getPayload()) {
            if (b == '\n') {
                endLine();
            } else if (line.size() < MAX_LINE) {
                line.write(b);
            }
        }
    }

    private void endLine() {
        if (wanted.test(line.toString(StandardCharsets.UTF_8))) {
            boolean room = bytes.size() + line.size() < maxBytes;
            complete &= room;
            if (room) {
                bytes.writeBytes(line.toByteArray());
                bytes.write('\n');
            }
        }
        line.reset();
    }

    synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8) + line.toString(StandardCharsets.UTF_8);
    }

    synchronized List<String> lines() {
        return text().lines().toList();
    }

    /** False where the bound was met. */
    synchronized boolean complete() {
        return complete;
    }
}
