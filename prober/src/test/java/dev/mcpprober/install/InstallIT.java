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
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.sandbox.docker.ImageStore;
import dev.mcpprober.sandbox.docker.RegistryGateway;
import dev.mcpprober.sandbox.docker.RegistryHosts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real installs on a real engine: our fixtures, a few packages of the registries, and packages made here that fail. */
class InstallIT {
    private static final Path FIXTURES = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath().getParent().resolve("corpus/fixtures");
    private static final String RUN = "it-" + UUID.randomUUID();
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"it\",\"version\":\"1\"}}}\n";
    private static DockerEngine engine;
    private static ImageStore images;
    private static RegistryGateway gateway;
    private static final Set<String> MADE = new HashSet<>();

    @TempDir static Path cache;
    @TempDir Path folder;

    @BeforeAll
    static void start() throws Exception {
        engine = DockerEngine.connect(RUN);
        images = ImageStore.open(System.err::println);
        gateway = RegistryGateway.start(images, RegistryHosts.resolve(images), RUN);
    }

    @AfterAll
    static void stop() throws Exception {
        for (String image : MADE) {
            engine.removeImage(image);
        }
        gateway.close();
        images.close();
        engine.close();
    }

    private static InstallRecord install(Target target, InstallLimits limits, LocalDate... asOf) throws Exception {
        InstallRecord record = new Installer(engine, images, gateway, limits, cache, "it", Redactor.NONE).install(
                new InstallRequest(target, List.of(), List.of(asOf).stream().findFirst()));
        record.program().ifPresent(program -> MADE.add(program.image()));
        return record;
    }

    private static InstallRecord install(String target, LocalDate... asOf) throws Exception {
        return install(PackageUrl.looksLikeOne(target) ? new Target.InRegistry(PackageUrl.parse(target)) : new Target.OnDisk(FIXTURES.resolve(target)),
                InstallLimits.standard(), asOf);
    }

    private InstallRecord made(InstallLimits limits, String... files) throws Exception {
        for (int i = 0; i < files.length; i += 2) {
            Files.createDirectories(folder.resolve(files[i]).getParent());
            Files.writeString(folder.resolve(files[i]), files[i + 1]);
        }
        return install(new Target.OnDisk(folder.resolve(files[0]).getParent()), limits);
    }

    /** Starts what was installed as a probe does, without a network, and returns its first line. */
    private static String firstLine(InstallRecord record) throws Exception {
        InstallRecord.Program program = record.program().orElseThrow();
        StringBuilder out = new StringBuilder();
        StringBuilder err = new StringBuilder();
        try (Sandbox sandbox = engine.create(new SandboxSpec(program.image(), program.entry().argv(), Map.of(), program.workdir(), SandboxPolicy.probe(), Map.of()));
                StdioChannel channel = sandbox.start()) {
            channel.send(INITIALIZE.getBytes(StandardCharsets.UTF_8));
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (out.indexOf("\n") < 0 && System.nanoTime() < end) {
                Optional<StdioChannel.Happening> happening = channel.poll(Duration.ofSeconds(1));
                if (happening.orElse(null) instanceof StdioChannel.Happening.Stdout stdout) {
                    out.append(new String(stdout.bytes(), StandardCharsets.UTF_8));
                } else if (happening.orElse(null) instanceof StdioChannel.Happening.Stderr stderr) {
                    err.append(new String(stderr.bytes(), StandardCharsets.UTF_8));
                } else if (happening.orElse(null) instanceof StdioChannel.Happening.StdoutEnd) {
                    break;
                }
            }
        }
        return out + (out.length() == 0 ? "nothing on stdout; stderr: " + err : "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "npm-two-bins  | node /srv/app/node_modules/@mcp-prober-fixtures/two-bins/server.js | HAND_ROLLED | bin two-bins: named like the package, of 2",
        "npm-bin-mcp   | node /srv/app/node_modules/@mcp-prober-fixtures/bin-mcp/server.js | HAND_ROLLED | bin notes-mcp-server: the one of 2 that looks like MCP",
        "ts-wellbehaved| node /srv/app/node_modules/@mcp-prober-fixtures/wellbehaved/server.js | OFFICIAL_TS | bin wellbehaved: the only program",
        "py-module-only| /srv/app/venv/bin/python -m mcp_prober_fixture_module_only | HAND_ROLLED | no console script; python -m mcp_prober_fixture_module_only: the only program",
        "py-wellbehaved| /srv/app/venv/bin/mcp-prober-fixture-wellbehaved | OFFICIAL_PY | script mcp-prober-fixture-wellbehaved: the only program"})
    void fixturesThatWork(String name, String argv, SdkFamily family, String reason) throws Exception {
        InstallRecord record = install(name);
        assertEquals("installed", record.outcome().kind(), record.logTail());
        assertEquals(argv, String.join(" ", record.program().get().entry().argv()));
        assertEquals(reason, record.program().get().entry().reason());
        assertEquals(family, record.sdk().family(), record.sdk().evidence());
        assertEquals(List.of(), record.traffic().blockedHosts());
        assertTrue(firstLine(record).contains("\"protocolVersion\""), firstLine(record));
    }

