package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request on a connection of its own whose answer is a raw stream: for what docker-java cannot do (half-close, leave a long
 * answer early). Closed already where the engine refused.
 *
 * @param channel blocking
 * @param status  HTTP status
 * @param early   bytes of the stream that came with the answer's header; not to be lost
 * @param refusal the engine's own text where the status is an error, else empty
 */
record RawExchange(SocketChannel channel, int status, ByteBuffer early, String refusal) {
    private static final int ANSWER_SECONDS = 60;
    private static final int MAX_HEADER = 16 << 10;
    private static final int MAX_ERROR_BODY = 64 << 10;
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:\\s*(\\d{1,9})\\s*$");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");

    /** Asks the engine to turn the connection into a two-way stream. */
    static RawExchange upgrade(EngineAddress engine, String path, String operation) throws EngineException {
        return send(engine, "POST " + path + " HTTP/1.1\r\nHost: " + engine.httpHost()
                + "\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n", operation);
    }

    /** HTTP/1.0, so that the body is not chunked and ends with the connection. */
    static RawExchange get(EngineAddress engine, String path, String operation) throws EngineException {
        return send(engine, "GET " + path + " HTTP/1.0\r\nHost: " + engine.httpHost() + "\r\n\r\n", operation);
    }

    boolean refused() {
        return !accepted(status);
    }

    /** 200 is how engines behind a proxy that drops Upgrade answer one; the stream that follows is the same. */
    private static boolean accepted(int status) {
        return status == 101 || status == 200;
    }

    private static RawExchange send(EngineAddress engine, String request, String operation) throws EngineException {
        SocketChannel channel = engine.connect();
        // Blocking reads have no timeout: an engine that hangs is left by closing the channel under the read.
        CompletableFuture<Void> guard = closeAfter(channel, ANSWER_SECONDS);
        boolean keep = false;
        try {
            ByteBuffer out = StandardCharsets.US_ASCII.encode(request);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteBuffer in = ByteBuffer.allocate(MAX_HEADER);
            String head = readHead(channel, in);
            Matcher line = STATUS.matcher(head);
            int status = line.lookingAt() ? Integer.parseInt(line.group(1)) : 0;
            String refusal = accepted(status) ? "" : errorText(channel, head, in);
            keep = accepted(status) && guard.cancel(false);
            if (accepted(status) && !keep) {
                throw new IOException("too late");
            }
            return new RawExchange(channel, status, in, refusal);
        } catch (ClosedByInterruptException e) {
            throw new EngineException(EngineCalls.interrupted(operation), e);
        } catch (IOException e) {
            String why = guard.isDone() ? "no answer within " + ANSWER_SECONDS + " s" : "the connection broke: " + e.getMessage();
            throw new EngineException(new Fault.EngineError(operation, why), e);
        } finally {
            guard.cancel(false);
            if (!keep) {
                closeQuietly(channel);
            }
        }
    }

    /** Cancel it to keep the channel. */
    static CompletableFuture<Void> closeAfter(SocketChannel channel, int seconds) {
        return CompletableFuture.runAsync(() -> closeQuietly(channel), CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS));
    }

    /** Leaves {@code in} ready to be read from behind the blank line. */
    private static String readHead(SocketChannel channel, ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            if (channel.read(in) < 0) {
                throw new IOException("the engine closed the connection without an answer");
            }
            String head = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
            int end = head.indexOf("\r\n\r\n");
            if (end >= 0) {
                in.flip().position(end + 4);
                return head.substring(0, end + 2);
            }
        }
        throw new IOException("the engine's answer has no end of its header");
    }

    private static String errorText(SocketChannel channel, String head, ByteBuffer early) throws IOException {
        Matcher length = LENGTH.matcher(head);
        ByteBuffer body = ByteBuffer.allocate(length.find() ? Math.min(Integer.parseInt(length.group(1)), MAX_ERROR_BODY) : MAX_ERROR_BODY);
        while (early.hasRemaining() && body.hasRemaining()) {
            body.put(early.get());
        }
        int read = 0;
        while (body.hasRemaining() && read >= 0) {
            read = channel.read(body);
        }
        return Printable.text(EngineCalls.ofJson(new String(body.array(), 0, body.position(), StandardCharsets.UTF_8).trim()), 500);
    }

    static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to be done with it.
        }
    }
}
