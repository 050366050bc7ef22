package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.model.Target;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.Termination;
import dev.mcpprober.model.Registry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flow and classification of npm installs, from exit state, npm's own answer and the gateway's evidence. */
class NpmInstallTest {
    private static final String RESOLVED = "{\"node\":\"22.23.5\",\"name\":\"srv\",\"version\":\"1.2.3\",\"integrity\":\"sha512-abc\",\"engines\":{\"node\":\">=18\"}}";
    private static final String SCRIPT_FAILED = "{\"error\":{\"code\":1,\"summary\":\"command failed\"}}\nprober-free 9999999 9999\n";
    private static final String OK = "{\"added\":1}\nprober-free 9999999 9999\n";
    private final FakeEngine fake = new FakeEngine();
    @TempDir Path folder;

    @AfterEach
    void nothingIsLeftOpen() {
        assertEquals(0, fake.open, "sandboxes left open");
        assertEquals(0, fake.networks, "networks left open");
    }

    private static Map<String, String> tree() {
        Map<String, String> tree = new HashMap<>();
        tree.put("/srv/app/node_modules/srv/package.json", "{\"name\":\"srv\",\"version\":\"1.2.3\",\"bin\":\"dist/x.js\"}");
        tree.put("/srv/app/node_modules/srv/dist/x.js", "#!/usr/bin/env node\nimport '@modelcontextprotocol/sdk/server/mcp.js'");
        tree.put("/srv/app/node_modules/@modelcontextprotocol/sdk/package.json", "{\"name\":\"@modelcontextprotocol/sdk\",\"version\":\"1.30.0\"}");
        tree.put("/srv/app/package-lock.json", "{\"packages\":{\"\":{},\"node_modules/srv\":{\"version\":\"1.2.3\",\"integrity\":\"sha512-abc\"},"
                + "\"node_modules/@modelcontextprotocol/sdk\":{\"version\":\"1.30.0\"},\"node_modules/chrome\":{\"version\":\"2.0.0\",\"hasInstallScript\":true},"
                + "\"node_modules/canvas-darwin\":{\"version\":\"3.0.0\",\"optional\":true,\"os\":[\"darwin\"],\"hasInstallScript\":true},"
                + "\"node_modules/jose\":{\"version\":\"5.0.0\",\"extraneous\":true},\"node_modules/srv/node_modules/jose\":{\"version\":\"6.0.0\"}}}");
        for (String there : List.of("chrome", "jose", "srv/node_modules/jose")) {
            tree.put("/srv/app/node_modules/" + there + "/package.json", "{}");
        }
        return tree;
    }

    private static FakeEngine.Run ends(int exit, String stdout, String stderr, Map<String, String> tree, GatewayEvidence seen) {
        return new FakeEngine.Run(new Termination.Exited(exit), stdout, stderr, tree, seen);
    }

    private Installer installer(InstallLimits limits) {
        return new Installer(fake, fake, fake, limits, folder.resolve("cache"), "mcp-prober test", Redactor.NONE);
    }

    private InstallRecord install(String target, String... args) throws Exception {
        return installer(InstallLimits.standard()).install(new InstallRequest(new Target.InRegistry(PackageUrl.parse(target)), List.of(args), Optional.empty()));
    }

    private Fault fault(String target) {
        return assertThrows(EngineException.class, () -> install(target)).fault();
    }

