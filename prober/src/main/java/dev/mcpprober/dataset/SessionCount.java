package dev.mcpprober.dataset;

import dev.mcpprober.transcript.Event;
import java.util.List;
import java.util.Set;

/** Counts the figures of a session while its events go by. */
public final class SessionCount {
    private static final long NANOS_PER_MS = 1_000_000;

    private long last;
    private Long stdout;
    private Long stderr;
    private String ended = "";
    private Integer status;
    private Set<String> credentials = Set.of();

    public void add(Event event) {
        last = Math.max(last, event.nanos());
        if (event instanceof Event.Redacted redacted) {
            credentials = redacted.counts().keySet();
        } else if (event instanceof Event.Totals totals) {
            stdout = totals.stdoutBytes();
            stderr = totals.stderrBytes();
        } else if (event instanceof Event.Terminated terminated) {
            ended = terminated.how();
            status = ended.equals("exited") || ended.equals("signalled") ? terminated.status() : null;
        }
    }

    long durationMs() {
        return last / NANOS_PER_MS;
    }

    /** Null where the totals are not on record. */
    Long stdoutBytes() {
        return stdout;
    }

    /** Null where the totals are not on record. */
    Long stderrBytes() {
        return stderr;
    }

    /** How the process ended, empty where it was not seen to. */
    String ended() {
        return ended;
    }

    /** Null where there is none. */
    Integer status() {
        return status;
    }

    /** Ids of what was taken out. */
    Set<String> credentials() {
        return credentials;
    }

    /** As table sessions has them: duration_ms, stdout_bytes, stderr_bytes, ended, status. */
    public List<String> cells() {
        return List.of(Long.toString(durationMs()), stdout == null ? "" : stdout.toString(), stderr == null ? "" : stderr.toString(), ended,
                status == null ? "" : status.toString());
    }
}
