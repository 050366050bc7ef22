package dev.mcpprober.dataset;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;

/**
 * The figures of one session, so that its transcript need not stay in memory.
 *
 * @param stdoutBytes null where the totals are not on record
 * @param ended       how the process ended, empty where it was not seen to
 * @param status      null where there is none
 */
record SessionFigures(TargetHistory.Attempt attempt, String path, TranscriptHeader header, long durationMs, Long stdoutBytes, Long stderrBytes,
                      String ended, Integer status) {
    private static final long NANOS_PER_MS = 1_000_000;

    static SessionFigures of(TargetHistory.Attempt attempt, String path, Transcript transcript) {
        long last = 0;
        Long stdout = null;
        Long stderr = null;
        String ended = "";
        Integer status = null;
        for (Event event : transcript.events()) {
            last = Math.max(last, event.nanos());
            if (event instanceof Event.Totals totals) {
                stdout = totals.stdoutBytes();
                stderr = totals.stderrBytes();
            } else if (event instanceof Event.Terminated terminated) {
                ended = terminated.how();
                status = ended.equals("exited") || ended.equals("signalled") ? terminated.status() : null;
            }
        }
        return new SessionFigures(attempt, path, transcript.header(), last / NANOS_PER_MS, stdout, stderr, ended, status);
    }
}
