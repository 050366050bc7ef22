package dev.mcpprober.session;

import dev.mcpprober.io.CpuPressure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The time limits of one session. A server that misses one on a host whose processors were overrun meanwhile may be as good as any: it gets the
 * same time again, three times at most, for as long as that goes on, and the transcript says so. On a host that is not overrun a limit is a limit.
 */
final class FairTime {
    /** Of each limit, also of that of the whole session. */
    private static final int MOST = 4;

    private final Recorder recorder;
    private final Supplier<Optional<CpuPressure>> pressure;
    private final long sessionMost;
    private long session;

    /** @param origin start of the session, by {@link System#nanoTime()} */
    FairTime(Recorder recorder, Supplier<Optional<CpuPressure>> pressure, long origin, Duration session) {
        this.recorder = recorder;
        this.pressure = pressure;
        this.session = origin + session.toNanos();
        this.sessionMost = origin + MOST * session.toNanos();
    }

    /** By {@link System#nanoTime()}. */
    long sessionEnd() {
        return session;
    }

    /** Within the session's time, for what shows nothing when it does not come. */
    Deadline briefly(Duration limit) {
        return Deadline.fixed(Math.min(System.nanoTime() + limit.toNanos(), session));
    }

    /** Within the session's time, for what a server has to do. */
    Deadline fairly(Duration limit) {
        return new Deadline(Math.min(System.nanoTime() + limit.toNanos(), session), new Window(limit));
    }

    /** The same where the session's time does not count: it is ending. */
    Deadline fairlyAtEnd(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos(), new Window(limit));
    }

    private final class Window implements Deadline.Extension {
        private final Duration limit;
        private Optional<CpuPressure> before = pressure.get();
        private long began = System.nanoTime();
        private int left = MOST - 1;

        Window(Duration limit) {
            this.limit = limit;
        }

        @Override
        public long more() throws IOException {
            Optional<CpuPressure> now = pressure.get();
            long at = System.nanoTime();
            if (left == 0 || before.isEmpty() || now.isEmpty() || !now.get().overrunSince(before.get(), at - began)) {
                return 0;
            }
            left--;
            recorder.deadlineExtended(limit.toMillis(), now.get().percentSince(before.get(), at - began), now.get().perProcessor());
            before = now;
            began = at;
            session = Math.min(session + limit.toNanos(), sessionMost);
            return limit.toNanos();
        }
    }
}
