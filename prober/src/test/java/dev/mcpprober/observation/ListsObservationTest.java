package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** tools/list again: in one process, after a call, in another process; and requests with other {@code _meta}. */
class ListsObservationTest {
    private static Tape list(Tape tape, String step, String probe, String names) {
        String tools = Arrays.stream(names.split(" ")).map(name -> "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}").collect(Collectors.joining(","));
        return tape.step(step, probe).ask("tools/list", "{" + Tape.META + "}")
                .result("{\"tools\":[" + tools + "]," + Tape.MODERN_RESULT + ",\"ttlMs\":0,\"cacheScope\":\"private\"}").end(REPLIED, "pages:1");
    }

    private static Tape process(String session, String first, String again, String afterCall) {
        Tape tape = list(Tape.openModern(session, session), "tools-list", "handshake", first);
        list(tape, "tools-list-again", "tools-list-order", again);
        return list(tape.call("handshake", "", "{}").says("x"), "tools-list-after-call", "tools-list-set", afterCall);
    }

    private static Seen two(Tape one, Tape other) {
        return Tape.openModern().tools().seen(one, other);
    }

    @Test
    void theSameEachTime() {
        Seen seen = Tape.openModern("modern-negative", "modern-negative").seen(process("modern-meta", "a b", "a b", "a b"), process("modern-lists", "a b", "a b", "a b"));
        assertEquals("same", seen.observed(Check.TOOLS_LIST_ORDER));
        assertEquals("same", seen.observed(Check.TOOLS_LIST_SET));
        assertEquals("6 lists in 2 processes, 2 tools each", seen.detail(Check.TOOLS_LIST_SET));
    }

    @Test
    void anotherOrder() {
        Seen seen = process("modern-meta", "a b c", "a c b", "a b c").seen(process("modern-lists", "a b c", "a b c", "a b c"));
        assertEquals("reordered", seen.observed(Check.TOOLS_LIST_ORDER));
        assertEquals("reordered", seen.observed(Check.TOOLS_LIST_SET));
        assertTrue(seen.detail(Check.TOOLS_LIST_ORDER).startsWith("place 2 has \"b\", then \"c\""), seen.detail(Check.TOOLS_LIST_ORDER));
        assertEquals(4, seen.witness(Check.TOOLS_LIST_ORDER).size());
        Seen across = process("modern-lists", "b a", "b a", "b a").seen(process("modern-meta", "a b", "a b", "b a"));
        assertEquals("modern-meta", across.row(Check.TOOLS_LIST_ORDER).subject().session(), "two lists of one process are shown, where there are such");
    }

    @Test
    void aCallThatChangesTheSetInEveryProcess() {
        Seen seen = process("modern-meta", "a b", "a b", "a b c").seen(process("modern-lists", "a b", "a b", "a b c"));
        assertEquals("differs", seen.observed(Check.TOOLS_LIST_SET));
        assertEquals(Set.of(Flag.REPRODUCIBLE), seen.flags(Check.TOOLS_LIST_SET));
        assertEquals("same", seen.observed(Check.TOOLS_LIST_ORDER), "the lists before the call are alike");
    }

    @Test
    void aChangeThatDoesNotComeAgainMayBeTheTimes() {
        Seen once = process("modern-meta", "a b", "a b", "a b c").seen(process("modern-lists", "a b", "a b", "a b"));
        assertEquals("differs", once.observed(Check.TOOLS_LIST_SET));
        assertEquals(Set.of(), once.flags(Check.TOOLS_LIST_SET));
        Seen restless = process("modern-meta", "a", "a b", "a b c").seen(process("modern-lists", "a", "a b", "a b c"));
        assertEquals(Set.of(), restless.flags(Check.TOOLS_LIST_SET), "it changed without the call");
        Seen connection = process("modern-meta", "a", "a", "a").seen(process("modern-lists", "b", "b", "b"));
        assertEquals(Set.of(), connection.flags(Check.TOOLS_LIST_SET));
    }

    @Test
    void listsOfOtherSessionsCountOnlyWhereTheQuestionWasPut() {
        assertTrue(two(Tape.openModern("modern-negative", "modern-negative").tools("x"), Tape.openModern("modern-malformed", "modern-malformed")).rows(Check.TOOLS_LIST_SET).isEmpty());
    }

    @Test
    void requestsWithLessMeta() {
        Tape tape = process("modern-meta", "a", "a", "a").step("meta-missing-meta", "meta-missing-meta").ask("tools/list", "{}").error(-32602, "x").end(REPLIED)
                .step("meta-missing-protocol-version", "meta-missing-protocol-version").ask("tools/list", "{}").result("{" + Tape.MODERN_RESULT + ",\"tools\":[]}").end(REPLIED)
                .step("meta-missing-client-capabilities", "meta-missing-client-capabilities").ask("tools/list", "{}").error(-32600, "x").end(REPLIED)
                .step("meta-client-info-optional", "meta-client-info-optional").ask("tools/list", "{}").error(-32602, "clientInfo is required").end(REPLIED)
                .step("removed-ping", "removed-methods").ask("ping", "{" + Tape.META + "}").error(-32601, "x").end(REPLIED)
                .step("removed-set-level", "removed-methods").ask("logging/setLevel", "{" + Tape.META + "}").result("{" + Tape.MODERN_RESULT + "}").end(REPLIED);
        Seen seen = tape.seen();
        assertEquals("protocol-error", seen.observed(Check.META_MISSING_META));
        assertEquals(-32602L, seen.code(Check.META_MISSING_META));
        assertEquals("result", seen.observed(Check.META_MISSING_PROTOCOL_VERSION));
        assertEquals(-32600L, seen.code(Check.META_MISSING_CLIENT_CAPABILITIES));
        assertEquals("protocol-error", seen.observed(Check.META_CLIENT_INFO_OPTIONAL));
        assertEquals(2, seen.rows(Check.REMOVED_METHODS).size());
        assertTrue(seen.rows(Check.REMOVED_METHODS).get(1).detail().startsWith("logging/setLevel: "), seen.rows(Check.REMOVED_METHODS).toString());
    }
}
