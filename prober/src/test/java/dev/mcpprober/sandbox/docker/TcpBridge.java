package dev.mcpprober.sandbox.docker;

import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The engine on a TCP port of this machine, half-closes passed on; and an engine whose connections can be broken or stopped at will. */
public final class TcpBridge implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private boolean halted;

    public TcpBridge() throws IOException {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        background(this::accept);
    }

    public Map<String, String> environment() throws IOException {
        return Map.of("DOCKER_HOST", "tcp://127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    private void accept() throws IOException {
        while (true) {
            SocketChannel outside = listener.accept();
            try {
                SocketChannel engine = EngineAddress.of(System.getenv()).connect();
                open.add(outside);
                open.add(engine);
                background(() -> copy(outside, engine));
                background(() -> copy(engine, outside));
            } catch (EngineException e) {
                outside.close();
            }
        }
    }

    private void copy(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        while (from.read(buffer) >= 0) {
            buffer.flip();
            passOn();
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
            buffer.clear();
        }
        to.shutdownOutput();
    }

    private static void background(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One end was closed; that is what these tests are about.
            }
        }, "tcp-bridge");
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void passOn() throws IOException {
        while (halted) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    /** An engine that is there and does nothing, until it goes on. */
    public synchronized void halt(boolean halt) {
        halted = halt;
        notifyAll();
    }

    /** Breaks what is connected; new connections still work. */
    public void breakConnections() throws IOException {
        for (SocketChannel channel : open) {
            channel.close();
        }
        open.clear();
    }

    /** From here on nobody answers. */
    @Override
    public void close() throws IOException {
        listener.close();
        breakConnections();
    }

    private interface Work {
        void run() throws IOException;
    }
}