    @Test
    void theSecondEraIsAttributedToTheSecondSdk() throws Exception {
        InstallRecord record = install("ts-modern");
        assertEquals(SdkFamily.OFFICIAL_TS_V2, record.sdk().family());
        assertEquals("high+serveStdio", record.sdk().style());
    }

    @Test
    void aScriptThatNeedsAHostNamesIt() throws Exception {
        InstallRecord record = install("npm-install-needs-network");
        InstallOutcome.BlockedEgress blocked = assertInstanceOf(InstallOutcome.BlockedEgress.class, record.outcome(), record.logTail());
        assertEquals(List.of("192.0.2.10", "downloads.example.invalid"), blocked.hosts());
        assertEquals("installed", record.scripts().withoutScripts());
        assertTrue(record.logTail().contains("cannot download"), record.logTail());
    }

    @ParameterizedTest
    @CsvSource({"git+ssh://git@git.example.invalid/a/b.git, git.example.invalid", "https://files.example.invalid/x.tgz, files.example.invalid"})
    void aDependencyFromElsewhereNamesItsHost(String from, String host) throws Exception {
        InstallRecord record = made(InstallLimits.standard(), "d/package.json",
                "{\"name\":\"d\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"dependencies\":{\"other\":\"" + from + "\"}}", "d/x.js", "");
        assertEquals(List.of(host), assertInstanceOf(InstallOutcome.BlockedEgress.class, record.outcome(), record.logTail()).hosts());
    }

    @Test
    void nothingToStart() throws Exception {
        assertEquals("no-entry-point", install("npm-no-bin").outcome().kind());
    }

    @Test
    void anNpmServerOfTheRegistryAndItsReuse() throws Exception {
        InstallRecord record = install("npm:@modelcontextprotocol/server-memory@2026.8.31");
        assertEquals("installed", record.outcome().kind(), record.logTail());
        assertTrue(record.artefact().digest().startsWith("sha512-"), record.artefact().toString());
        assertEquals(SdkFamily.OFFICIAL_TS, record.sdk().family());
        assertTrue(record.lock().text().contains("\"lockfileVersion\""));
        assertTrue(record.traffic().files().stream().anyMatch(f -> f.name().equals("@modelcontextprotocol/server-memory") && f.version().equals("2026.8.31")
                && f.integrity().equals(record.artefact().digest()) && f.bytes() > 0), record.traffic().files().toString());
        assertTrue(record.tree().contains("@modelcontextprotocol/server-memory@2026.8.31"));
        assertTrue(firstLine(record).contains("\"serverInfo\""), firstLine(record));

        InstallRecord again = install("npm:@modelcontextprotocol/server-memory@2026.8.31");
        assertTrue(again.program().get().reused());
        assertEquals(record.program().get().image(), again.program().get().image());
        assertEquals(record.treeDigest(), again.treeDigest());
    }

