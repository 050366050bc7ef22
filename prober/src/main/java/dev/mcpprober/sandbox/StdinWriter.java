package dev.mcpprober.sandbox;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;

/** The sending half of a {@link StdioChannel}: a thread of its own, so that a server that reads nothing never blocks the caller. */
public final class StdinWriter {
    private static final byte[] END = new byte[0];

    private final Target target;
    private final Failure failure;
    private final LinkedBlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private boolean ended;
    private boolean broken;
    private int unwritten;

    /** @param failure told at most once, on the writer's thread, and not after {@link #close()} */
    public StdinWriter(String name, Target target, Failure failure) {
        this.target = target;
        this.failure = failure;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    public synchronized void send(byte[] bytes) {
        if (!ended && !broken && bytes.length > 0) {
            unwritten++;
            queue.add(bytes.clone());
        }
    }

    /** Half-closes after all that was sent. */
    public synchronized void end() {
        if (!ended) {
            ended = true;
            queue.add(END);
        }
    }

    /**
     * Stops; a write in progress must be freed by closing the target.
     *
     * @return false where something sent was not written whole
     */
    public synchronized boolean close() {
        ended = true;
        broken = true;
        queue.clear();
        queue.add(END);
        return unwritten == 0;
    }

    private void run() {
        try {
            for (byte[] bytes = queue.take(); bytes != END; bytes = queue.take()) {
                target.write(bytes);
                written();
            }
            if (!isBroken()) {
                target.end();
            }
        } catch (IOException e) {
            if (breakOff()) {
                failure.failed(System.nanoTime(), String.valueOf(e.getMessage()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void written() {
        unwritten--;
    }

    private synchronized boolean isBroken() {
        return broken;
    }

    /** False when it was closed already: then nobody wants to hear of it. */
    private synchronized boolean breakOff() {
        boolean first = !broken;
        broken = true;
        queue.clear();
        return first;
    }

    /** Where the bytes go. Both may block until the other side takes them. */
    public interface Target {
        void write(byte[] bytes) throws IOException;

        /** Nothing follows. */
        void end() throws IOException;
    }

    /** Told that the other end takes no more bytes. */
    @FunctionalInterface
    public interface Failure {
        void failed(long nanoTime, String reason);
    }
}
