package dev.mcpprober.session;

import java.time.Duration;

/**
 * Deadlines and caps of one session. Nothing sleeps: each is an upper bound that an answer ends early. {@link FairTime} says when {@code start},
 * {@code request} and {@code eofGrace} are given again.
 *
 * @param start        from the start of the process to the answer to its first request
 * @param request      for every later answer
 * @param session      for the whole session
 * @param quiet        how long to listen for a reaction that may not come
 * @param eofGrace     for the process to end by itself after stdin is closed, then again after SIGTERM; a Python server that does end takes a second
 *                     on a busy machine and was seen to take three on an overloaded one
 * @param lineBytes    bytes kept of one line of stdout
 * @param stdoutBytes  bytes kept of all stdout
 * @param stdoutLines  lines kept of all stdout: each costs an event, however short it is
 * @param stderrBytes  bytes kept of all stderr
 */
public record SessionLimits(Duration start, Duration request, Duration session, Duration quiet, Duration eofGrace,
                            int lineBytes, long stdoutBytes, int stdoutLines, long stderrBytes) {
    public static final SessionLimits DEFAULT = new SessionLimits(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(180),
            Duration.ofMillis(500), Duration.ofSeconds(5), 24 << 20, 32L << 20, 100_000, 256L << 10);

    public SessionLimits withTimeouts(Duration newStart, Duration newRequest, Duration newSession) {
        return new SessionLimits(newStart, newRequest, newSession, quiet, eofGrace, lineBytes, stdoutBytes, stdoutLines, stderrBytes);
    }

    public SessionLimits withEofGrace(Duration newGrace) {
        return new SessionLimits(start, request, session, quiet, newGrace, lineBytes, stdoutBytes, stdoutLines, stderrBytes);
    }
}
