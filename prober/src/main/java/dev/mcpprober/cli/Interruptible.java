package dev.mcpprober.cli;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that Ctrl-C and SIGTERM end in good order: it is told to stop, and waited for as long as a user is promised. */
final class Interruptible {
    private Interruptible() {}

    /** The work itself. */
    interface Body<T> {
        T run() throws IOException, InterruptedException;
    }

    /** @param cancel is called from another thread, and makes {@code body} return soon */
    static <T> T run(Runnable cancel, long seconds, Body<T> body) throws IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            cancel.run();
            try {
                ended.await(seconds, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "cancel");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return body.run();
        } finally {
            ended.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The program is ending by that very hook.
            }
        }
    }
}