    @Test
    void aPypiServerAsOfADay() throws Exception {
        InstallRecord record = install("pypi:mcp-server-time", LocalDate.parse("2026-03-01"));
        assertEquals("installed", record.outcome().kind(), record.logTail());
        assertEquals("2026.1.26", record.artefact().version(), "the newest of that day");
        assertTrue(record.artefact().digest().startsWith("sha256:"), record.artefact().toString());
        assertEquals(SdkFamily.OFFICIAL_PY, record.sdk().family());
        assertTrue(record.traffic().files().stream().anyMatch(f -> f.file().startsWith("mcp_server_time-2026.1.26") && f.file().endsWith(".whl")
                && f.integrity().equals(record.artefact().digest())), record.traffic().files().toString());
        assertTrue(firstLine(record).contains("\"serverInfo\""), firstLine(record));
        sameTreeAgain(record);
    }

    @Test
    void anNpmServerAsOfADay() throws Exception {
        InstallRecord record = install("npm:@modelcontextprotocol/server-sequential-thinking", LocalDate.parse("2026-03-01"));
        assertEquals("installed", record.outcome().kind(), record.logTail());
        assertTrue(record.artefact().version().compareTo("2026.03") < 0, record.artefact().version());
        sameTreeAgain(record);
    }

    /** By the lockfile of an install as of a day long gone, today: every release is the same, those of dependencies too. */
    private static void sameTreeAgain(InstallRecord earlier) throws Exception {
        InstallRecord again = new Installer(engine, images, gateway, InstallLimits.standard(), cache, "it", Redactor.NONE).install(new InstallRequest(
                new Target.InRegistry(PackageUrl.parse(earlier.artefact().purl())), List.of(), Optional.empty(), Optional.of(earlier)));
        again.program().ifPresent(program -> MADE.add(program.image()));
        assertEquals("installed", again.outcome().kind(), again.logTail());
        assertEquals(earlier.tree(), again.tree());
        assertEquals(earlier.treeDigest(), again.treeDigest());
        assertEquals(earlier.artefact().digest(), again.artefact().digest());
        assertTrue(firstLine(again).contains("\"serverInfo\""), firstLine(again));
    }

    @ParameterizedTest
    @CsvSource({"npm:mcp-prober-no-such-package-1e7f, not-found", "npm:@modelcontextprotocol/server-memory@0.0.0-none, no-version-matches",
        "pypi:mcp-prober-no-such-package-1e7f, not-found", "pypi:mcp-server-time==0.0.0.0.1, no-version-matches"})
    void whatTheRegistriesDoNotHave(String target, String kind) throws Exception {
        InstallRecord record = install(target);
        assertEquals(kind, record.outcome().kind(), record.outcome().detail());
        assertFalse(record.outcome().detail().isEmpty());
    }

    @Test
    void aRegistryThatCannotBeReachedIsAFault() throws Exception {
        RegistryHosts nowhere = new RegistryHosts("http://127.0.0.1:9", false, "http://127.0.0.1:9/simple", List.of());
        try (RegistryGateway dead = RegistryGateway.start(images, nowhere, RUN + "-dead")) {
            Installer installer = new Installer(engine, images, dead, InstallLimits.standard(), folder, "it", Redactor.NONE);
            for (String target : List.of("npm:@modelcontextprotocol/server-memory", "pypi:mcp-server-time")) {
                EngineException e = assertThrows(EngineException.class, () -> installer.install(
                        new InstallRequest(new Target.InRegistry(PackageUrl.parse(target)), List.of(), Optional.empty())));
                assertInstanceOf(Fault.RegistryUnreachable.class, e.fault(), target);
            }
        }
    }

    @Test
    void pythonsByTheMetadata() throws Exception {
        String build = "[build-system]\nrequires = [\"hatchling>=1.24\"]\nbuild-backend = \"hatchling.build\"\n[project]\nname = \"srv\"\nversion = \"1\"\n";
        InstallRecord older = made(InstallLimits.standard(), "older/pyproject.toml", build + "requires-python = \">=3.9,<3.12\"\n[project.scripts]\nsrv = \"srv:main\"\n",
                "older/srv/__init__.py", "def main():\n    import platform\n    print(platform.python_version())\n");
        assertEquals("python:3.11", older.program().get().baseName(), older.outcome() + older.logTail());
        assertTrue(firstLine(older).startsWith("3.11."), firstLine(older));
        InstallRecord none = made(InstallLimits.standard(), "none/pyproject.toml", build + "requires-python = \">=3.99\"\n");
        assertEquals("unsupported-runtime", none.outcome().kind(), none.outcome().detail());
    }