    @Test
    void installsExactlyWhatWasResolvedAndKeepsWhatThereIsToKnow() throws Exception {
        GatewayEvidence seen = new GatewayEvidence(List.of(
                new GatewayEvidence.Served(Instant.EPOCH, Registry.NPM, GatewayEvidence.Kind.DOCUMENT, "srv", "", "", 200, 10, false),
                new GatewayEvidence.Served(Instant.EPOCH, Registry.NPM, GatewayEvidence.Kind.FILE, "srv", "1.2.3", "srv-1.2.3.tgz", 200, 99, true),
                new GatewayEvidence.Served(Instant.EPOCH, Registry.NPM, GatewayEvidence.Kind.FILE, "srv", "1.2.3", "srv-1.2.3.tgz", 200, 99, true)),
                List.of(), List.of(), true);
        fake.run(0, RESOLVED).run(ends(0, OK, "npm warn old\u001b[31m", tree(), seen));
        InstallRecord record = install("npm:srv", "--root", "/tmp");
        assertEquals("installed", record.outcome().kind());
        assertEquals("pkg:npm/srv@1.2.3", record.artefact().purl());
        assertEquals("sha512-abc", record.artefact().digest());
        assertEquals(List.of("node", "/srv/app/node_modules/srv/dist/x.js", "--root", "/tmp"), record.program().get().entry().argv());
        assertEquals(SdkFamily.OFFICIAL_TS, record.sdk().family());
        assertEquals("1.30.0", record.sdk().version());
        assertEquals(List.of("@modelcontextprotocol/sdk@1.30.0", "chrome@2.0.0", "jose@5.0.0", "jose@6.0.0", "srv@1.2.3"), record.tree(),
                "what lies on the disk: not the build for another system, but what nothing needs");
        assertEquals(List.of("chrome@2.0.0"), record.scripts().packages());
        assertEquals(List.of(new InstallRecord.Served("srv", "1.2.3", "srv-1.2.3.tgz", "sha512-abc", 200, 99)), record.traffic().files());
        assertEquals(1, record.traffic().documents());
        assertTrue(record.logTail().contains("npm warn old\u001b"), "raw: escaping is for whoever prints");
        assertTrue(fake.created.get(1).argv().contains("srv@1.2.3"), "the version that was resolved");
        assertTrue(fake.created.get(1).argv().contains("--no-ignore-scripts"));
        assertEquals("inst", fake.created.get(1).policy().network());
        Map<String, String> labels = fake.committed.get(0).labels();
        assertEquals("pkg:npm/srv@1.2.3", labels.get("dev.mcpprober.install.purl"));
        assertEquals("[\"node\",\"/srv/app/node_modules/srv/dist/x.js\"]", labels.get("dev.mcpprober.install.argv"));
        assertFalse(fake.committed.get(0).env().containsKey("http_proxy"));
        assertEquals(record, InstallDocument.read(InstallDocument.write(record)));
    }

    @Test
    void aVersionThatWasInstalledBeforeIsNotInstalledAgain() throws Exception {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        InstallRecord first = install("npm:srv@1.2.3");
        InstallRecord second = install("npm:srv@1.2.3", "more");
        assertTrue(second.program().get().reused());
        assertEquals(first.program().get().image(), second.program().get().image());
        assertEquals(List.of("node", "/srv/app/node_modules/srv/dist/x.js", "more"), second.program().get().entry().argv());
        assertEquals(2, fake.created.size());
    }

    @Test
    void anImageWhoseInstallCannotBeRecordedIsRemoved() {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        fake.diesAtCommit = true;
        assertInstanceOf(Fault.RegistryUnreachable.class, assertThrows(EngineException.class, () -> install("npm:srv@1.2.3")).fault());
        assertEquals(1, fake.committed.size());
        assertEquals(Map.of(), fake.images);
    }

