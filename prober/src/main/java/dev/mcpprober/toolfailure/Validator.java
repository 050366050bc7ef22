package dev.mcpprober.toolfailure;

import static dev.mcpprober.toolfailure.Finding.Kind;
import static dev.mcpprober.toolfailure.Finding.State;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Holds one value of the toolFailure key against the proposal, statement by statement. Never throws, whatever was sent. */
public final class Validator {
    /** Milliseconds since 1970 below this are in 2001 or before: what stands there is seconds, or a span of time. */
    private static final long LEAST_MS = 1_000_000_000_000L;
    private static final long TEN_YEARS_MS = 3_653L * 24 * 3600 * 1000;
    private static final int QUOTE = 120;

    /**
     * What is known besides the object.
     *
     * @param at       when the session began, ISO-8601; where it is no instant, no time is too far off
     * @param canaries what must not be found in the correlationId
     */
    public record Surroundings(String at, List<Canary> canaries) {
        public Surroundings {
            canaries = canaries.stream().filter(c -> c.text().length() >= Canary.MIN_LENGTH).toList();
        }
    }

    private final ToolFailure failure;
    private final Surroundings around;

    private Validator(ToolFailure failure, Surroundings around) {
        this.failure = failure;
        this.around = around;
    }

    /** One finding for each statement. */
    public static List<Finding> judge(ExactJson value, Surroundings around) {
        if (value instanceof ExactJson.Obj object) {
            return new Validator(new ToolFailure(object), around).all();
        }
        List<Finding> out = new ArrayList<>(List.of(violates(Statement.CLASS_ENUM, Kind.NO_OBJECT, "the value is no object: " + quote(value))));
        Arrays.stream(Statement.values()).filter(s -> s != Statement.CLASS_ENUM).forEach(s -> out.add(undecided(s, "the value is no object")));
        return out;
    }

    private List<Finding> all() {
        return List.of(classEnum(), codeString(), codeBaseline(), codeClassConsistent(), retryable(), paired(), epochMs(), correlationId(), noSensitive(), guidance());
    }

    private Finding classEnum() {
        ExactJson member = failure.member("class");
        Optional<Finding> bad = notRequiredText(Statement.CLASS_ENUM, "class", member);
        return bad.orElseGet(() -> failure.failureClass().isPresent() ? present(Statement.CLASS_ENUM, null, "class is " + quote(member))
                : violates(Statement.CLASS_ENUM, Kind.UNKNOWN_VALUE, "class is " + quote(member)));
    }

    private Finding codeString() {
        ExactJson member = failure.member("code");
        return notRequiredText(Statement.CODE_STRING, "code", member).orElseGet(() -> present(Statement.CODE_STRING, null, "code is " + quote(member)));
    }

    private Finding codeBaseline() {
        if (failure.code().isEmpty()) {
            return undecided(Statement.CODE_BASELINE, "no code to compare");
        }
        String code = failure.code().get();
        String words = "code is " + quote(failure.member("code"));
        Optional<String> meant = FailureClass.respelled(code);
        if (meant.isPresent()) {
            return violates(Statement.CODE_BASELINE, Kind.RESPELLED, words + " for " + meant.get());
        }
        return present(Statement.CODE_BASELINE, FailureClass.ofCode(code).isPresent() ? null : Kind.OWN_CODE, words);
    }

    private Finding codeClassConsistent() {
        if (failure.code().isEmpty() || failure.failureClass().isEmpty()) {
            return undecided(Statement.CODE_CLASS_CONSISTENT, failure.code().isEmpty() ? "no code to compare" : "class is none of the three");
        }
        String code = failure.code().get();
        FailureClass given = failure.failureClass().get();
        String words = "code " + quote(failure.member("code")) + " under class " + given.id();
        Optional<FailureClass> listed = FailureClass.ofCode(code);
        // The proposal says both: its table lists the code under governance, its comment on the class names a missing permission under capability.
        boolean eitherWay = code.equals("permission_denied") && given == FailureClass.CAPABILITY;
        boolean consistent = listed.isEmpty() || listed.get() == given || eitherWay;
        return consistent ? present(Statement.CODE_CLASS_CONSISTENT, null, words) : violates(Statement.CODE_CLASS_CONSISTENT, Kind.WRONG_CLASS, words);
    }

    private Finding retryable() {
        ExactJson member = failure.member("retryable");
        if (member == null) {
            return absent(Statement.RETRYABLE_ONLY_RELIABILITY, "no retryable");
        }
        String words = "retryable is " + quote(member);
        if (!(member instanceof ExactJson.Bool)) {
            return violates(Statement.RETRYABLE_ONLY_RELIABILITY, Kind.TYPE, words);
        }
        if (failure.retryable() && failure.failureClass().isEmpty()) {
            return undecided(Statement.RETRYABLE_ONLY_RELIABILITY, "class is none of the three");
        }
        boolean allowed = !failure.retryable() || failure.failureClass().get() == FailureClass.RELIABILITY;
        return allowed ? present(Statement.RETRYABLE_ONLY_RELIABILITY, null, words)
                : violates(Statement.RETRYABLE_ONLY_RELIABILITY, Kind.WRONG_CLASS, words + " under class " + failure.failureClass().get().id());
    }