    @Test
    void nodesByTheEngines() throws Exception {
        InstallRecord older = made(InstallLimits.standard(), "older/package.json", "{\"name\":\"older\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"engines\":{\"node\":\"<21\"}}",
                "older/x.js", "console.log(process.version)");
        assertEquals("node:20", older.program().get().baseName(), older.outcome() + older.logTail());
        assertTrue(firstLine(older).startsWith("v20."), firstLine(older));
        InstallRecord newer = made(InstallLimits.standard(), "newer/package.json", "{\"name\":\"newer\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"engines\":{\"node\":\">=24\"}}",
                "newer/x.js", "console.log(process.version)");
        assertEquals("node:24", newer.program().get().baseName(), newer.outcome() + newer.logTail());
        assertTrue(firstLine(newer).startsWith("v24."), firstLine(newer));
        InstallRecord none = made(InstallLimits.standard(), "none/package.json", "{\"name\":\"none\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"engines\":{\"node\":\">=99\"}}");
        assertEquals("unsupported-runtime", none.outcome().kind(), none.outcome().detail());
    }

    @Test
    void aBuildWithoutACompilerFails() throws Exception {
        InstallRecord record = made(InstallLimits.standard(), "c/setup.py", "from setuptools import setup, Extension\n"
                + "setup(name='c', version='1', ext_modules=[Extension('c', ['c.c'])])\n", "c/c.c", "#include <Python.h>\n");
        assertEquals("build-failed", record.outcome().kind(), record.outcome().detail());
    }

    @Test
    void onlyTheInstallFolderIsKept() throws Exception {
        InstallRecord record = made(InstallLimits.standard(), "w/package.json", "{\"name\":\"w\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"scripts\":{\"postinstall\":"
                + "\"for d in $(find / -xdev -type d -writable 2>/dev/null) /tmp $HOME /var/tmp /run/lock /dev/shm; do echo mark >$d/left-behind; done; true\"}}",
                "w/x.js", "const fs = require('fs'), seen = [];\nconst walk = d => { for (const e of fs.readdirSync(d, { withFileTypes: true })) {\n"
                        + "  const p = d + '/' + e.name;\n  if (e.name === 'left-behind') seen.push(p);\n"
                        + "  if (e.isDirectory() && !/^\\/\\/?(proc|sys)$/.test(p)) try { walk(p) } catch {} } };\n"
                        + "walk('/'); console.log(seen.filter(p => !p.startsWith('//srv/app/')).join() + ' ' + seen.length);\n");
        assertEquals("installed", record.outcome().kind(), record.logTail());
        String line = firstLine(record);
        assertTrue(line.matches(" [1-9]\\d*\\n"), "kept outside the install folder: " + line);
    }

    @Test
    void aScriptThatFailsByItself() throws Exception {
        InstallRecord record = made(InstallLimits.standard(), "s/package.json",
                "{\"name\":\"s\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"scripts\":{\"postinstall\":\"echo no way >&2; exit 3\"}}", "s/x.js", "");
        assertEquals("install-script-failed", record.outcome().kind(), record.logTail());
        assertEquals("an install script of s ended with 3", record.outcome().detail());
    }

    @Test
    void timeAndSpaceAreLimited() throws Exception {
        InstallRecord slow = made(InstallLimits.standard().withTime(Duration.ofSeconds(20)), "slow/package.json",
                "{\"name\":\"slow\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"scripts\":{\"postinstall\":\"sleep 1000\"}}");
        assertEquals("timeout", slow.outcome().kind(), slow.logTail());
        InstallRecord big = made(InstallLimits.standard().withTree(100 << 20, 10_000), "big/package.json",
                "{\"name\":\"big\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"scripts\":{\"postinstall\":\"for i in 1 2 3 4 5 6 7 8; do head -c 50000000 /dev/urandom >f$i; sleep 1; done\"}}");
        assertEquals("too-large", big.outcome().kind(), big.logTail());
        InstallRecord many = made(InstallLimits.standard().withTree(100 << 20, 200), "many/package.json",
                "{\"name\":\"many\",\"version\":\"1.0.0\",\"bin\":\"x.js\",\"scripts\":{\"postinstall\":\"for i in $(seq 300); do : >f$i; done\"}}");
        assertEquals("too-large", many.outcome().kind(), many.logTail());
    }

