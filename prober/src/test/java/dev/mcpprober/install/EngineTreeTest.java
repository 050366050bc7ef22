package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.attribution.InstalledTree;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.Termination;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineTreeTest {
    private final Map<String, String> files = new HashMap<>();

    private EngineTree tree(long maxBytes, int maxEntries) throws Exception {
        FakeEngine fake = new FakeEngine().run(new FakeEngine.Run(new Termination.Exited(0), "", "", files, FakeEngine.seen()));
        Sandbox sandbox = fake.create(new SandboxSpec("i", List.of("x"), Map.of(), "/", SandboxPolicy.probe(), Map.of()));
        return EngineTree.read(fake, sandbox, "/srv/app", path -> path.endsWith(".json"), maxBytes, maxEntries);
    }

    @Test
    void readsWhatWasKeptAndWhatWasNot() throws Exception {
        files.put("/srv/app/a/package.json", "{}");
        files.put("/srv/app/a/x.js", "code");
        EngineTree tree = tree(1000, 100);
        assertEquals("{}", tree.text("/srv/app/a/package.json", 10).get());
        assertEquals("code", tree.text("/srv/app/a/x.js", 10).get());
        assertTrue(tree.text("/srv/app/a/x.js", 3).isEmpty(), "larger than the limit");
        assertArrayEquals("co".getBytes(StandardCharsets.UTF_8), tree.head("/srv/app/a/x.js", 2));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        tree.stream("/srv/app/a/x.js", 3, (bytes, length) -> all.write(bytes, 0, length));
        assertEquals("cod", all.toString(StandardCharsets.UTF_8));
        assertEquals(List.of("package.json", "x.js"), tree.list("/srv/app/a").stream().map(InstalledTree.Child::name).toList());
        assertEquals(List.of(), tree.list("/srv/app/none"));
        assertTrue(tree.isFolder("/srv/app/a"));
        assertTrue(tree.stat("/etc/passwd").isEmpty());
        assertEquals(0, tree.head("/srv/app/none", 5).length);
    }

    @Test
    void linksAreFollowedInsideAndNowhereElse() throws IOException, Exception {
        files.put("/srv/app/.pnpm/x/index.js", "x");
        files.put("/srv/app/node_modules/x", "-> ../.pnpm/x");
        files.put("/srv/app/abs", "-> /srv/app/node_modules/x");
        files.put("/srv/app/out", "-> ../../etc/passwd");
        files.put("/srv/app/up", "-> ../../../../../../../../srv/app/.pnpm/x/index.js");
        files.put("/srv/app/loop", "-> loop");
        EngineTree tree = tree(1000, 100);
        assertEquals("/srv/app/.pnpm/x/index.js", tree.realPath("/srv/app/abs/index.js"));
        assertEquals("/srv/app/.pnpm/x/index.js", tree.realPath("/srv/app/up"));
        assertTrue(tree.isFile("/srv/app/node_modules/x/index.js"));
        assertFalse(tree.isFile("/srv/app/out"));
        assertFalse(tree.isFile("/srv/app/loop"));
        assertEquals(0, tree.head("/srv/app/out", 100).length);
    }

    @Test
    void endsWhenThereIsTooMuchToRemember() throws Exception {
        String deep = "/srv/app/" + "d".repeat(3_000);
        for (int i = 0; i < 6_000; i++) {
            files.put(deep + "/" + i, null);
        }
        assertTrue(tree(1 << 20, 100_000).oversized(), "6,000 folders of 3,000 characters each");
        files.clear();
        for (int i = 0; i < 6_000; i++) {
            files.put("/srv/app/f" + i, "-> " + "l".repeat(3_000));
        }
        assertTrue(tree(1 << 20, 100_000).oversized(), "6,000 links of 3,000 characters each");
    }

    @Test
    void endsWhenThereIsTooMuch() throws Exception {
        for (int i = 0; i < 10; i++) {
            files.put("/srv/app/f" + i, "0123456789");
        }
        assertTrue(tree(50, 100).oversized());
        assertTrue(tree(1000, 5).oversized());
        assertFalse(tree(1000, 100).oversized());
    }
}
