package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import java.util.List;
import java.util.Set;

/** Names the finding that says why nothing more could be asked, so that one cause is one finding and what follows from it is not. */
final class Cause {
    private static final Set<String> NO_PROBE = Set.of(Probe.LIVENESS, Probe.AUTOPSY);

    private Cause() {}

    /** {@code " (see ping)"}: the check whose row shows how {@code log} came to its end; empty where no row does. */
    static String of(SessionLog log) {
        StepView last = null;
        for (StepView step : log.steps()) {
            last = NO_PROBE.contains(step.probe()) || step.skipped() ? last : step;
        }
        return last == null ? "" : of(log, last);
    }

    static String of(SessionLog log, StepView step) {
        String check = Check.of(step.probe()).isPresent() ? step.probe() : step.probe().equals(Probe.VALID_TWIN) ? Check.TOOLS_CALL_EXEC_ERROR.id() : "";
        return check.isEmpty() ? "" : see(check);
    }

    /** Of sessions without a handshake. */
    static String noHandshake(Era era) {
        return see(era == Era.LEGACY ? Check.SERVER_INITIALIZE.id() : Check.DISCOVER.id());
    }

    static String see(String check) {
        return " (see " + check + ")";
    }

    /** The first of {@code logs} that came to an end of its own; empty where none did. */
    static String first(List<SessionLog> logs) {
        return logs.stream().filter(log -> log.ownEnd().isPresent() || log.ownClose().isPresent()).map(Cause::of).filter(name -> !name.isEmpty()).findFirst().orElse("");
    }
}
