package dev.mcpprober.transcript;

import dev.mcpprober.model.Era;
import java.util.List;

/**
 * First line of a transcript: what was run, how, by which version. Instants are ISO-8601 UTC.
 *
 * @param attempt          id of the attempt; also the file's name
 * @param workKey          hexadecimal work key
 * @param target           package URL or label
 * @param session          name of the session within its target, e.g. {@code legacy}, {@code legacy.2}, {@code legacy~1} in repeat 1
 * @param script           script id and version, e.g. {@code legacy-full@1}
 * @param era              the era whose rules the session's frames follow
 * @param offeredRevision  revision offered in {@code initialize} or named in {@code _meta}
 * @param argv             entry point as run
 * @param imageDigest      image id; empty for a command on this host
 * @param isolation        the policy in one line, or {@code host} for a command on this host
 * @param startTimeoutMs   limits that the session ran under, in milliseconds
 * @param requestTimeoutMs see above
 * @param sessionTimeoutMs see above
 * @param redaction        rules by which secrets were taken out before the file was written, each as {@code id@version (N rules)}; empty for
 *                         a transcript that holds what came as it came
 */
public record TranscriptHeader(String attempt, String workKey, String target, String session, String script, Era era, String offeredRevision,
                               List<String> argv, String imageDigest, String isolation, String proberVersion, String startedAt,
                               long startTimeoutMs, long requestTimeoutMs, long sessionTimeoutMs, List<String> redaction) {
    public static final String FORMAT = "mcp-prober-transcript";
    public static final int FORMAT_VERSION = 1;

    public TranscriptHeader {
        argv = List.copyOf(argv);
        redaction = List.copyOf(redaction);
    }

    public TranscriptHeader(String attempt, String workKey, String target, String session, String script, Era era, String offeredRevision,
                            List<String> argv, String imageDigest, String isolation, String proberVersion, String startedAt,
                            long startTimeoutMs, long requestTimeoutMs, long sessionTimeoutMs) {
        this(attempt, workKey, target, session, script, era, offeredRevision, argv, imageDigest, isolation, proberVersion, startedAt, startTimeoutMs,
                requestTimeoutMs, sessionTimeoutMs, List.of());
    }

    /** The same as it is kept: by these rules, with this entry point. */
    public TranscriptHeader redacted(List<String> rules, List<String> entryPoint) {
        return new TranscriptHeader(attempt, workKey, target, session, script, era, offeredRevision, entryPoint, imageDigest, isolation, proberVersion, startedAt,
                startTimeoutMs, requestTimeoutMs, sessionTimeoutMs, rules);
    }
}