    @Test
    void aVersionThatWasLeftOpenIsLookedUpOnceItIsKnown() throws Exception {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen())).run(0, RESOLVED);
        install("npm:srv@1.2.3");
        InstallRecord open = install("npm:srv");
        assertTrue(open.program().get().reused());
        assertEquals("npm:srv", open.artefact().target());
        assertEquals(3, fake.created.size(), "resolved, not installed");
    }

    @Test
    void aRegistryThatDoesNotAnswerInTimeIsAFault() {
        fake.run(new FakeEngine.Run(null, "", "", Map.of(), FakeEngine.seen()));
        Installer hasty = installer(InstallLimits.standard().withTime(Duration.ofMillis(50)));
        assertInstanceOf(Fault.RegistryUnreachable.class, assertThrows(EngineException.class, () -> hasty.install(
                new InstallRequest(new Target.InRegistry(PackageUrl.parse("npm:srv")), List.of(), Optional.empty()))).fault());
    }

    @Test
    void anImageThatIsGoneOrSaysOtherwiseIsNotUsed() throws Exception {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        InstallRecord first = install("npm:srv@1.2.3");
        fake.images.clear();
        assertFalse(installer(InstallLimits.standard()).stillThere(first));
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        InstallRecord second = install("npm:srv@1.2.3");
        assertFalse(second.program().get().reused());
        assertTrue(installer(InstallLimits.standard()).stillThere(second));
        Map<String, String> labels = new HashMap<>(fake.images.get(second.program().get().image()).labels());
        labels.put("dev.mcpprober.install.tree", "sha256:other");
        fake.images.put(second.program().get().image(), new dev.mcpprober.sandbox.ImageEngine.ImageInfo("x", labels, 1));
        assertFalse(installer(InstallLimits.standard()).stillThere(second));
    }

    @Test
    void whatIsDiscardedIsInstalledAgainAndLeavesNothing() throws Exception {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        Installer labelling = installer(InstallLimits.standard()).withLabels(Map.of("whose", "ours"));
        InstallRecord first = labelling.install(new InstallRequest(new Target.InRegistry(PackageUrl.parse("npm:srv@1.2.3")), List.of(), Optional.empty()));
        assertEquals("ours", fake.committed.get(0).labels().get("whose"));
        String image = first.program().get().image();
        assertEquals(List.of(true, true, false), List.of(labelling.made(image), installer(InstallLimits.standard()).made(image),
                installer(InstallLimits.standard()).withLabels(Map.of("whose", "a later run's")).made(image)));
        labelling.discard(first.program().get().image());
        assertEquals(Map.of(), fake.images);
        try (var files = Files.list(folder.resolve("cache"))) {
            assertEquals(0, files.count(), "a record of an image that is gone");
        }
        labelling.discard(first.program().get().image());
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertFalse(install("npm:srv@1.2.3").program().get().reused());
    }

    @Test
    void anotherDayIsAnotherInstall() throws Exception {
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen())).run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        install("npm:srv@1.2.3");
        InstallRecord then = installer(InstallLimits.standard()).install(new InstallRequest(new Target.InRegistry(PackageUrl.parse("npm:srv@1.2.3")), List.of(),
                Optional.of(LocalDate.parse("2026-03-01"))));
        assertFalse(then.program().get().reused());
        assertEquals("2026-03-01", then.artefact().asOf());
        assertTrue(fake.created.get(3).argv().contains("--before=2026-03-02T00:00:00Z"), fake.created.get(3).argv().toString());
    }

    @ParameterizedTest
    @CsvSource({"E404,not-found", "ETARGET,no-version-matches", "ENOVERSIONS,no-version-matches"})
    void whatTheRegistrySays(String code, String kind) throws Exception {
        fake.run(0, "{\"node\":\"22.23.5\",\"code\":\"" + code + "\",\"message\":\"m\"}");
        assertEquals(kind, install("npm:srv").outcome().kind());
    }

    @ParameterizedTest
    @CsvSource({"E502", "E503", "E504", "E429", "E403", "ECONNREFUSED", "EAI_AGAIN", "ENOTFOUND", "ETIMEDOUT", "EINTEGRITY"})
    void aRegistryThatFailsIsAFault(String code) {
        fake.run(0, "{\"node\":\"22.23.5\",\"code\":\"" + code + "\",\"message\":\"m\"}");
        assertInstanceOf(Fault.RegistryUnreachable.class, fault("npm:srv"));
        fake.run(0, RESOLVED).run(1, "{\"error\":{\"code\":\"" + code + "\",\"summary\":\"m\"}}");
        assertInstanceOf(Fault.RegistryUnreachable.class, fault("npm:srv"));
    }

    @ParameterizedTest
    @CsvSource({"E404,no-version-matches", "ETARGET,no-version-matches", "ERESOLVE,no-version-matches", "EBADPLATFORM,unsupported-runtime",
        "EUNSUPPORTEDPROTOCOL,build-failed", "EPACK,build-failed"})
    void failuresOfADependency(String code, String kind) throws Exception {
        fake.run(0, RESOLVED).run(1, "{\"error\":{\"code\":\"" + code + "\",\"summary\":\"m\"}}");
        assertEquals(kind, install("npm:srv").outcome().kind());
    }

    @Test
    void aDependencyFromElsewhereIsBlockedEgress() throws Exception {
        fake.run(0, RESOLVED).run(ends(1, "{\"error\":{\"code\":\"E403\",\"summary\":\"m\"}}", "", Map.of(), FakeEngine.seen("git.example.invalid")));
        assertEquals(List.of("git.example.invalid"), assertInstanceOf(InstallOutcome.BlockedEgress.class, install("npm:srv").outcome()).hosts());
    }

    @Test
    void aDependencyFromGitNamesItsHost() throws Exception {
        String git = "{\"error\":{\"code\":\"ENOENT\",\"summary\":\"An unknown git error occurred\"}}";
        fake.run(0, RESOLVED).run(1, git).run(ends(1, git, "", Map.of(), FakeEngine.seen("git.example.invalid")));
        assertEquals(List.of("git.example.invalid"), assertInstanceOf(InstallOutcome.BlockedEgress.class, install("npm:srv").outcome()).hosts());
    }

    @Test
    void theOwnScriptFailingWithAHostDeniedIsBlockedEgressAndSaysWhatCameWithoutScripts() throws Exception {
        fake.run(0, RESOLVED)
                .run(ends(1, SCRIPT_FAILED, "npm error code 1\nnpm error path /srv/app/node_modules/srv\nnpm error x\n", Map.of(), FakeEngine.seen("dl.example.invalid")))
                .run(ends(0, OK, "", tree(), FakeEngine.seen("dl.example.invalid")));
        InstallRecord record = install("npm:srv");
        InstallOutcome.BlockedEgress blocked = assertInstanceOf(InstallOutcome.BlockedEgress.class, record.outcome());
        assertEquals(List.of("dl.example.invalid"), blocked.hosts());
        assertEquals("srv", blocked.packageName());
        assertEquals("srv", record.scripts().failed());
        assertEquals("installed", record.scripts().withoutScripts());
        assertTrue(fake.created.get(2).argv().contains("--ignore-scripts"));
        assertFalse(record.usable());
        assertEquals(record, InstallDocument.read(InstallDocument.write(record)));
    }

    @Test
    void theOwnScriptFailingByItself() throws Exception {
        fake.run(0, RESOLVED).run(ends(1, SCRIPT_FAILED, "npm error path /srv/app/node_modules/srv\n", Map.of(), FakeEngine.seen()))
                .run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertEquals("install-script-failed", install("npm:srv").outcome().kind());
    }

    @Test
    void hostsThatWereTriedBeforeTheScriptsRanAreNotTheirs() throws Exception {
        fake.run(new FakeEngine.Run(new Termination.Exited(0), RESOLVED, "", Map.of(), FakeEngine.seen("earlier.example.invalid")))
                .run(ends(1, SCRIPT_FAILED, "npm error path /srv/app/node_modules/srv\n", Map.of(), FakeEngine.seen("earlier.example.invalid")))
                .run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertEquals("install-script-failed", install("npm:srv").outcome().kind());
    }

    @Test
    void aDependencysScriptFailingLeavesAServerWithACaveat() throws Exception {
        fake.run(0, RESOLVED)
                .run(ends(1, SCRIPT_FAILED, "npm error path /srv/app/node_modules/a/node_modules/@x/chrome\n", Map.of(), FakeEngine.seen("dl.example.invalid")))
                .run(ends(0, OK, "", tree(), FakeEngine.seen("dl.example.invalid")));
        InstallRecord record = install("npm:srv");
        assertEquals("installed", record.outcome().kind());
        InstallOutcome.BlockedEgress caveat = assertInstanceOf(InstallOutcome.BlockedEgress.class, record.program().get().caveat().get());
        assertEquals("@x/chrome", caveat.packageName());
        assertEquals("@x/chrome", record.scripts().failed());
        assertEquals(record, InstallDocument.read(InstallDocument.write(record)));
    }

    @Test
    void noEntryPointWantsNoImage() throws Exception {
        Map<String, String> tree = tree();
        tree.put("/srv/app/node_modules/srv/package.json", "{\"name\":\"srv\",\"version\":\"1.2.3\",\"main\":\"x.js\"}");
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree, FakeEngine.seen()));
        assertEquals("no-entry-point", install("npm:srv").outcome().kind());
        assertEquals(List.of(), fake.committed);
    }

    @Test
    void theOlderNodeForWhatExcludesTheNewer() throws Exception {
        String old = RESOLVED.replace(">=18", "<21");
        fake.run(0, old).run(0, old.replace("22.23.5", "20.20.2")).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertEquals("node:20", install("npm:srv").program().get().baseName());
    }

    @Test
    void theNewerNodeForWhatExcludesTheUsualOne() throws Exception {
        String newer = RESOLVED.replace(">=18", ">=24");
        fake.run(0, newer).run(0, newer.replace("22.23.5", "24.21.0")).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertEquals("node:24", install("npm:srv").program().get().baseName());
        String newest = RESOLVED.replace(">=18", ">=99");
        fake.run(0, newest).run(0, newest.replace("22.23.5", "24.21.0")).run(0, newest.replace("22.23.5", "20.20.2"));
        InstallRecord record = install("npm:srv");
        assertEquals("unsupported-runtime", record.outcome().kind());
        assertEquals("wants Node >=99; here are 22.23.5 and 24.21.0 and 20.20.2", record.outcome().detail());
    }

    @Test
    void limits() throws Exception {
        fake.run(0, RESOLVED).run(new FakeEngine.Run(null, "", "", Map.of(), FakeEngine.seen()));
        Installer hasty = installer(InstallLimits.standard().withTime(Duration.ofMillis(100)));
        InstallRequest request = new InstallRequest(new Target.InRegistry(PackageUrl.parse("npm:srv")), List.of(), Optional.empty());
        assertEquals("timeout", hasty.install(request).outcome().kind());

        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        assertEquals("too-large", installer(InstallLimits.standard().withTree(1L << 20, 3)).install(request).outcome().kind());

        fake.run(0, RESOLVED).run(new FakeEngine.Run(new Termination.OomKilled(), "", "", Map.of(), FakeEngine.seen()));
        assertEquals("too-large", install("npm:srv").outcome().kind());

        fake.run(0, RESOLVED).run(1, "{\"error\":{\"code\":\"ENOSPC\"}}\nprober-free 9999999 0\n");
        assertEquals("too-large", install("npm:srv").outcome().kind());
    }

    @Test
    void aFullDiskOfThisMachineIsAFault() {
        fake.run(0, RESOLVED).run(1, "{\"error\":{\"code\":\"ENOSPC\"}}\nprober-free 12 99999\n").run(0, "prober-free 11 0\n");
        assertInstanceOf(Fault.HostDiskFull.class, fault("npm:srv"));
        assertEquals(List.of(), List.copyOf(fake.runs));
        assertEquals(SandboxPolicy.NO_NETWORK, fake.created.get(2).policy().network(), "asked where nothing of the package runs");
    }

    @Test
    void aPackageThatSaysThatTheDiskIsFullIsNotBelieved() throws Exception {
        fake.run(0, RESOLVED).run(1, "prober-free 1 1\n{\"error\":{\"code\":\"EBADPLATFORM\"}}\nprober-free 9999999 99999\n").run(0, "prober-free 9999999 0\n");
        assertEquals("too-large", install("npm:srv").outcome().kind(), "of its own folder it may say what it likes");
    }

    @Test
    void aPackageThatEndsNpmAndAnswersInItsPlaceIsNotBelieved() throws Exception {
        fake.run(0, RESOLVED).run(new FakeEngine.Run(new Termination.Signalled(9), "{\"error\":{\"code\":\"E500\",\"summary\":\"registry down\"}}\n", "", Map.of(),
                FakeEngine.seen()));
        InstallRecord record = install("npm:srv");
        assertEquals("install-script-failed", record.outcome().kind());
        assertEquals("npm was ended by signal 9 while install scripts ran", record.outcome().detail());
    }

    @Test
    void whatAnInstallLeavesOnTheDiskIsWatched() throws Exception {
        for (Map.Entry<String, Runnable> limit : Map.<String, Runnable>of("wrote more than 2048 MiB", () -> fake.writes = 3L << 30,
                "made more than 450000 files", () -> fake.entries = 450_001,
                "made a path that is too long to count what is below it", () -> fake.writes = -1).entrySet()) {
            fake.writes = 0;
            fake.entries = 0;
            limit.getValue().run();
            fake.run(new FakeEngine.Run(null, "", "", Map.of(), FakeEngine.seen()));
            try (Sandbox sandbox = fake.create(new SandboxSpec("i", List.of("x"), Map.of(), "/", SandboxPolicy.install("inst"), Map.of()))) {
                InstallStep step = InstallStep.run(fake, sandbox, InstallLimits.standard(), Long.MAX_VALUE, Duration.ofMillis(1));
                assertEquals(Optional.of(new InstallOutcome.TooLarge(limit.getKey())), step.limitReached(InstallLimits.standard()));
            }
        }
    }

    @Test
    void aFloodOfOutputIsEnded() throws Exception {
        fake.run(0, RESOLVED).run(new FakeEngine.Run(new Termination.Exited(0), "x".repeat((64 << 20) + 1), "", tree(), FakeEngine.seen()));
        assertEquals("wrote more than 64 MiB of output", install("npm:srv").outcome().detail());
    }

    @Test
    void anArchiveThatDoesNotFitWhenUnpackedIsTooLarge() throws Exception {
        Path archive = Files.writeString(folder.resolve("srv.tgz"), "an archive");
        fake.run(0, "{\"node\":\"22.23.5\",\"code\":\"ENOSPC\",\"message\":\"ENOSPC: no space left on device, write\"}");
        assertEquals("too-large", installer(InstallLimits.standard()).install(new InstallRequest(new Target.OnDisk(archive), List.of(), Optional.empty())).outcome().kind());
    }

    @Test
    void aLostConnectionIsAFault() {
        fake.lost = true;
        fake.run(0, RESOLVED);
        assertInstanceOf(Fault.ChannelLost.class, fault("npm:srv"));
    }

    @Test
    void aLocalFolderIsInstalledByItsOwnKind() throws Exception {
        Path local = Files.createDirectories(folder.resolve("local"));
        Files.writeString(local.resolve("package.json"), "{\"name\":\"srv\"}");
        fake.run(0, RESOLVED).run(ends(0, OK, "", tree(), FakeEngine.seen()));
        InstallRecord record = installer(InstallLimits.standard()).install(new InstallRequest(new Target.OnDisk(local), List.of(), Optional.empty()));
        assertEquals("installed", record.outcome().kind());
        assertEquals("", record.artefact().purl());
        assertTrue(record.artefact().digest().startsWith("sha256:"));
        assertEquals(List.of("/srv/app/.prober-in", "/srv/app/.prober-in"), fake.written);
        assertTrue(fake.created.get(1).argv().contains("/srv/app/.prober-in/package"));
    }

    @Test
    void whatIsNoPackageIsNotFound() throws Exception {
        InstallRecord missing = installer(InstallLimits.standard()).install(new InstallRequest(new Target.OnDisk(folder.resolve("no")), List.of(), Optional.empty()));
        assertEquals("not-found", missing.outcome().kind());
        InstallRecord empty = installer(InstallLimits.standard()).install(new InstallRequest(new Target.OnDisk(folder), List.of(), Optional.empty()));
        assertEquals("not-found", empty.outcome().kind());
        assertTrue(empty.outcome().detail().contains("no package.json, pyproject.toml or setup.py"), empty.outcome().detail());
    }
}
