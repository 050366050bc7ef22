package dev.mcpprober.census;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What each worker passes before it begins a unit: on a host that is overloaded it waits here, but one unit is always at work. Shared by all
 * workers of this process.
 */
public final class LoadGate {
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Supplier<HostLoad> load;
    private final Duration poll;
    private final Consumer<String> say;
    private int working;
    private boolean said;
    private boolean oneLetIn;
    private long letInAt;

    /** @param say gets one line when somebody waits for the first time */
    public LoadGate(Consumer<String> say) {
        this(HostLoad::now, POLL, say);
    }

    LoadGate(Supplier<HostLoad> load, Duration poll, Consumer<String> say) {
        this.load = load;
        this.poll = poll;
        this.say = say;
    }

    /** Lets everybody in at once. */
    public static LoadGate open() {
        return new LoadGate(() -> new HostLoad(Optional.of(0.0), 0), POLL, line -> { });
    }

    /**
     * Whether one more unit may begin.
     *
     * @param working units at work
     * @param justNow another one that had waited was let in so lately that its work does not show in {@code load}
     */
    static boolean mayBegin(HostLoad load, int working, boolean justNow) {
        return working == 0 || !load.overloaded() && !justNow;
    }

    /** Waits until a unit may begin; {@link #leave} when it has ended. */
    public synchronized void enter() throws InterruptedException {
        boolean waited = false;
        HostLoad now = load.get();
        while (!mayBegin(now, working, justNow())) {
            if (!said) {
                said = true;
                say.accept("this host is busy (" + now + "): fewer targets at a time until it is less so");
            }
            waited = true;
            wait(poll.toMillis());
            now = load.get();
        }
        if (waited) {
            oneLetIn = true;
            letInAt = System.nanoTime();
        }
        working++;
    }

    private boolean justNow() {
        return oneLetIn && System.nanoTime() - letInAt < poll.toNanos();
    }

    public synchronized void leave() {
        working--;
        notifyAll();
    }
}
