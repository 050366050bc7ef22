package dev.mcpprober.observation;

import dev.mcpprober.transcript.StepOutcome;
import java.util.Map;

/**
 * One step of a session.
 *
 * @param began   event index of its beginning
 * @param ended   event index of its end, or {@link Integer#MAX_VALUE} where the session broke off
 * @param until   event index where the next step begins, or {@link Integer#MAX_VALUE}: what arrives before it may belong to this one
 * @param outcome {@link StepOutcome#DEADLINE} where the session broke off
 */
record StepView(String id, String probe, Map<String, String> about, int began, int ended, int until, StepOutcome outcome, String detail) {
    /** As the driver writes it. */
    static final String TIME_UP = "session timeout";
    /** For what was sent outside any step. */
    static final StepView NONE = new StepView("", "", Map.of(), -1, Integer.MAX_VALUE, Integer.MAX_VALUE, StepOutcome.DEADLINE, "");

    boolean skipped() {
        return outcome == StepOutcome.SKIPPED;
    }

    /** The session's own time was up before the server's was. */
    boolean timeUp() {
        return detail.equals(TIME_UP);
    }

    boolean contains(int event) {
        return event > began && event < until;
    }

    String about(String key) {
        return about.getOrDefault(key, "");
    }

    boolean primary() {
        return "true".equals(about.get("primary"));
    }
}
