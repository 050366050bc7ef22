package dev.mcpprober.dataset;

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
    static SessionFigures of(TargetHistory.Attempt attempt, String path, String sha256, Transcript transcript) {
        SessionCount count = new SessionCount();
        transcript.events().forEach(count::add);
        return new SessionFigures(attempt, path, sha256, transcript.header(), count.durationMs(), count.stdoutBytes(), count.stderrBytes(), count.ended(), count.status(),
                count.credentials());
    }
}
