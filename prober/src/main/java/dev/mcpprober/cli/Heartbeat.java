package dev.mcpprober.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Says every so often that something that takes long is still under way, so that silence never looks like a hang. */
final class Heartbeat implements AutoCloseable {
    private static final long SECONDS = 15;
    private final Thread thread;

    /** @param what is under way, e.g. {@code installing} */
    Heartbeat(String what, Consumer<String> say) {
        this(what, say, TimeUnit.SECONDS.toMillis(SECONDS));
    }

    Heartbeat(String what, Consumer<String> say, long everyMillis) {
        long started = System.nanoTime();
        thread = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(everyMillis);
                    say.accept("still " + what + ", " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started) + " s");
                }
            } catch (InterruptedException e) {
                // Done.
            }
        }, "heartbeat");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
