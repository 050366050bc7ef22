package dev.mcpprober.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.SdkFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeAttributionTest {
    private static final String LAUNCHER = "#!/usr/bin/env node\nrequire('child_process').spawnSync(require.resolve('app-linux-x64/bin/app'), process.argv.slice(2))";
    @TempDir Path folder;
    private Tree tree;

    @BeforeEach
    void begin() {
        tree = new Tree(folder);
    }

    private static byte[] elf(int before, String mark) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {0x7f, 'E', 'L', 'F', (byte) 0xff, (byte) 0x80});
        out.write(new byte[before]);
        out.write(mark.getBytes(StandardCharsets.ISO_8859_1));
        out.write(new byte[200_000]);
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "dep!github.com/modelcontextprotocol/go-sdk!v1.8.0!h1:x | OFFICIAL_GO | 1.8.0",
        "dep!github.com/mark3labs/mcp-go!v0.44.0!h1:x | MCP_GO | 0.44.0",
        "/root/.cargo/registry/src/index-1/rmcp-1.1.1/src/service.rs | OFFICIAL_RUST | 1.1.1",
        "\"ModelContextProtocol.Core/1.0.0-preview.2\": { | OFFICIAL_CSHARP | 1.0.0-preview.2",
        "ModelContextProtocol.Core, Version=1.0.0.0, Culture | OFFICIAL_CSHARP | ''",
        "/registry/src/rust-mcp-sdk-0.7.0/src/lib.rs | UNKNOWN | ''",
        "nothing known | UNKNOWN | ''"})
    void platformPackageBehindALauncher(String mark, SdkFamily family, String version) throws IOException {
        tree.app(LAUNCHER, "\"optionalDependencies\":{\"app-linux-x64\":\"1\",\"app-darwin-arm64\":\"1\"}").module("app-linux-x64", "1.0.0")
                .file("/srv/app/node_modules/app-linux-x64/bin/app", elf(100, mark.replace('!', '\t')));
        SdkAttribution found = tree.node();
        assertEquals(family, found.family(), found.evidence());
        assertEquals(version, found.version(), found.evidence());
        assertTrue(found.evidence().startsWith("native app"), found.evidence());
    }

    @Test
    void aMarkAcrossTwoReadsIsFound() throws IOException {
        String mark = "dep\tgithub.com/mark3labs/mcp-go\tv0.33.0\th1";
        tree.npm(Tree.APP, "app", "1.0.0").file(Tree.APP + "/bin/app", elf((1 << 20) - 26, mark));
        assertEquals("0.33.0", tree.node(Tree.APP + "/bin/app").version());
    }

    @Test
    void twoSdksInOneProgramAreUndecided() throws IOException {
        tree.npm(Tree.APP, "app", "1.0.0").file(Tree.APP + "/bin/app",
                elf(0, "dep\tgithub.com/mark3labs/mcp-go\tv0.33.0\th1\ndep\tgithub.com/modelcontextprotocol/go-sdk\tv1.2.0\th1"));
        assertEquals(SdkFamily.UNKNOWN, tree.node(Tree.APP + "/bin/app").family());
    }

    @Test
    void protocolCodeInTheScriptOutweighsAProgramBesideIt() throws IOException {
        tree.app("handle('tools/list')").file(Tree.APP + "/bin/ripgrep", elf(0, "dep\tgithub.com/mark3labs/mcp-go\tv0.33.0\th1"));
        assertEquals(SdkFamily.HAND_ROLLED, tree.node().family());
    }

    @Test
    void aWheelsProgram() throws IOException {
        tree.file("/srv/app/venv/bin/app", elf(0, "dep\tgithub.com/mark3labs/mcp-go\tv0.33.0\th1"));
        assertEquals(SdkFamily.MCP_GO, Attributor.attribute(tree.tree(), new Attributor.Start.PythonProgram(Tree.SITE, "/srv/app/venv/bin/app")).family());
        tree.file("/srv/app/venv/bin/sh", "#!/bin/sh\n");
        assertEquals(SdkFamily.UNKNOWN, Attributor.attribute(tree.tree(), new Attributor.Start.PythonProgram(Tree.SITE, "/srv/app/venv/bin/sh")).family());
    }

    @Test
    void aProgramInsideAPythonPackage() throws IOException {
        tree.dist("app", "1.0.0", "", "app/__init__.py", "import subprocess\ndef main(): subprocess.call('x')\n")
                .file(Tree.SITE + "/app/bin/server", elf(0, "/x/rmcp-0.16.0/src/lib.rs"));
        SdkAttribution found = tree.python("app", "app");
        assertEquals(SdkFamily.OFFICIAL_RUST, found.family(), found.evidence());
        assertEquals("0.16.0", found.version());
    }
}
