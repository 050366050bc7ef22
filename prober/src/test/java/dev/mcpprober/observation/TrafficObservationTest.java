package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.QUIET;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What servers send unasked, and what only the modern era demands. */
class TrafficObservationTest {
    private static String note(String method) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" + method + "\",\"params\":{}}";
    }

    private static String request(String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"srv\",\"method\":\"" + method + "\"}";
    }

    @Test
    void quietServers() {
        Seen legacy = Tape.open("2025-11-25").seen();
        assertEquals("absent", legacy.observed(Check.SERVER_REQUEST_UNDECLARED));
        assertEquals("absent", legacy.observed(Check.SERVER_REQUEST_EARLY));
        assertEquals("none", legacy.observed(Check.LOG_CAPABILITY));
        assertEquals("absent", legacy.observed(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals("absent", legacy.observed(Check.PROGRESS_UNREQUESTED));
        assertTrue(legacy.rows(Check.SERVER_REQUEST).isEmpty());
        Seen modern = Tape.openModern().seen();
        assertEquals("absent", modern.observed(Check.SERVER_REQUEST));
        assertEquals("absent", modern.observed(Check.LOG_WITHOUT_LEVEL));
        assertEquals("absent", modern.observed(Check.SERVER_CANCELLED));
        assertEquals("conforms", modern.observed(Check.RESULT_TYPE));
        assertEquals("present", modern.observed(Check.SERVER_INFO_META));
        assertEquals("present", modern.observed(Check.DISCOVER_CACHING));
        assertEquals("no error was received", modern.reason(Check.ERROR_CODE_RANGE));
        assertTrue(modern.rows(Check.SERVER_REQUEST_UNDECLARED).isEmpty());
    }

    @Test
    void legacyServersMayPingAndMayAskOnlyWhatWasDeclared() {
        assertEquals("absent", Tape.open("2025-11-25").get(request("ping")).seen().observed(Check.SERVER_REQUEST_UNDECLARED));
        Seen asks = Tape.open("2025-11-25").get(request("sampling/createMessage")).seen();
        assertEquals("present", asks.observed(Check.SERVER_REQUEST_UNDECLARED));
        assertEquals("absent", asks.observed(Check.SERVER_REQUEST_EARLY));
        Seen early = Tape.legacy("legacy", "legacy-full").get(request("roots/list")).handshake("server-initialize", "2025-11-25", "{}").seen();
        assertEquals("present", early.observed(Check.SERVER_REQUEST_EARLY));
    }

    @Test
    void modernServersMustNotAsk() {
        Seen seen = Tape.openModern().get(request("roots/list")).seen();
        assertEquals("present", seen.observed(Check.SERVER_REQUEST));
        assertTrue(seen.detail(Check.SERVER_REQUEST).startsWith("roots/list"));
    }

    @Test
    void logsNeedTheCapability() {
        assertEquals("undeclared", Tape.open("2025-11-25").get(note("message")).seen().observed(Check.LOG_CAPABILITY));
        Seen declared = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{\"logging\":{}}").get(note("message")).seen();
        assertEquals("declared", declared.observed(Check.LOG_CAPABILITY));
        assertEquals("present", Tape.openModern().get(note("message")).seen().observed(Check.LOG_WITHOUT_LEVEL));
    }

    @Test
    void changesOfListsAndCancellations() {
        Seen seen = Tape.open("2025-11-25").get(note("tools/list_changed")).seen();
        assertEquals("present", seen.observed(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals(Set.of(Flag.UNDECLARED), seen.flags(Check.LIST_CHANGED_UNSOLICITED));
        Seen declared = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{\"tools\":{\"listChanged\":true}}").get(note("tools/list_changed")).seen();
        assertEquals(Set.of(), declared.flags(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals("present", Tape.openModern().get(note("cancelled")).seen().observed(Check.SERVER_CANCELLED));
    }

    @Test
    void progressOnlyForATokenThatWasGiven() {
        String progress = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t\",\"progress\":1}}";
        assertEquals("present", Tape.open("2025-11-25").get(progress).seen().observed(Check.PROGRESS_UNREQUESTED));
        assertEquals("absent", Tape.open("2025-11-25").step("x", "handshake").ask("x", "{\"_meta\":{\"progressToken\":\"t\"}}").get(progress).seen().observed(Check.PROGRESS_UNREQUESTED));
    }

    @Test
    void everyModernResultNamesItsType() {
        Seen missing = Tape.openModern().step("x", "handshake").ask("x").result("{}").end(REPLIED).seen();
        assertEquals("violates", missing.observed(Check.RESULT_TYPE));
        assertEquals(Set.of(Flag.MISSING), missing.flags(Check.RESULT_TYPE));
        assertEquals("absent", missing.observed(Check.SERVER_INFO_META));
        for (String type : List.of("\"task\"", "\"Complete\"", "1", "null")) {
            Seen seen = Tape.openModern().step("x", "handshake").ask("x").result("{\"resultType\":" + type + "}").end(REPLIED).seen();
            assertEquals(Set.of(Flag.UNKNOWN_VALUE), seen.flags(Check.RESULT_TYPE), type);
        }
        assertTrue(Tape.open("2025-11-25").seen().rows(Check.RESULT_TYPE).isEmpty(), "no such demand in the legacy era");
    }

    @Test
    void requestsForInputHaveTheirPlace() {
        Seen seen = Tape.openModern().step("x", "handshake").ask("tools/list").result("{\"resultType\":\"input_required\"}").end(REPLIED).seen();
        assertEquals("violates", seen.observed(Check.INPUT_REQUIRED_SCOPE));
        assertEquals(Set.of(Flag.WRONG_METHOD, Flag.NOTHING_ASKED), seen.flags(Check.INPUT_REQUIRED_SCOPE));
    }

    @Test
    void serverInfoBesideTheResultIsTheOldPlace() {
        Seen seen = Tape.modern("modern", "modern-full").step("discover", "discover").ask("server/discover", "{}")
                .result("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}").end(REPLIED).seen();
        assertEquals("top-level-only", seen.observed(Check.SERVER_INFO_META));
        assertEquals("s", seen.target().session().serverName());
        assertEquals("absent", seen.observed(Check.DISCOVER_CACHING));
    }

    @Test
    void codesOfTheReservedRange() {
        for (long code : new long[] {-32002, -32042, -32023, -32099}) {
            assertEquals("violates", Tape.openModern().step("x", "handshake").ask("x").error(code, "x").end(REPLIED).seen().observed(Check.ERROR_CODE_RANGE), "" + code);
        }
        for (long code : new long[] {-32020, -32021, -32022, -32601, 0, -1, 7, -32100}) {
            Seen seen = Tape.openModern().step("x", "handshake").ask("x").error(code, "x").end(REPLIED).seen();
            assertEquals("conforms", seen.observed(Check.ERROR_CODE_RANGE), "" + code);
            assertEquals(Set.of(), seen.flags(Check.ERROR_CODE_RANGE));
        }
        assertEquals(Set.of(Flag.LEGACY_CODES), Tape.openModern().step("x", "handshake").ask("x").error(-32004, "x").end(REPLIED).seen().flags(Check.ERROR_CODE_RANGE));
    }

    @Test
    void cachingHints() {
        String[][] cases = {{"\"ttlMs\":0,\"cacheScope\":\"private\"", "present"}, {"\"ttlMs\":-1,\"cacheScope\":\"private\"", "violates"}, {"\"ttlMs\":1.5,\"cacheScope\":\"public\"", "violates"},
            {"\"ttlMs\":1,\"cacheScope\":\"shared\"", "violates"}, {"\"cacheScope\":\"public\"", "absent"}, {"\"ttlMs\":\"1\",\"cacheScope\":\"public\"", "violates"}};
        for (String[] each : cases) {
            Seen seen = Tape.openModern().step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[]," + Tape.MODERN_RESULT + "," + each[0] + "}").end(REPLIED).seen();
            assertEquals(each[1], seen.observed(Check.TOOLS_LIST_CACHING), each[0]);
        }
        Seen fraction = Tape.openModern().step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"ttlMs\":1000.0,\"cacheScope\":\"public\"}").end(REPLIED).seen();
        assertEquals(Set.of(Flag.FRACTION_FORM), fraction.flags(Check.TOOLS_LIST_CACHING));
        Seen pages = Tape.openModern().step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"ttlMs\":1,\"cacheScope\":\"public\",\"nextCursor\":\"2\"}")
                .ask("tools/list").result("{\"tools\":[],\"ttlMs\":1,\"cacheScope\":\"private\"}").end(REPLIED).seen();
        assertEquals("violates", pages.observed(Check.TOOLS_LIST_CACHING));
        for (String second : List.of("\"ttlMs\":1,\"cacheScope\":\"private\"", "\"cacheScope\":\"public\"")) {
            Seen odd = Tape.openModern().step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"ttlMs\":1.0,\"cacheScope\":\"public\",\"nextCursor\":\"2\"}")
                    .ask("tools/list").result("{\"tools\":[]," + second + "}").end(REPLIED).seen();
            assertEquals(Set.of(), odd.flags(Check.TOOLS_LIST_CACHING), "the odd number of page 1 excuses no breach of page 2");
        }
    }

    private static final String LOGGED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"x\"}}";

    private static Tape badLine(Tape tape) {
        return tape.step("malformed-json", "malformed-json").send("{bad");
    }

    @Test
    void aLogMessageInReactionToAnIllegalFrameIsMarked() {
        Seen seen = badLine(Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25")).get(LOGGED).end(QUIET).alive("malformed-json").seen();
        assertEquals("undeclared", seen.observed(Check.LOG_CAPABILITY));
        assertEquals(Set.of(Flag.AFTER_ILLEGAL_FRAME), seen.flags(Check.LOG_CAPABILITY));
        Seen late = badLine(Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25")).end(QUIET)
                .step("alive", "liveness", "after", "malformed-json").ask("ping").get(LOGGED).result("{}").end(REPLIED).seen();
        assertEquals(Set.of(Flag.AFTER_ILLEGAL_FRAME), late.flags(Check.LOG_CAPABILITY));
        Seen modern = badLine(Tape.openModern("modern-malformed", "modern-malformed")).get(LOGGED).end(QUIET).alive("malformed-json").seen(Tape.openModern());
        assertEquals("present", modern.observed(Check.LOG_WITHOUT_LEVEL));
        assertEquals(Set.of(Flag.AFTER_ILLEGAL_FRAME), modern.flags(Check.LOG_WITHOUT_LEVEL));
    }

    @Test
    void aLogMessageOfItsOwnCountsBeforeThatInReactionToAnIllegalFrame() {
        Tape provoked = badLine(Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25")).get(LOGGED).end(QUIET).alive("malformed-json");
        Tape own = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("method-not-found", "method-not-found").ask("x").get(LOGGED)
                .error(-32601, "x").end(REPLIED);
        Seen seen = provoked.seen(own);
        assertEquals("undeclared", seen.observed(Check.LOG_CAPABILITY));
        assertEquals(Set.of(), seen.flags(Check.LOG_CAPABILITY));
        assertEquals("legacy-negative", seen.row(Check.LOG_CAPABILITY).subject().session());
        Seen modern = badLine(Tape.openModern("modern-malformed", "modern-malformed")).get(LOGGED).end(QUIET).alive("malformed-json").seen(Tape.openModern().get(LOGGED));
        assertEquals(Set.of(), modern.flags(Check.LOG_WITHOUT_LEVEL));
    }

    @Test
    void whereNothingWasFoundTheSessionsThatWereLookedThroughAreNamed() {
        Seen seen = Tape.open("2025-11-25").seen(Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25"));
        assertEquals("looked through legacy, legacy-malformed", seen.detail(Check.PROGRESS_UNREQUESTED));
        assertEquals("looked through legacy, legacy-malformed", seen.detail(Check.LOG_CAPABILITY));
    }

    @Test
    void aDeclaredChangeNotificationIsShownWithItsDeclaration() {
        Tape tape = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{\"tools\":{\"listChanged\":true}}")
                .get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        Seen seen = tape.seen();
        assertEquals(Set.of(), seen.flags(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals(List.of(3, tape.at()), seen.witness(Check.LIST_CHANGED_UNSOLICITED));
    }
}
