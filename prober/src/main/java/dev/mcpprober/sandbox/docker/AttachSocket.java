package dev.mcpprober.sandbox.docker;

import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.HappeningQueue;
import dev.mcpprober.sandbox.StdinWriter;
import dev.mcpprober.sandbox.StdioChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;

/**
 * The three streams of a container over the engine's attach protocol, spoken on the engine's socket itself: docker-java neither
 * half-closes stdin nor leaves frame buffers alone. The container must have been created with OpenStdin, StdinOnce and without Tty,
 * and is best attached before it is started, so that no byte is lost.
 *
 * <p>The engine tells the end of the streams only together, when the container ends. Because a dying engine ends them too,
 * {@link EndCheck} decides which of both it was.
 */
final class AttachSocket implements StdioChannel {
    private static final int QUEUE_BYTES = 4 << 20;
    private static final int READ_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final EndCheck endCheck;
    private final HappeningQueue received = new HappeningQueue(QUEUE_BYTES);
    private final StdinWriter stdin;
    private final Object lock = new Object();
    private volatile boolean closed;
    private boolean ended;
    private boolean sendFailureTold;
    private Happening.SendFailed sendFailed;

    private AttachSocket(RawExchange stream, String container, EndCheck endCheck) {
        this.channel = stream.channel();
        this.endCheck = endCheck;
        String name = container.substring(0, Math.min(12, container.length()));
        this.stdin = new StdinWriter("attach-write-" + name, new StdinWriter.Target() {
            @Override public void write(byte[] bytes) throws IOException {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }

            @Override public void end() throws IOException {
                channel.shutdownOutput();
            }
        }, this::sendFailed);
        Thread reader = new Thread(() -> read(stream.early()), "attach-read-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Attaches to a container, started or not. */
    static AttachSocket open(EngineAddress engine, String container, EndCheck endCheck) throws EngineException {
        RawExchange stream = RawExchange.upgrade(engine, "/containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1", "attach");
        if (stream.refused()) {
            throw new EngineException(EngineCalls.refusal("attach", stream.status(), stream.refusal()));
        }
        return new AttachSocket(stream, container, endCheck);
    }

    @Override
    public void send(byte[] bytes) {
        synchronized (lock) {
            if (ended) {
                tellSendFailure(new Happening.SendFailed(System.nanoTime(), "the container has ended"));
            } else {
                stdin.send(bytes);
            }
        }
    }

    @Override
    public void closeStdin() {
        stdin.end();
    }

    @Override
    public Optional<Happening> poll(Duration limit) throws InterruptedException {
        return received.poll(limit);
    }

    @Override
    public void close() {
        closed = true;
        stdin.close();
        received.close();
        RawExchange.closeQuietly(channel);
    }

    /** True while the engine still has output to give, so that asking it about the container may have to wait for us to take it. */
    boolean isAttached() {
        synchronized (lock) {
            return !closed && !ended;
        }
    }

    private void read(ByteBuffer early) {
        String trouble = "";
        try {
            FrameDecoder decoder = new FrameDecoder();
            decoder.feed(early, this::received);
            ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
            while (channel.read(buffer) >= 0) {
                decoder.feed(buffer.flip(), this::received);
                buffer.clear();
            }
        } catch (IOException e) {
            trouble = " (" + e.getMessage() + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!closed) {
            end(System.nanoTime(), trouble);
        }
    }

    private void received(int stream, byte[] bytes) throws InterruptedException {
        long now = System.nanoTime();
        received.put(stream == FrameDecoder.STDOUT ? new Happening.Stdout(now, bytes) : new Happening.Stderr(now, bytes));
    }

    private void end(long nanoTime, String trouble) {
        Optional<String> engineFault = endCheck.whyLost();
        synchronized (lock) {
            ended = true;
            boolean allSent = stdin.close();
            if (engineFault.isPresent()) {
                sendFailureTold = true; // a fault of the engine's is not also the server's
                received.putAtOnce(new Happening.Lost(nanoTime, engineFault.get() + trouble));
            } else {
                if (sendFailed != null || !allSent) {
                    tellSendFailure(sendFailed != null ? sendFailed
                            : new Happening.SendFailed(nanoTime, "the container ended before all was sent"));
                }
                received.putAtOnce(new Happening.StdoutEnd(nanoTime));
                received.putAtOnce(new Happening.StderrEnd(nanoTime));
            }
        }
        RawExchange.closeQuietly(channel);
    }

    private void tellSendFailure(Happening.SendFailed failure) {
        if (!sendFailureTold) {
            sendFailureTold = true;
            received.putAtOnce(failure);
        }
    }

    /** Kept for {@link #end}, which will tell whose failure it was: the engine takes bytes as long as the container lives. */
    private void sendFailed(long nanoTime, String reason) {
        synchronized (lock) {
            sendFailed = new Happening.SendFailed(nanoTime, reason);
        }
    }

    /** Asked once, on the reader's thread, when the stream has ended: did the container end, or the engine's connection? */
    @FunctionalInterface
    interface EndCheck {
        /** Empty when the container has ended. */
        Optional<String> whyLost();
    }
}