    private Finding paired() {
        if (failure.member("retryNotBefore") == null) {
            return absent(Statement.RETRY_NOT_BEFORE_PAIRED, "no retryNotBefore");
        }
        ExactJson retryable = failure.member("retryable");
        if (retryable != null && !(retryable instanceof ExactJson.Bool)) {
            return undecided(Statement.RETRY_NOT_BEFORE_PAIRED, "retryable is no boolean");
        }
        String words = "retryNotBefore with " + (retryable == null ? "no retryable" : "retryable " + quote(retryable));
        return failure.retryable() ? present(Statement.RETRY_NOT_BEFORE_PAIRED, null, words) : violates(Statement.RETRY_NOT_BEFORE_PAIRED, Kind.UNPAIRED, words);
    }

    private Finding epochMs() {
        ExactJson member = failure.member("retryNotBefore");
        if (member == null) {
            return absent(Statement.RETRY_NOT_BEFORE_EPOCH_MS, "no retryNotBefore");
        }
        String words = "retryNotBefore is " + quote(member);
        if (!(member instanceof ExactJson.Num number)) {
            return violates(Statement.RETRY_NOT_BEFORE_EPOCH_MS, Kind.TYPE, words);
        }
        if (number.compareWith(LEAST_MS) < 0) {
            return violates(Statement.RETRY_NOT_BEFORE_EPOCH_MS, Kind.TOO_SMALL, words);
        }
        Optional<Long> last = millis(around.at()).map(ms -> ms + TEN_YEARS_MS);
        return last.isPresent() && number.compareWith(last.get()) > 0
                ? violates(Statement.RETRY_NOT_BEFORE_EPOCH_MS, Kind.FAR_FUTURE, words + ", more than ten years after " + around.at())
                : present(Statement.RETRY_NOT_BEFORE_EPOCH_MS, null, words);
    }

    private static Optional<Long> millis(String instant) {
        try {
            return Optional.of(Instant.parse(instant).toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private Finding correlationId() {
        ExactJson member = failure.member("correlationId");
        return notRequiredText(Statement.CORRELATION_ID_PRESENT, "correlationId", member)
                .orElseGet(() -> failure.correlationId().isPresent() ? present(Statement.CORRELATION_ID_PRESENT, null, "correlationId is " + quote(member))
                        : violates(Statement.CORRELATION_ID_PRESENT, Kind.EMPTY, "correlationId is " + quote(member)));
    }

    private Finding noSensitive() {
        if (failure.correlationId().isEmpty()) {
            return undecided(Statement.CORRELATION_ID_NO_SENSITIVE, "no correlationId to look into");
        }
        String words = "correlationId is " + quote(failure.member("correlationId"));
        for (Canary canary : around.canaries()) {
            Optional<String> how = canary.in(failure.correlationId().get());
            if (how.isPresent()) {
                return violates(Statement.CORRELATION_ID_NO_SENSITIVE, canary.kind(),
                        words + " and holds " + whose(canary) + ", " + quote(new ExactJson.Text(canary.text())) + ", " + how.get());
            }
        }
        Optional<Canary> hashed = around.canaries().stream().filter(c -> c.hashedIn(failure.correlationId().get())).findFirst();
        return hashed.isEmpty() ? present(Statement.CORRELATION_ID_NO_SENSITIVE, null, words)
                : present(Statement.CORRELATION_ID_NO_SENSITIVE, Kind.HASHED, words + " and holds the plain hash of " + whose(hashed.get()));
    }

    private static String whose(Canary canary) {
        return switch (canary.kind()) {
            case ARGUMENT -> "an argument of the call";
            case CLIENT_INFO -> "the client's own name or version";
            default -> "a text of the server's environment or command line";
        };
    }

    private Finding guidance() {
        ExactJson member = failure.member("agentGuidance");
        if (member == null) {
            return absent(Statement.AGENT_GUIDANCE_STRING, "no agentGuidance");
        }
        String words = "agentGuidance is " + quote(member);
        return member instanceof ExactJson.Text ? present(Statement.AGENT_GUIDANCE_STRING, null, words) : violates(Statement.AGENT_GUIDANCE_STRING, Kind.TYPE, words);
    }

    private static Optional<Finding> notRequiredText(Statement statement, String name, ExactJson member) {
        if (member == null) {
            return Optional.of(violates(statement, Kind.MISSING, "no " + name));
        }
        return member instanceof ExactJson.Text ? Optional.empty() : Optional.of(violates(statement, Kind.TYPE, name + " is " + quote(member)));
    }

    private static Finding present(Statement statement, Kind note, String words) {
        return new Finding(statement, State.PRESENT, note, words);
    }

    private static Finding absent(Statement statement, String words) {
        return new Finding(statement, State.ABSENT, null, words);
    }

    private static Finding violates(Statement statement, Kind kind, String words) {
        return new Finding(statement, State.VIOLATES, kind, words);
    }

    private static Finding undecided(Statement statement, String why) {
        return new Finding(statement, State.UNDECIDED, null, why);
    }

    private static String quote(ExactJson value) {
        return value.brief(QUOTE);
    }
}
