package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Collects one of a container's output streams from its log, as lines, up to a bound of bytes. */
final class LogLines extends ResultCallback.Adapter<Frame> {
    private final StreamType stream;
    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean complete = true;

    LogLines(StreamType stream, int maxBytes) {
        this.stream = stream;
        this.maxBytes = maxBytes;
    }

    @Override
    public synchronized void onNext(Frame frame) {
        if (frame.getStreamType() != stream) {
            return;
        }
        // docker-java hands out the same array again for the next frame: it must be copied before this returns.
        byte[] payload = frame.getPayload();
        int room = Math.min(payload.length, maxBytes - bytes.size());
        bytes.write(payload, 0, room);
        complete &= room == payload.length;
    }

    synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    synchronized List<String> lines() {
        return new ArrayList<>(text().lines().toList());
    }

    /** False where the bound was met. */
    synchronized boolean complete() {
        return complete;
    }
}
