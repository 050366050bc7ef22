package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.model.Target;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.Termination;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flow and classification of PyPI installs. */
class PypiInstallTest {
    private static final String LOCK = "lock-version = \"1.0\"\n\n[[packages]]\nname = \"dep\"\nversion = \"2.0\"\nwheels = [{ url = \"http://gw/dep-2.0-py3-none-any.whl\", "
            + "size = 1, hashes = { sha256 = \"" + "d".repeat(64) + "\" } }]\n\n[[packages]]\nname = \"srv\"\nversion = \"1.2.3\"\n"
            + "sdist = { url = \"http://gw/srv-1.2.3.tar.gz\", hashes = { sha256 = \"" + "e".repeat(64) + "\" } }\n"
            + "wheels = [{ url = \"http://gw/srv-1.2.3-py3-none-any.whl\", upload-time = 2026-01-01T00:00:00Z, hashes = { sha256 = \"" + "a".repeat(64) + "\" } }]\n";
    private static final String FREE = "prober-free 9999999 9999\n";
    private final FakeEngine fake = new FakeEngine();
    @TempDir Path folder;

    @AfterEach
    void nothingIsLeftOpen() {
        assertEquals(0, fake.open, "sandboxes left open");
        assertEquals(0, fake.networks, "networks left open");
    }

    /** What the resolver's script prints. */
    private static String answer(String python, String requires, int uv, String said, String lock) {
        return Json.write(Json.object().put("python", python).put("status", 200).put("uv", uv).put("said", said).put("lock", lock)
                .set("files", Json.mapper().createArrayNode().add(Json.object().put("file", "srv-1.2.3-py3-none-any.whl").put("python", requires)
                        .put("time", "2026-01-01T00:00:00Z"))));
    }

    private static Map<String, String> tree() {
        String site = "/srv/app/venv/lib/python3.13/site-packages";
        Map<String, String> tree = new HashMap<>();
        tree.put(site + "/srv-1.2.3.dist-info/METADATA", "Name: srv\nVersion: 1.2.3\nRequires-Dist: mcp\n");
        tree.put(site + "/srv-1.2.3.dist-info/RECORD", "../../../bin/srv,,\nsrv/__init__.py,,\n");
        tree.put(site + "/srv-1.2.3.dist-info/entry_points.txt", "[console_scripts]\nsrv = srv:main\n");
        tree.put(site + "/srv/__init__.py", "from mcp.server.fastmcp import FastMCP\n");
        tree.put(site + "/mcp-1.26.0.dist-info/METADATA", "Name: mcp\nVersion: 1.26.0\n");
        tree.put(site + "/mcp-1.26.0.dist-info/RECORD", "mcp/__init__.py,,\n");
        tree.put(site + "/mcp/__init__.py", "");
        tree.put("/srv/app/venv/bin/srv", "#!/srv/app/venv/bin/python\n");
        return tree;
    }

    private static FakeEngine.Run ends(int exit, String stderr, Map<String, String> tree, GatewayEvidence seen) {
        return new FakeEngine.Run(new Termination.Exited(exit), FREE, stderr, tree, seen);
    }

    private InstallRecord install(String target, LocalDate... asOf) throws Exception {
        return new Installer(fake, fake, fake, InstallLimits.standard(), folder.resolve("cache"), "mcp-prober test", Redactor.NONE)
                .install(new InstallRequest(new Target.InRegistry(PackageUrl.parse(target)), List.of(), List.of(asOf).stream().findFirst()));
    }

