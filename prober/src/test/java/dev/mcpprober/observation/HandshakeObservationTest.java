package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.CLOSED;
import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Opening requests: which era, whose session stands, what initialize and discover gave. */
class HandshakeObservationTest {
    private static Tape initialize() {
        return Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize", "{}");
    }

    private static Tape discover() {
        return Tape.modern("discover", "discover").step("discover", "era-detect").ask("server/discover", "{" + Tape.META + "}");
    }

    private static String modernRefusal(long code, String data) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" + code + ",\"message\":\"no\",\"data\":" + data + "}}";
    }

    @Test
    void aGoodInitializeIsAResultUnderTheRevisionAnswered() {
        Seen seen = Tape.open("2025-06-18").seen();
        assertEquals("result", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals("2025-06-18", seen.row(Check.SERVER_INITIALIZE).subject().revision());
        assertEquals(List.of(2, 3), seen.witness(Check.SERVER_INITIALIZE));
        assertTrue(seen.target().session().handshake());
        assertEquals("legacy", seen.target().session().name());
        assertEquals("2025-11-25", seen.target().session().offeredRevision());
        assertEquals("2025-06-18", seen.target().session().protocolVersion());
        assertEquals("s", seen.target().session().serverName());
        assertEquals(Set.of(Era.LEGACY), seen.target().eras());
        assertNull(seen.startup());
    }

    @Test
    void aResultWithoutItsMembersIsInvalidAndNamesThem() {
        Seen seen = initialize().result("{\"serverInfo\":null,\"instructions\":\"hello\"}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.SCHEMA), seen.flags(Check.SERVER_INITIALIZE));
        assertTrue(seen.detail(Check.SERVER_INITIALIZE).startsWith("protocolVersion is missing, capabilities is missing, serverInfo is no object"));
        assertEquals("bad-initialize-result", seen.startup());
        assertEquals("no handshake (see server-initialize)", seen.reason(Check.PING));
    }

    @Test
    void aMissingServerInfoBreachesTheResultButNotTheSession() {
        Seen seen = initialize().result("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
        assertTrue(seen.target().session().handshake());
        assertNull(seen.startup());
    }

    @Test
    void aRevisionThatNobodyKnowsIsWellFormedButNoHandshake() {
        Seen seen = initialize().result("{\"protocolVersion\":\"2031-04-01\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.UNKNOWN_REVISION), seen.flags(Check.SERVER_INITIALIZE));
        assertEquals("unsupported-version", seen.startup());
        assertFalse(seen.target().session().handshake());
        assertEquals("2031-04-01", seen.target().session().protocolVersion());
        assertEquals("unknown revision (see server-initialize)", seen.reason(Check.TOOLS_LIST));
    }

    @Test
    void theModernRevisionCannotBeHadThroughTheHandshake() {
        Seen seen = initialize().result("{\"protocolVersion\":\"2026-07-28\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}").end(REPLIED).seen();
        assertEquals(Set.of(Flag.UNKNOWN_REVISION), seen.flags(Check.SERVER_INITIALIZE));
        assertEquals("unsupported-version", seen.startup());
    }

    @Test
    void anErrorIsAProtocolErrorAndMayNameVersions() {
        Seen plain = initialize().error(-32600, "no").end(REPLIED).seen();
        assertEquals("protocol-error", plain.observed(Check.SERVER_INITIALIZE));
        assertEquals(-32600L, plain.code(Check.SERVER_INITIALIZE));
        assertEquals("bad-initialize-result", plain.startup());
        Seen versions = initialize().get("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Unsupported protocol version\","
                + "\"data\":{\"supported\":[\"2024-11-05\"]}}}").end(REPLIED).seen();
        assertEquals(Set.of(Flag.NAMES_VERSIONS), versions.flags(Check.SERVER_INITIALIZE));
        assertEquals("unsupported-version", versions.startup());
    }

    @Test
    void noReplyIsTellingByHowItEnded() {
        assertEquals("no-response", initialize().end(DEADLINE).seen().observed(Check.SERVER_INITIALIZE));
        assertEquals("closed", initialize().closesStdout().end(CLOSED).seen().observed(Check.SERVER_INITIALIZE));
        Seen exited = initialize().exits(3).end(EXITED).seen();
        assertEquals("exited", exited.observed(Check.SERVER_INITIALIZE));
        assertEquals(3L, exited.code(Check.SERVER_INITIALIZE));
        Seen killed = initialize().terminated("signalled", 11).end(EXITED).seen();
        assertEquals(11L, killed.code(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.SIGNAL), killed.flags(Check.SERVER_INITIALIZE));
    }

    @Test
    void aReplyThatPoursOutAfterStdinClosedIsNoLateSuccess() {
        Seen seen = initialize().end(DEADLINE).step("hang-up", "startup").closeStdin()
                .result("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}").exits(0).end(EXITED).seen();
        assertEquals("no-response", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.ANSWERED_AT_EOF), seen.flags(Check.SERVER_INITIALIZE));
        assertFalse(seen.target().session().handshake());
    }

    @Test
    void anInitializeReplyWhoseIdIsTextStillOpensTheSession() {
        Seen seen = initialize().resultFor("\"1\"", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.ID_OTHER), seen.flags(Check.SERVER_INITIALIZE));
        assertTrue(seen.target().session().handshake());
    }

    @Test
    void discoverTellsTheEra() {
        Tape modern = discover().result(Tape.DISCOVERED).end(REPLIED);
        assertEquals("modern", modern.seen().observed(Check.ERA_DETECT));
        assertEquals("dual", modern.seen(Tape.open("2025-11-25")).observed(Check.ERA_DETECT));
        assertEquals(Set.of(Era.LEGACY, Era.MODERN), modern.seen(Tape.open("2025-11-25")).target().eras());
    }

    @Test
    void typicalRefusalsAndSilenceAndDeathAreLegacy() {
        Tape legacy = Tape.open("2025-11-25");
        for (Tape probe : List.of(discover().error(-32601, "no").end(REPLIED), discover().error(-32602, "").end(REPLIED), discover().error(0, "x").end(REPLIED),
                discover().end(DEADLINE), discover().exits(1).end(EXITED), discover().result("{}").end(REPLIED), discover().errorFor("null", -32601, "x").end(DEADLINE))) {
            Seen seen = probe.seen(legacy);
            assertEquals("legacy", seen.observed(Check.ERA_DETECT));
            assertEquals(Set.of(Flag.LEGACY_HANDSHAKE), seen.flags(Check.ERA_DETECT));
            assertNull(seen.startup());
        }
    }

    @Test
    void aResultThatNamesAModernRevisionOutOfPlaceIsLegacyButSaysSo() {
        Tape legacy = Tape.open("2025-11-25");
        for (String result : List.of("{\"protocolVersions\":[\"2026-07-28\",\"2025-11-25\"],\"resultType\":\"complete\"}", "{\"protocolVersion\":\"2026-07-28\"}")) {
            Seen seen = discover().result(result).end(REPLIED).seen(legacy);
            assertEquals("legacy", seen.observed(Check.ERA_DETECT));
            assertEquals(Set.of(Flag.LEGACY_HANDSHAKE, Flag.CLAIMS_MODERN), seen.flags(Check.ERA_DETECT));
        }
        Seen old = discover().result("{\"protocolVersions\":[\"2025-11-25\"]}").end(REPLIED).seen(legacy);
        assertEquals(Set.of(Flag.LEGACY_HANDSHAKE), old.flags(Check.ERA_DETECT));
    }

    @Test
    void aServerThatAnswersNeitherHasNoEra() {
        Seen seen = discover().end(DEADLINE).seen(initialize().end(DEADLINE));
        assertEquals("none", seen.observed(Check.ERA_DETECT));
        assertEquals("hang-no-reply", seen.startup());
        assertEquals("legacy", seen.target().startup().orElseThrow().session());
    }

    @Test
    void aRecognisedModernErrorIsModernWithoutCommonVersion() {
        Seen seen = discover().get(modernRefusal(-32022, "{\"supported\":[\"2025-11-25\"],\"requested\":\"2026-07-28\"}")).end(REPLIED).seen(Tape.open("2025-11-25"));
        assertEquals("modern-unsupported", seen.observed(Check.ERA_DETECT));
        assertEquals(Set.of(Era.LEGACY), seen.target().eras());
        assertNull(seen.startup(), "the listed version is reached through initialize");
        Seen draft = discover().get(modernRefusal(-32004, "{\"supported\":[\"x\"]}")).end(REPLIED).seen();
        assertEquals("modern-unsupported", draft.observed(Check.ERA_DETECT));
        assertEquals(Set.of(Flag.DRAFT_CODE), draft.flags(Check.ERA_DETECT));
        assertEquals("modern", discover().error(-32021, "capability").end(REPLIED).seen().observed(Check.ERA_DETECT));
    }

    @Test
    void aListOfHandshakeRevisionsIsNotModern() {
        Seen seen = discover().result("{\"supportedVersions\":[\"2025-11-25\"],\"capabilities\":{}}").end(REPLIED).seen();
        assertEquals("modern-unsupported", seen.observed(Check.ERA_DETECT));
    }

    @Test
    void aModernOnlyServerOwesNoHandshake() {
        Seen seen = discover().result(Tape.DISCOVERED).end(REPLIED).seen(
                initialize().error(-32601, "this server speaks 2026-07-28").end(REPLIED), Tape.openModern());
        assertEquals("protocol-error", seen.observed(Check.INITIALIZE_ON_MODERN));
        assertEquals(Set.of(Flag.NAMES_VERSIONS), seen.flags(Check.INITIALIZE_ON_MODERN));
        assertEquals("2026-07-28", seen.row(Check.INITIALIZE_ON_MODERN).subject().revision());
        assertEquals("modern-only server", seen.reason(Check.SERVER_INITIALIZE));
        assertEquals("modern-only server", seen.reason(Check.PING));
        assertEquals(Era.MODERN, seen.row(Check.SERVER_INITIALIZE).subject().era());
        assertEquals("modern", seen.target().session().name());
        assertEquals("2026-07-28", seen.target().session().protocolVersion());
        assertNull(seen.startup());
        assertEquals(1, seen.rows(Check.STDOUT_PURITY).size(), "the legacy session counts for no era");
    }

    /** Of which version is not known, so that nothing else can be asked; but initialize is no method of any of them. */
    @Test
    void aModernServerOfAnotherVersionOwesNoHandshakeEither() {
        String later = "{\"supported\":[\"2027-01-01\"],\"requested\":\"2026-07-28\"}";
        String words = "no such method, this server speaks 2027-01-01";
        Seen seen = discover().get(modernRefusal(-32022, later)).end(REPLIED).seen(initialize().error(-32601, words).end(REPLIED));
        assertEquals("modern-only server", seen.reason(Check.SERVER_INITIALIZE));
        assertEquals("modern-only server", seen.reason(Check.PING));
        assertEquals(1, seen.rows(Check.PING).size());
        assertEquals("protocol-error", seen.observed(Check.INITIALIZE_ON_MODERN));
        assertEquals(Set.of(Flag.NAMES_VERSIONS), seen.flags(Check.INITIALIZE_ON_MODERN));
        assertEquals("unsupported-version", seen.startup());
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY), "what it wrote is looked at all the same");
        Seen listed = discover().result("{\"supportedVersions\":[\"2027-01-01\"],\"capabilities\":{}}").end(REPLIED).seen(initialize().end(DEADLINE));
        assertEquals("unsupported-version", listed.startup());
        assertEquals("modern-only server", listed.reason(Check.SERVER_INITIALIZE));
        Seen both = discover().get(modernRefusal(-32022, later.replace("[", "[\"2025-11-25\","))).end(REPLIED).seen(initialize().error(-32601, "no such method").end(REPLIED));
        assertEquals("protocol-error", both.observed(Check.SERVER_INITIALIZE), "a version of the handshake was offered");
        Seen legacy = discover().error(-32601, "no such method").end(REPLIED).seen(initialize().error(-32601, "no such method").end(REPLIED));
        assertEquals("protocol-error", legacy.observed(Check.SERVER_INITIALIZE));
    }

    @Test
    void discoverResultIsHeldAgainstItsSchema() {
        assertEquals("result", Tape.openModern().seen().observed(Check.DISCOVER));
        Seen seen = Tape.modern("modern", "modern-full").step("discover", "discover").ask("server/discover", "{}")
                .result("{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.DISCOVER));
        assertTrue(seen.detail(Check.DISCOVER).startsWith("ttlMs is missing, cacheScope is missing, resultType is missing"));
        Seen none = Tape.modern("modern", "modern-full").step("discover", "discover").ask("server/discover", "{}").end(DEADLINE).seen();
        assertEquals("no-response", none.observed(Check.DISCOVER));
    }

    @Test
    void theVersionServedIsListedOrNot() {
        assertEquals("listed", Tape.openModern().seen().observed(Check.DISCOVER_LISTS_VERSION));
        Seen seen = Tape.modern("modern", "modern-full").step("discover", "discover").ask("server/discover", "{}")
                .result(Tape.DISCOVERED.replace("[\"2026-07-28\"]", "[\"2027-01-01\"]")).end(REPLIED).seen();
        assertEquals("unlisted", seen.observed(Check.DISCOVER_LISTS_VERSION));
    }

    @Test
    void anUnsupportedVersionIsRefusedWithItsData() {
        Tape probe = Tape.modern("modern-version", "modern-version").step("unsupported-version", "unsupported-version")
                .ask("server/discover", "{" + Tape.META.replace("2026-07-28", "2099-12-31") + "}")
                .get(modernRefusal(-32022, "{\"supported\":[\"2026-07-28\"],\"requested\":\"2099-12-31\"}")).end(REPLIED);
        Seen seen = Tape.openModern().seen(probe);
        assertEquals("protocol-error", seen.observed(Check.UNSUPPORTED_VERSION));
        assertEquals(-32022L, seen.code(Check.UNSUPPORTED_VERSION));
        assertEquals(Set.of(Flag.DATA_SUPPORTED, Flag.DATA_REQUESTED), seen.flags(Check.UNSUPPORTED_VERSION));
        assertEquals("2026-07-28", seen.row(Check.UNSUPPORTED_VERSION).subject().revision());
    }

    @Test
    void missingOrWrongDataOfARefusalIsSeen() {
        Tape probe = Tape.modern("modern-version", "modern-version").step("unsupported-version", "unsupported-version")
                .ask("server/discover", "{" + Tape.META.replace("2026-07-28", "2099-12-31") + "}")
                .get(modernRefusal(-32004, "{\"supportedVersions\":[\"2026-07-28\"],\"supported\":[],\"requested\":\"2026-07-28\"}")).end(REPLIED);
        Seen seen = Tape.openModern().seen(probe);
        assertEquals(-32004L, seen.code(Check.UNSUPPORTED_VERSION));
        assertEquals(Set.of(), seen.flags(Check.UNSUPPORTED_VERSION));
        Tape served = Tape.modern("modern-version", "modern-version").step("unsupported-version", "unsupported-version").ask("server/discover", "{}")
                .result(Tape.DISCOVERED).end(REPLIED);
        assertEquals("result", Tape.openModern().seen(served).observed(Check.UNSUPPORTED_VERSION));
    }

    @Test
    void aBrokenChannelIsNoResult() {
        assertEquals(List.of(), initialize().lost().seen().target().observations());
        assertNull(initialize().lost().seen().startup());
    }
}
