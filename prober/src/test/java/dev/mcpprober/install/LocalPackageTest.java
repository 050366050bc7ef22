package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPackageTest {
    private static final InstallLimits SMALL = new InstallLimits(Duration.ofSeconds(1), 1, 1, 1, 1, 1, 1000, 5, 1);
    @TempDir Path folder;

    private Path write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private String digest(Path path) throws IOException, LocalPackage.Refused {
        try (LocalPackage local = LocalPackage.stage(path, SMALL)) {
            return local.digest();
        }
    }

    private String refused(Path path) {
        return assertThrows(LocalPackage.Refused.class, () -> LocalPackage.stage(path, SMALL)).outcome().kind();
    }

    @Test
    void aFolderIsCopiedWithoutWhatInstallsMakeAnewAndItsDigestIsItsContent() throws Exception {
        write("p/package.json", "{}");
        write("p/lib/a.js", "a");
        String before = digest(folder.resolve("p"));
        write("p/node_modules/x/index.js", "x");
        write("p/.git/HEAD", "x");
        write("p/.mcp-prober/prober/target/mcp-prober.jar", "x");
        Files.createSymbolicLink(folder.resolve("p/outside"), Path.of("/nowhere/at/all"));
        assertEquals(before, digest(folder.resolve("p")));
        try (LocalPackage local = LocalPackage.stage(folder.resolve("p"), SMALL)) {
            assertEquals(Registry.NPM, local.registry());
            assertEquals("/x/package", local.inside("/x"));
            assertTrue(Files.exists(local.staged().resolve("package/lib/a.js")));
            assertFalse(Files.exists(local.staged().resolve("package/node_modules")));
            assertFalse(Files.isSymbolicLink(local.staged().resolve("package/outside")));
        }
        write("p/lib/a.js", "b");
        assertNotEquals(before, digest(folder.resolve("p")));
    }

    @Test
    void aLinkedFolderIsItsTarget() throws Exception {
        write("p/package.json", "{}");
        Files.createSymbolicLink(folder.resolve("link"), Path.of("p"));
        assertEquals(digest(folder.resolve("p")), digest(folder.resolve("link")));
    }

    @Test
    void theCopyIsRemoved() throws Exception {
        write("p/setup.py", "");
        LocalPackage local = LocalPackage.stage(folder.resolve("p"), SMALL);
        assertEquals(Registry.PYPI, local.registry());
        local.close();
        assertFalse(Files.exists(local.staged()));
    }

    @Test
    void archivesByTheirNames() throws Exception {
        assertEquals(Registry.NPM, LocalPackage.stage(write("a.tgz", "x"), SMALL).registry());
        assertEquals(Registry.PYPI, LocalPackage.stage(write("a-1-py3-none-any.whl", "x"), SMALL).registry());
        assertEquals(Registry.PYPI, LocalPackage.stage(write("a-1.tar.gz", "x"), SMALL).registry());
        assertEquals("not-found", refused(write("a.rpm", "x")));
    }

    @Test
    void limitsAndAmbiguity() throws Exception {
        assertEquals("too-large", refused(write("b.tgz", "x".repeat(1001))));
        for (int i = 0; i < 6; i++) {
            write("many/f" + i, "x");
        }
        write("many/package.json", "{}");
        assertEquals("too-large", refused(folder.resolve("many")));
        write("both/package.json", "{}");
        write("both/pyproject.toml", "");
        assertEquals("not-found", refused(folder.resolve("both")));
    }
}