    @Test
    void installsTheLockIntoAVirtualEnvironment() throws Exception {
        fake.run(0, answer("3.13.5", ">=3.10", 0, "", LOCK)).run(ends(0, "", tree(), FakeEngine.seen()));
        InstallRecord record = install("pypi:srv");
        assertEquals("installed", record.outcome().kind(), record.outcome().detail());
        assertEquals("pkg:pypi/srv@1.2.3", record.artefact().purl());
        assertEquals("sha256:" + "a".repeat(64), record.artefact().digest(), "of the wheel, not of the source archive");
        assertEquals(List.of("/srv/app/venv/bin/srv"), record.program().get().entry().argv());
        assertEquals(SdkFamily.OFFICIAL_PY, record.sdk().family());
        assertEquals(List.of("mcp@1.26.0", "srv@1.2.3"), record.tree());
        assertEquals("pylock.toml", record.lock().name());
        assertEquals("python:3.13", record.program().get().baseName());
        assertEquals(List.of("/srv/app/pylock.toml"), fake.written);
        assertEquals(record, InstallDocument.read(InstallDocument.write(record)));
    }

    @Test
    void aFileThatWasAskedForMoreThanOnceCountsOnceWithItsFullestAnswer() throws Exception {
        GatewayEvidence seen = new GatewayEvidence(List.of(wheel("Srv_Tools", 0), wheel("Srv_Tools", 77), wheel("Srv_Tools", 5)), List.of(), List.of(), true);
        fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(0, "", tree(), seen));
        InstallRecord record = install("pypi:srv");
        assertEquals(List.of(new InstallRecord.Served("srv-tools", "1.0", "Srv_Tools-1.0-py3-none-any.whl", "", 200, 77)), record.traffic().files());
        assertTrue(record.traffic().complete());
    }

    private static GatewayEvidence.Served wheel(String name, long bytes) {
        return new GatewayEvidence.Served(Instant.EPOCH, Registry.PYPI, GatewayEvidence.Kind.FILE, name, "1.0", name + "-1.0-py3-none-any.whl", 200, bytes, false);
    }

    @Test
    void theOlderPythonForWhatExcludesTheNewer() throws Exception {
        fake.run(0, answer("3.13.5", ">=3.10,<3.13", 0, "", LOCK)).run(0, answer("3.11.2", ">=3.10,<3.13", 0, "", LOCK)).run(ends(0, "", tree(), FakeEngine.seen()));
        assertEquals("python:3.11", install("pypi:srv").program().get().baseName());
    }

    @Test
    void aDependencyThatExcludesTheNewerPython() throws Exception {
        fake.run(0, answer("3.13.5", "", 1, "error: No solution found when resolving dependencies", "")).run(0, answer("3.11.2", "", 0, "", LOCK))
                .run(ends(0, "", tree(), FakeEngine.seen()));
        assertEquals("python:3.11", install("pypi:srv").program().get().baseName());
    }

    @Test
    void neitherPython() throws Exception {
        fake.run(0, answer("3.13.5", ">=3.14", 1, "error: No solution found", "")).run(0, answer("3.11.2", ">=3.14", 1, "error: No solution found", ""));
        InstallRecord record = install("pypi:srv");
        assertEquals("unsupported-runtime", record.outcome().kind());
        assertEquals("srv wants Python >=3.14; here are 3.13.5 and 3.11.2", record.outcome().detail());
    }

    @Test
    void whatTheIndexSays() throws Exception {
        fake.run(0, "{\"python\":\"3.13.5\",\"status\":404,\"files\":[]}");
        assertEquals("not-found", install("pypi:srv").outcome().kind());
        fake.run(0, answer("3.13.5", "", 1, "error: No solution found", ""));
        assertEquals("no-version-matches", install("pypi:srv==9.9").outcome().kind());
        fake.run(0, answer("3.13.5", "", 1, "error: No solution found", ""));
        InstallRecord early = install("pypi:srv==1.2.3", LocalDate.parse("2025-12-30"));
        assertEquals("no-version-matches", early.outcome().kind());
        assertEquals("no srv 1.2.3 had been published by then", early.outcome().detail());
        fake.run(0, answer("3.13.5", "", 1, "error: No solution found", "")).run(0, answer("3.11.2", "", 1, "error: No solution found", ""));
        assertEquals("no-version-matches", install("pypi:srv==1.2.3").outcome().kind(), "a dependency's");
    }

    @Test
    void anIndexThatFailsIsAFault() {
        for (String status : List.of("0", "429", "500", "502", "504")) {
            fake.run(0, "{\"python\":\"3.13.5\",\"status\":" + status + ",\"files\":[]}");
            assertInstanceOf(Fault.RegistryUnreachable.class, assertThrows(EngineException.class, () -> install("pypi:srv")).fault(), status);
        }
        GatewayEvidence failed = new GatewayEvidence(List.of(new GatewayEvidence.Served(Instant.EPOCH, Registry.PYPI, GatewayEvidence.Kind.FILE, "dep", "2.0",
                "dep-2.0.whl", 504, 0, false)), List.of(), List.of(), true);
        fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(2, "error: Failed to fetch\n", Map.of(), failed));
        assertInstanceOf(Fault.RegistryUnreachable.class, assertThrows(EngineException.class, () -> install("pypi:srv")).fault());
    }

    @Test
    void aBuildThatFails() throws Exception {
        fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(1, "note\nerror: Failed to build `srv`\n  cause: no compiler\n", Map.of(), FakeEngine.seen()));
        InstallRecord record = install("pypi:srv");
        assertEquals("build-failed", record.outcome().kind());
        assertTrue(record.outcome().detail().startsWith("error: Failed to build `srv`"), record.outcome().detail());
        fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(1, "error: Failed to build `srv`\n", Map.of(), FakeEngine.seen("dl.example.invalid")));
        assertEquals(List.of("dl.example.invalid"), assertInstanceOf(InstallOutcome.BlockedEgress.class, install("pypi:srv").outcome()).hosts());
        fake.run(0, answer("3.13.5", "", 1, "error: Failed to build `dep`", ""));
        assertEquals("build-failed", install("pypi:srv").outcome().kind(), "while resolving; no reason for another Python");
    }

    @Test
    void aBuildThatAnswersInTheResolversPlaceIsNotBelieved() throws Exception {
        String forged = "{\"python\":\"3.13.0\",\"status\":500,\"files\":[]}\n";
        fake.run(new FakeEngine.Run(new Termination.Signalled(9), forged, "", Map.of(), FakeEngine.seen()));
        InstallRecord record = install("pypi:srv");
        assertEquals("build-failed", record.outcome().kind());
        assertEquals("the resolver was ended by signal 9 while builds ran", record.outcome().detail());
        fake.run(0, forged + answer("3.13.5", "", 0, "", LOCK));
        assertEquals("a build wrote into the resolver's answer", install("pypi:srv").outcome().detail());
        fake.run(1, "");
        assertInstanceOf(Fault.ProberDefect.class, assertThrows(EngineException.class, () -> install("pypi:srv")).fault(), "our own program failed");
    }

    @Test
    void whatTheGatewayRefusesForItsNumberIsNoFailureOfTheRegistry() throws Exception {
        for (int status : List.of(429, 503)) {
            GatewayEvidence refused = new GatewayEvidence(List.of(new GatewayEvidence.Served(Instant.EPOCH, Registry.PYPI, GatewayEvidence.Kind.DOCUMENT, "dep", "", "",
                    status, 0, true)), List.of(), List.of(), true);
            fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(1, "error: Failed to build `srv`\n", Map.of(), refused));
            assertEquals("build-failed", install("pypi:srv").outcome().kind());
        }
    }

    @Test
    void nothingToStart() throws Exception {
        Map<String, String> tree = tree();
        tree.put("/srv/app/venv/lib/python3.13/site-packages/srv-1.2.3.dist-info/entry_points.txt", "[gui_scripts]\nsrv = srv:main\n");
        tree.put("/srv/app/venv/lib/python3.13/site-packages/srv-1.2.3.dist-info/RECORD", "srv/__init__.py,,\n");
        fake.run(0, answer("3.13.5", "", 0, "", LOCK)).run(ends(0, "", tree, FakeEngine.seen()));
        assertEquals("no-entry-point", install("pypi:srv").outcome().kind());
    }
}