    @Test
    void anInstallThatTakesTooMuchMemory() throws Exception {
        InstallRecord record = made(InstallLimits.standard(), "m/package.json", "{\"name\":\"m\",\"version\":\"1.0.0\",\"bin\":\"x.js\","
                + "\"scripts\":{\"postinstall\":\"node -e \\\"const a=[];for(;;)a.push(Buffer.alloc(50000000,1))\\\"\"}}", "m/x.js", "");
        // The kernel kills the script or npm itself, whichever holds most: both are told, neither is our fault.
        assertTrue(List.of("too-large", "install-script-failed").contains(record.outcome().kind()), record.outcome() + record.logTail());
    }

    @Test
    void aWheelOfThisMachine() throws Exception {
        Path wheel = folder.resolve("srv-1.0-py3-none-any.whl");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
            for (String[] file : new String[][] {{"srv/__init__.py", "def main():\n    print('hello')\n"},
                {"srv-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: srv\nVersion: 1.0\n"},
                {"srv-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: it\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
                {"srv-1.0.dist-info/entry_points.txt", "[console_scripts]\nsrv = srv:main\n"},
                {"srv-1.0.dist-info/RECORD", "srv/__init__.py,,\nsrv-1.0.dist-info/METADATA,,\nsrv-1.0.dist-info/WHEEL,,\n"
                        + "srv-1.0.dist-info/entry_points.txt,,\nsrv-1.0.dist-info/RECORD,,\n"}}) {
                zip.putNextEntry(new ZipEntry(file[0]));
                zip.write(file[1].getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        InstallRecord record = install(new Target.OnDisk(wheel), InstallLimits.standard());
        assertEquals("installed", record.outcome().kind(), record.outcome() + record.logTail());
        assertEquals("hello\n", firstLine(record));
        assertEquals("1.0", record.artefact().version());
    }

    @Test
    void anNpmTarballOfThisMachine() throws Exception {
        Path source = Files.createDirectories(folder.resolve("package"));
        Files.writeString(source.resolve("package.json"), "{\"name\":\"@x/tar\",\"version\":\"2.0.0\",\"bin\":{\"tar\":\"x.js\"}}");
        Files.writeString(source.resolve("x.js"), "#!/usr/bin/env -S node --no-warnings\nconsole.log(process.execArgv.join())\n");
        Path tgz = folder.resolve("x-tar-2.0.0.tgz");
        assertEquals(0, new ProcessBuilder("tar", "-czf", tgz.toString(), "-C", folder.toString(), "package").inheritIO().start().waitFor());
        InstallRecord record = install(new Target.OnDisk(tgz), InstallLimits.standard());
        assertEquals("installed", record.outcome().kind(), record.outcome() + record.logTail());
        assertEquals("--no-warnings\n", firstLine(record));
        assertEquals("@x/tar", record.artefact().name());
    }

    @Test
    void aSourceArchiveOfThisMachine() throws Exception {
        Path source = Files.createDirectories(folder.resolve("srv-3.0/srv"));
        Files.writeString(source.resolve("__init__.py"), "");
        Files.writeString(source.resolve("__main__.py"), "print('main')\n");
        Files.writeString(folder.resolve("srv-3.0/pyproject.toml"), "[build-system]\nrequires = [\"hatchling>=1.24\"]\nbuild-backend = \"hatchling.build\"\n"
                + "[project]\nname = \"srv\"\nversion = \"3.0\"\n");
        Files.writeString(folder.resolve("srv-3.0/PKG-INFO"), "Metadata-Version: 2.1\nName: srv\nVersion: 3.0\n");
        Path sdist = folder.resolve("srv-3.0.tar.gz");
        assertEquals(0, new ProcessBuilder("tar", "-czf", sdist.toString(), "-C", folder.toString(), "srv-3.0").inheritIO().start().waitFor());
        InstallRecord record = install(new Target.OnDisk(sdist), InstallLimits.standard());
        assertEquals("installed", record.outcome().kind(), record.outcome() + record.logTail());
        assertEquals("main\n", firstLine(record));
    }
}
