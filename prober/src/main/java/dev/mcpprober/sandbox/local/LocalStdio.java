package dev.mcpprober.sandbox.local;

import dev.mcpprober.sandbox.HappeningQueue;
import dev.mcpprober.sandbox.StdinWriter;
import dev.mcpprober.sandbox.StdioChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** The pipes of a process of this host. A read of a pipe cannot be broken off: readers end with the processes that hold it. */
final class LocalStdio implements StdioChannel {
    private static final int QUEUE_BYTES = 4 << 20;
    private static final int READ_BYTES = 64 << 10;

    private final HappeningQueue received = new HappeningQueue(QUEUE_BYTES);
    private final StdinWriter stdin;

    LocalStdio(Process process) {
        OutputStream pipe = process.getOutputStream();
        stdin = new StdinWriter("local-write-" + process.pid(), new StdinWriter.Target() {
            @Override public void write(byte[] bytes) throws IOException {
                pipe.write(bytes);
                pipe.flush();
            }

            @Override public void end() throws IOException {
                pipe.close();
            }
        }, (nanoTime, reason) -> received.putAtOnce(new Happening.SendFailed(nanoTime, reason)));
        read("local-out-" + process.pid(), process.getInputStream(), Happening.Stdout::new, Happening.StdoutEnd::new);
        read("local-err-" + process.pid(), process.getErrorStream(), Happening.Stderr::new, Happening.StderrEnd::new);
    }

    private void read(String name, InputStream pipe, BiFunction<Long, byte[], Happening> piece, LongFunction<Happening> end) {
        Thread thread = new Thread(() -> {
            byte[] buffer = new byte[READ_BYTES];
            try (pipe) {
                boolean wanted = true;
                while (wanted) {
                    int count = pipe.read(buffer);
                    wanted = count >= 0 && received.put(piece.apply(System.nanoTime(), Arrays.copyOf(buffer, count)));
                }
            } catch (IOException e) {
                // The pipe was closed on this side, or broke: either way nothing more comes.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            received.putAtOnce(end.apply(System.nanoTime()));
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void send(byte[] bytes) {
        stdin.send(bytes);
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
        stdin.close();
        received.close();
    }
}
