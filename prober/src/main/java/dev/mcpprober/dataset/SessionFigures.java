package dev.mcpprober.dataset;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.util.Set;

/**
 * The figures of one session, so that its transcript need not stay in memory.
 *
 * @param sha256      of the transcript as it is published
 * @param stdoutBytes null where the totals are not on record
 * @param ended       how the process ended, empty where it was not seen to
 * @param status      null where there is none
 * @param credentials ids of what was taken out of it
 */
record SessionFigures(TargetHistory.Attempt attempt, String path, String sha256, TranscriptHeader header, long durationMs, Long stdoutBytes, Long stderrBytes,
                      String ended, Integer status, Set<String> credentials) {
    private static final long NANOS_PER_MS = 1_000_000;

    static SessionFigures of(TargetHistory.Attempt attempt, String path, String sha256, Transcript transcript) {
        long last = 0;
        Long stdout = null;
        Long stderr = null;
        String ended = "";
        Set<String> credentials = Set.of();
        Integer status = null;
        for (Event event : transcript.events()) {
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
        return new SessionFigures(attempt, path, sha256, transcript.header(), last / NANOS_PER_MS, stdout, stderr, ended, status, credentials);
    }
}
