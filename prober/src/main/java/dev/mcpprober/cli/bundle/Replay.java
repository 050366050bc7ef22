package dev.mcpprober.cli.bundle;

import java.util.List;

/**
 * What to do to a fresh process of a server so that a finding shows, and how it shows. Patterns are extended regular expressions that
 * {@code grep -E} and Java read alike.
 *
 * @param during in order; proofs of absence are among them, since they hold at one moment only
 * @param after  proofs that are looked for when all was sent
 */
record Replay(List<Step> during, List<Proof> after) {
    Replay {
        during = List.copyOf(during);
        after = List.copyOf(after);
    }

    /** One thing to do, or to see at that moment. */
    sealed interface Step {}

    /** @param bytes line feed included */
    record Send(byte[] bytes) implements Step {}

    /** The answer to a request of the server, sent only when the server asks. */
    record Answer(String request, byte[] bytes) implements Step {}

    /** Waits for an answer, which need not come. */
    record Await(String pattern, long seconds) implements Step {}

    record Pause(long seconds) implements Step {}

    record CloseStdin() implements Step {}

    record Terminate() implements Step {}

    /** Something that shows the finding. */
    sealed interface Proof extends Step {}

    /** No answer comes. */
    record NoAnswer(String pattern, long seconds) implements Proof {}

    /** The process ends by itself, with the status as a shell gives it. */
    record Ended(int status, long seconds) implements Proof {}

    record Closed(long seconds) implements Proof {}

    record StillRuns(long seconds, String after) implements Proof {}

    /**
     * A line of stdout like the one recorded.
     *
     * @param recorded without line feed
     * @param length   bytes of it that count
     * @param times    how often it comes at least
     * @param id       pattern that it has besides; empty for none
     * @param code     the same, of the error code
     * @param yes      pattern of the kind of answer that shows it too; empty where only a line alike does
     * @param no       pattern that must not be there then
     */
    record Line(byte[] recorded, int length, int times, String id, String code, String yes, String no, long seconds) implements Proof {}

    /** True when something shows the finding. */
    boolean provable() {
        return !after.isEmpty() || during.stream().anyMatch(Proof.class::isInstance);
    }
}
