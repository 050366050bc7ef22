package dev.mcpprober.toolfailure.conformance;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.FailureClass;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.client.Hints;
import dev.mcpprober.toolfailure.client.Hints.Hint;
import java.util.List;
import java.util.Optional;

/**
 * Judges a client by what it sends, whatever it says of itself: when a tool went on failing with one object, when was the call sent? Written
 * apart from the reference client's own rules, so that one can be held against the other.
 */
public final class ClientJudge {
    /** When the first failure came, in milliseconds since 1970; times of {@code sends} count from here. */
    public static final long FAILED_AT = 1_796_083_200_000L;

    private ClientJudge() {}

    /**
     * @param object    what the failure carried under the key, in its place
     * @param tool      entry of tools/list
     * @param sends     when the call was sent, milliseconds after the first failure; the first of them before it, as 0
     * @param otherwise the same for the failure that differs only in what the check is about (the code, or the whole key); empty where
     *                  the check compares nothing
     */
    public record Case(ExactJson object, ExactJson tool, List<Long> sends, Optional<List<Long>> otherwise) {
        public Case {
            sends = List.copyOf(sends);
        }
    }

    /** {@code pass}, {@code fail}, or {@code divergent} where the texts leave open what the client did. */
    public static String judge(String check, Case given) {
        ToolFailure failure = given.object() instanceof ExactJson.Obj object ? new ToolFailure(object) : new ToolFailure(new ExactJson.Obj(java.util.Map.of()));
        Optional<FailureClass> failureClass = failure.failureClass();
        boolean resent = given.sends().size() > 1;
        return switch (check) {
            case "sep-3313-client-dispatch-on-class", "sep-3313-client-unaware-unchanged" -> given.otherwise().orElseThrow().equals(given.sends()) ? "pass" : "fail";
            case "sep-3313-client-no-retry-capability-governance" ->
                    resent && failureClass.isPresent() && failureClass.get() != FailureClass.RELIABILITY ? "fail" : "pass";
            case "sep-3313-client-retry-gated" -> !resent ? "pass" : gated(failure, failureClass, Hints.of(given.tool()));
            case "sep-3313-client-honours-not-before" -> early(failure, given.sends()) ? "fail" : "pass";
            default -> throw new IllegalArgumentException("no check of clients: " + check);
        };
    }

    private static String gated(ToolFailure failure, Optional<FailureClass> failureClass, Hints hints) {
        if (failureClass.isEmpty() || failureClass.get() != FailureClass.RELIABILITY || !failure.retryable()) {
            return "fail";
        }
        // idempotentHint is meaningful only where readOnlyHint is false: what then permits a retry of a read-only tool is said nowhere.
        return hints.idempotent() == Hint.TRUE ? "pass" : hints.readOnly() == Hint.TRUE ? "divergent" : "fail";
    }

    private static boolean early(ToolFailure failure, List<Long> sends) {
        if (!failure.retryable() || !(failure.object().member("retryNotBefore").orElse(null) instanceof ExactJson.Num notBefore)) {
            return false;
        }
        return sends.stream().skip(1).anyMatch(after -> notBefore.compareWith(FAILED_AT + after) > 0);
    }
}
