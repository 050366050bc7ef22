package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine.ImageConfig;
import dev.mcpprober.sandbox.ImageEngine.TreeEntry;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Taken;
import dev.mcpprober.sandbox.Termination;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files in and out of containers, and images made of them. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImagesIT {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static DockerEngine engine;

    @TempDir
    Path folder;

    @BeforeAll
    static void connect() throws EngineException {
        engine = Engines.connect();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** Writable like an install, but without a network. */
    private static SandboxSpec writable(Map<String, String> env, String... argv) throws EngineException {
        SandboxPolicy install = SandboxPolicy.install("x");
        SandboxPolicy policy = new SandboxPolicy(SandboxPolicy.NO_NETWORK, install.memoryBytes(), install.cpus(), install.pids(), false,
                install.user(), install.tmpfs(), "");
        return new SandboxSpec(Engines.image(), List.of(argv), env, "/", policy, Map.of("dev.mcpprober.test", "yes"));
    }

    private static String run(Sandbox sandbox) throws Exception {
        StdioChannel stdio = sandbox.start();
        stdio.closeStdin();
        Taken taken = new Taken(stdio);
        assertTrue(taken.toEnd(LONG));
        assertEquals(Optional.of(new Termination.Exited(0)), sandbox.awaitExit(LONG), taken.err());
        return taken.out();
    }

    /** Wheels and native modules are linked against these without bringing them; the official slim images have them. */
    @Test
    void nativeCodeOfPackagesFindsTheLibrariesOfASlimImage() throws Exception {
        try (Sandbox sandbox = engine.create(writable(Map.of(), "python3", "-c", """
                import ctypes, socket, zoneinfo
                for name in ('libstdc++.so.6', 'libgcc_s.so.1', 'libz.so.1', 'libssl.so.3'):
                    ctypes.CDLL(name)
                zoneinfo.ZoneInfo('Europe/Berlin')
                print(socket.getservbyname('https'))"""))) {
            assertEquals("443", run(sandbox).strip());
        }
    }

    @Test
    void aCommittedImageHasWhatItsConfigSaysAndNothingOfTheInstall() throws Exception {
        String image;
        Map<String, String> env = Map.of("INSTALL_ONLY", "x", "BOTH", "install", "LANG", "C.UTF-8");
        try (Sandbox sandbox = engine.create(writable(env, "python3", "-c", """
                import os
                os.mkdir('/tmp/gone')
                open('/srv/app/kept', 'w').write('kept')"""))) {
            run(sandbox);
            assertEquals(4, engine.writtenBytes(sandbox));
            image = engine.commit(sandbox, new ImageConfig(List.of("/bin/cat", "/srv/app/kept"), Map.of("BOTH", "image"), "10001:10001",
                    "/srv", Map.of("dev.mcpprober.purl", "pkg:npm/x@1")));
        }
        try {
            assertTrue(image.matches("sha256:[0-9a-f]{64}"), image);
            Map<String, String> labels = engine.findImage(image).orElseThrow().labels();
            assertEquals("pkg:npm/x@1", labels.get("dev.mcpprober.purl"));
            assertEquals("", labels.get(RunOwner.RUN_LABEL));
            assertEquals("", labels.get("dev.mcpprober.test"));
            SandboxSpec spec = new SandboxSpec(image, List.of("python3", "-c",
                    "import os; print(sorted(os.environ), os.environ['BOTH'], os.listdir('/tmp'), open('/srv/app/kept').read())"),
                    Map.of(), "/", SandboxPolicy.probe(), Map.of());
            try (Sandbox sandbox = engine.create(spec)) {
                String out = run(sandbox);
                assertTrue(out.endsWith("image [] kept\n"), out);
                assertFalse(out.contains("INSTALL_ONLY") || out.contains("LANG"), out);
            }
        } finally {
            engine.removeImage(image);
        }
        assertEquals(Optional.empty(), engine.findImage(image));
        engine.removeImage(image);
    }

    @Test
    void aFolderOfThisHostArrivesWithLinksUnfollowedAndOwnedByTheUser() throws Exception {
        String longName = "n".repeat(120) + "-é";
        Path source = Files.createDirectories(folder.resolve("my package"));
        Files.writeString(source.resolve("package.json"), "{}");
        Files.createDirectories(source.resolve("deep").resolve("er"));
        Files.writeString(source.resolve("deep/er/" + longName), "long");
        Files.writeString(source.resolve("run.sh"), "#!/bin/sh\necho ran\n");
        assertTrue(source.resolve("run.sh").toFile().setExecutable(true));
        Files.writeString(folder.resolve("outside"), "not to be copied");
        Files.createSymbolicLink(source.resolve("secret"), Path.of("../outside"));
        try (Sandbox sandbox = engine.create(writable(Map.of("LANG", "C.UTF-8"), "python3", "-c", """
                import os, subprocess
                for root, folders, files in os.walk('/srv/app/src'):
                    folders.sort()
                    for name in sorted(files):
                        path = os.path.join(root, name)
                        stat = os.lstat(path)
                        print(path.replace('n' * 120, 'N'), stat.st_uid, stat.st_gid, os.readlink(path) if os.path.islink(path) else stat.st_size)
                print(os.lstat('/srv/app/src').st_uid, subprocess.run(['/srv/app/src/run.sh'], capture_output=True).stdout)
                print(open('/srv/app/note').read())"""))) {
            engine.copyIn(sandbox, source, "/srv/app/src");
            engine.writeFile(sandbox, "/srv/app/note", "noted".getBytes(StandardCharsets.UTF_8));
            assertEquals("""
                    /srv/app/src/package.json 10001 10001 2
                    /srv/app/src/run.sh 10001 10001 19
                    /srv/app/src/secret 10001 10001 ../outside
                    /srv/app/src/deep/er/N-é 10001 10001 4
                    10001 b'ran\\n'
                    noted
                    """, run(sandbox));
        }
        EngineException e = assertThrows(EngineException.class, () -> {
            try (Sandbox sandbox = engine.create(writable(Map.of(), "true"))) {
                engine.copyIn(sandbox, folder.resolve("nothing"), "/srv/app/src");
            }
        });
        assertTrue(e.fault().detail().contains("nothing"), e.fault().detail());
    }

    @Test
    void filesAreReadFromOutside() throws Exception {
        try (Sandbox sandbox = engine.create(writable(Map.of(), "python3", "-c", """
                import os
                os.chdir('/srv/app')
                os.makedirs('tree/sub')
                open('tree/a', 'w').write('A' * 1000)
                os.link('tree/a', 'tree/z-hard')
                open('tree/sub/b', 'w').write('')
                os.symlink('../a', 'tree/sub/link')
                os.symlink('/srv/app/tree/sub/link', 'tree/far')
                os.symlink('loop', 'tree/loop')
                os.symlink('/nowhere', 'tree/dead')
                os.mkfifo('tree/pipe')"""))) {
            run(sandbox);
            assertEquals("A".repeat(1000), new String(engine.readFile(sandbox, "/srv/app/tree/a", 5000).orElseThrow().bytes(), StandardCharsets.UTF_8));
            var head = engine.readFile(sandbox, "/srv/app/tree/far", 10).orElseThrow();
            assertArrayEquals("AAAAAAAAAA".getBytes(StandardCharsets.UTF_8), head.bytes());
            assertEquals(1000, head.size());
            assertTrue(head.truncated());
            assertEquals(0, engine.readFile(sandbox, "/srv/app/tree/sub/b", 10).orElseThrow().size());
            for (String none : List.of("loop", "dead", "sub", "pipe", "missing", "a/below", "no/where")) {
                assertTrue(engine.readFile(sandbox, "/srv/app/tree/" + none, 10).isEmpty(), none);
            }
            Map<String, String> seen = new TreeMap<>();
            assertTrue(engine.walk(sandbox, "/srv/app/tree", (entry, content) -> {
                seen.put(entry.path(), entry.kind() + " " + entry.size() + " " + entry.link()
                        + (entry.kind() == TreeEntry.Kind.FILE ? " " + content.head(3).length : ""));
                return true;
            }));
            assertEquals("{=FOLDER 0 , a=FILE 1000  3, dead=LINK 0 /nowhere, far=LINK 0 /srv/app/tree/sub/link, loop=LINK 0 loop, pipe=OTHER 0 , "
                    + "sub=FOLDER 0 , sub/b=FILE 0  0, sub/link=LINK 0 ../a, z-hard=OTHER 0 }", seen.toString());
            assertFalse(engine.walk(sandbox, "/srv/app/missing", (entry, content) -> true));
        }
    }

    @Test
    void theRootCanBeWalkedInAnImageThatNeverRan() throws Exception {
        try (Sandbox sandbox = engine.open(Engines.image())) {
            assertTrue(engine.readFile(sandbox, "/etc/passwd", 1 << 20).isPresent());
            assertTrue(engine.readFile(sandbox, "/etc/os-release", 1 << 20).isPresent());
            boolean[] etc = new boolean[1];
            assertTrue(engine.walk(sandbox, "/", (entry, content) -> {
                etc[0] |= entry.path().equals("etc") && entry.kind() == TreeEntry.Kind.FOLDER;
                return !etc[0];
            }));
            assertTrue(etc[0]);
        }
    }

    @Test
    void aSparseGiantIsLeftAtOnce() throws Exception {
        try (Sandbox sandbox = engine.create(writable(Map.of(), "python3", "-c", """
                import os
                os.mkdir('/srv/app/tree')
                os.truncate(os.open('/srv/app/tree/giant', os.O_CREAT | os.O_WRONLY), 1 << 42)"""))) {
            run(sandbox);
            assertTrue(engine.writtenBytes(sandbox) >= 1L << 42, "sparse files count in full");
            long[] size = new long[1];
            assertTrue(engine.walk(sandbox, "/srv/app/tree", (entry, content) -> {
                size[0] = entry.size();
                return entry.size() < 1L << 30;
            }));
            assertEquals(1L << 42, size[0]);
            assertEquals(4, engine.readFile(sandbox, "/srv/app/tree/giant", 4).orElseThrow().bytes().length);
        }
    }

    @Test
    void aContainerThatIsGoneIsNotAMissingFile() throws Exception {
        Sandbox sandbox = engine.create(writable(Map.of(), "true"));
        Reaper.removeContainer(engine.client(), sandbox.id());
        assertThrows(EngineException.class, () -> engine.readFile(sandbox, "/etc/passwd", 10));
        sandbox.close();
    }
}
