package dev.mcpprober.toolfailure.client;

import java.util.List;

/**
 * One call from its first try to its end.
 *
 * @param tries at least one, in order
 */
public record Trail(List<Try> tries) {
    public Trail {
        tries = List.copyOf(tries);
    }

    /**
     * @param sent     the request as it went out
     * @param answer   what came for it
     * @param decision what the client made of that
     * @param waitedMs how long it then waited before the next try, by the clock that only runs forward; 0 where it did not
     */
    public record Try(String sent, Answer answer, Decision decision, long waitedMs) {}

    public Try last() {
        return tries.get(tries.size() - 1);
    }

    /** The call came to a result that is no error. */
    public boolean succeeded() {
        return last().decision().action() == Decision.Action.ACCEPT;
    }
}
