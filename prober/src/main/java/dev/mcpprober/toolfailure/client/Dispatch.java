package dev.mcpprober.toolfailure.client;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.FailureClass;
import dev.mcpprober.toolfailure.Finding;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.Validator;
import dev.mcpprober.toolfailure.client.Decision.Action;
import dev.mcpprober.toolfailure.client.Hints.Hint;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a client that dispatches on {@code class} makes of an answer: a pure function, without clock, that never throws. A retry
 * follows from the literal reading of the proposal and from nothing less: isError true, class reliability, retryable true,
 * idempotentHint true of a trusted server, and a plausible retryNotBefore where there is one. Codes are not looked at.
 */
public final class Dispatch {
    /** Faults after which the object classifies nothing. */
    private static final Set<Finding.Kind> NOT_AS_DECLARED = EnumSet.of(Finding.Kind.NO_OBJECT, Finding.Kind.MISSING, Finding.Kind.TYPE, Finding.Kind.UNKNOWN_VALUE);

    private final ExactJson result;
    private final Situation situation;
    private List<String> notes = List.of();

    private Dispatch(ExactJson result, Situation situation) {
        this.result = result;
        this.situation = situation;
    }

    public static Decision decide(Answer answer, Situation situation) {
        if (answer instanceof Answer.Missing) {
            return plain(Action.REPORT, Ground.NO_ANSWER);
        }
        if (answer instanceof Answer.ProtocolError) {
            return plain(Action.REPORT, situation.understands() ? Ground.PROTOCOL_ERROR : Ground.UNAWARE);
        }
        return new Dispatch(((Answer.Result) answer).value(), situation).result();
    }

    private Decision result() {
        if (result.member("resultType").flatMap(ExactJson::asText).orElse("").equals("input_required")) {
            return plain(Action.REPORT, Ground.INPUT_REQUIRED);
        }
        Optional<ExactJson> isError = result.member("isError");
        Optional<ExactJson> value = result.member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY));
        if (isError.isEmpty() || isError.get() instanceof ExactJson.Bool bool && !bool.value()) {
            return plain(Action.ACCEPT, situation.understands() && value.isPresent() ? Ground.KEY_ON_SUCCESS : Ground.SUCCESS);
        }
        if (!(isError.get() instanceof ExactJson.Bool)) {
            return plain(Action.REPORT, Ground.IS_ERROR_TYPE);
        }
        if (!situation.understands()) {
            return plain(Action.REPORT, Ground.UNAWARE);
        }
        if (value.isEmpty()) {
            return plain(Action.REPORT, Stray.in(result) ? Ground.MISPLACED : Ground.NO_KEY);
        }
        return ObjectLimits.passedBy(value.get()).map(how -> new Decision(Action.REPORT, Ground.OVERSIZED, "", 0, List.of("client limit: " + how)))
                .orElseGet(() -> classified(value.get()));
    }

    private Decision classified(ExactJson value) {
        List<Finding> broken = Validator.judge(value, new Validator.Surroundings(instant(situation.now()), List.of())).stream()
                .filter(finding -> finding.state() == Finding.State.VIOLATES).toList();
        notes = broken.stream().map(finding -> finding.statement().id() + ": " + finding.words()).toList();
        Optional<Finding> fault = broken.stream().filter(finding -> NOT_AS_DECLARED.contains(finding.kind())).findFirst();
        if (fault.isPresent()) {
            return new Decision(Action.REPORT, Ground.MALFORMED, fault.get().statement().id(), 0, notes);
        }
        ToolFailure failure = new ToolFailure((ExactJson.Obj) value);
        FailureClass given = failure.failureClass().orElseThrow();
        return switch (given) {
            case CAPABILITY -> noted(Action.CHANGE_APPROACH, Ground.CAPABILITY);
            case GOVERNANCE -> noted(Action.ASK_PERSON, Ground.GOVERNANCE);
            case RELIABILITY -> reliability(failure, broken);
        };
    }

    private Decision reliability(ToolFailure failure, List<Finding> broken) {
        if (!failure.retryable()) {
            return noted(Action.TRY_LATER, Ground.NOT_RETRYABLE);
        }
        Optional<Ground> forbidden = forbidden();
        if (forbidden.isPresent()) {
            return noted(Action.TRY_LATER, forbidden.get());
        }
        Optional<ExactJson> notBefore = failure.object().member("retryNotBefore");
        if (notBefore.isPresent() && broken.stream().anyMatch(f -> f.kind() == Finding.Kind.TOO_SMALL || f.kind() == Finding.Kind.FAR_FUTURE)) {
            return noted(Action.TRY_LATER, Ground.NOT_BEFORE_IMPLAUSIBLE);
        }
        if (situation.attempt() >= situation.limits().maxAttempts()) {
            return noted(Action.TRY_LATER, Ground.ATTEMPTS_USED_UP);
        }
        long backoff = later(situation.now(), situation.limits().backoff(situation.attempt()));
        if (notBefore.isEmpty()) {
            return retry(Ground.RETRY, backoff);
        }
        long time = millis((ExactJson.Num) notBefore.get());
        return time - situation.now() > situation.limits().maxWait().toMillis() ? noted(Action.TRY_LATER, Ground.WAIT_TOO_LONG)
                : retry(Ground.RETRY_NOT_BEFORE, Math.max(time, backoff));
    }

    /** What keeps a retryable failure from being retried; empty where the tool's own, trusted word permits it. */
    private Optional<Ground> forbidden() {
        Hints hints = situation.hints();
        if (situation.revision() == ProtocolRevision.V2024_11_05) {
            return Optional.of(Ground.NO_ANNOTATIONS);
        } else if (!hints.listed()) {
            return Optional.of(Ground.NOT_LISTED);
        } else if (hints.idempotent() == Hint.MISTYPED) {
            return Optional.of(Ground.HINT_TYPE);
        } else if (hints.idempotent() != Hint.TRUE) {
            return Optional.of(hints.readOnly() == Hint.TRUE ? Ground.READ_ONLY_ONLY : hints.idempotent() == Hint.FALSE ? Ground.NOT_IDEMPOTENT : Ground.HINT_ABSENT);
        }
        return situation.trusted() ? Optional.empty() : Optional.of(Ground.UNTRUSTED);
    }

    /** The first whole millisecond that is not before {@code time}, which was found to be within ten years. */
    private static long millis(ExactJson.Num time) {
        return new BigDecimal(time.lexeme()).setScale(0, RoundingMode.CEILING).longValue();
    }

    private static long later(long time, long span) {
        return time > Long.MAX_VALUE - span ? Long.MAX_VALUE : time + span;
    }

    private static String instant(long now) {
        return Instant.ofEpochMilli(now).toString();
    }

    private static Decision plain(Action action, Ground ground) {
        return new Decision(action, ground, ground.statement(), 0, List.of());
    }

    private Decision noted(Action action, Ground ground) {
        return new Decision(action, ground, ground.statement(), 0, notes);
    }

    private Decision retry(Ground ground, long notBefore) {
        return new Decision(Action.RETRY, ground, ground.statement(), notBefore, new ArrayList<>(notes));
    }
}
