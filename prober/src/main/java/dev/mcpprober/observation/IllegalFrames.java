package dev.mcpprober.observation;

import java.util.EnumSet;
import java.util.Set;

/**
 * Frames that no client may send. Every revision forbids them to the client and leaves the reaction to the server, which is therefore
 * never a breach in itself.
 */
final class IllegalFrames {
    private static final Set<Check> PROBES = EnumSet.of(Check.MALFORMED_JSON, Check.INVALID_UTF8, Check.ID_NULL_REQUEST, Check.BATCH_REJECT,
            Check.TOOLS_CALL_NO_NAME, Check.TOOLS_CALL_BAD_ARGUMENTS);

    /** Steps whose requests are none of the revision in force: a server that serves them may do so as in another one. */
    private static final Set<Check> FOREIGN = EnumSet.of(Check.META_MISSING_META, Check.META_MISSING_PROTOCOL_VERSION, Check.META_MISSING_CLIENT_CAPABILITIES,
            Check.REMOVED_METHODS);

    private IllegalFrames() {}

    /** The request is none of the revision, so that the form of its answer says nothing; that it was served is a finding of its own. */
    static boolean foreign(SessionLog log, Exchange exchange) {
        return log.steps().stream().anyMatch(step -> step.contains(exchange.sentAt()) && Check.of(step.probe()).filter(FOREIGN::contains).isPresent());
    }

    /** What came with this event did so between such a frame and the end of the question that follows it, whether the server lives. */
    static boolean provoked(SessionLog log, int event) {
        StepView cause = StepView.NONE;
        for (StepView step : log.steps()) {
            cause = step.probe().equals(Probe.LIVENESS) || step.probe().equals(Probe.AUTOPSY) ? cause : step;
            if (step.contains(event)) {
                return Check.of(cause.probe()).filter(PROBES::contains).isPresent();
            }
        }
        return false;
    }
}
