package dev.mcpprober.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PyAttributionTest {
    @TempDir Path folder;
    private Tree tree;

    @BeforeEach
    void begin() {
        tree = new Tree(folder);
    }

    private static void is(SdkAttribution found, SdkFamily family, String version) {
        assertEquals(family, found.family(), found.evidence());
        assertEquals(version, found.version(), found.evidence());
    }

    private Tree mcp(String version) throws IOException {
        return tree.dist("mcp", version, "anyio", "mcp/__init__.py", "", "mcp/server/__init__.py", "");
    }

    private Tree server(String source) throws IOException {
        return tree.dist("my-server", "1.0.0", "mcp", "my_server/__init__.py", "from . import core\n", "my_server/core.py", source);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "from mcp.server.fastmcp import FastMCP | 1.29.0 | OFFICIAL_PY | high",
        "from mcp.server import FastMCP | 1.29.0 | OFFICIAL_PY | high",
        "from mcp.server.lowlevel import Server | 1.30.0 | OFFICIAL_PY | low",
        "from mcp.server import Server | 1.0.0 | OFFICIAL_PY | low",
        "import mcp.server.stdio | 1.2.1 | OFFICIAL_PY | low",
        "from mcp.server import MCPServer | 2.3.0 | OFFICIAL_PY_V2 | high",
        "from mcp.server.mcpserver import MCPServer, Context | 2.0.0 | OFFICIAL_PY_V2 | high",
        "from mcp.server.lowlevel.server import Server | 2.3.0 | OFFICIAL_PY_V2 | low"})
    void official(String source, String version, SdkFamily family, String style) throws IOException {
        mcp(version);
        server("import sys\n" + source + "\n");
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, family, version);
        assertEquals(style, found.style());
        assertTrue(found.evidence().startsWith("my_server/core.py imports mcp"), found.evidence());
    }

    @Test
    void fastmcpThatIsImportedBeatsTheMcpItBrings() throws IOException {
        mcp("1.26.0").dist("fastmcp", "3.2.4", "mcp<2", "fastmcp/__init__.py", "");
        server("from mcp.types import TextContent\nfrom fastmcp import FastMCP\n");
        SdkAttribution found = tree.python("my_server", "my_server");
        is(found, SdkFamily.FASTMCP_PY, "3.2.4");
        assertEquals("official-py@1.26.0", found.base());
    }

    @Test
    void fastmcpThatIsOnlyInstalledDecidesNothing() throws IOException {
        mcp("1.26.0").dist("fastmcp", "3.2.4", "mcp<2", "fastmcp/__init__.py", "");
        server("from mcp.server.fastmcp import FastMCP\n");
        is(tree.python("my-server", "my_server"), SdkFamily.OFFICIAL_PY, "1.26.0");
    }

    @Test
    void aFallbackImportGoesByWhatIsInstalled() throws IOException {
        mcp("1.26.0");
        server("try:\n    from fastmcp import FastMCP\nexcept ImportError:\n    from mcp.server.fastmcp import FastMCP\n");
        is(tree.python("my-server", "my_server"), SdkFamily.OFFICIAL_PY, "1.26.0");
    }

    @Test
    void theSlimDistributionOwnsFastmcp() throws IOException {
        tree.dist("fastmcp", "4.0.10", "fastmcp-slim==4.0.10").dist("fastmcp-slim", "4.0.10", "", "fastmcp/__init__.py", "");
        server("import fastmcp\n");
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, SdkFamily.FASTMCP_PY, "4.0.10");
        assertTrue(found.evidence().contains("fastmcp-slim 4.0.10"), found.evidence());
    }

    @Test
    void aVendoredCopyHasNoVersion() throws IOException {
        tree.dist("vendor-pack", "9.0.0", "", "mcp/__init__.py", "", "mcp/server/mcpserver/__init__.py", "");
        server("from mcp.server.mcpserver import MCPServer\n");
        is(tree.python("my-server", "my_server"), SdkFamily.OFFICIAL_PY_V2, "");
    }

    @Test
    void aDependencyThatServesIsAWrapper() throws IOException {
        mcp("1.26.0").dist("acme-core", "2.0.0", "mcp>=1", "acme_core/__init__.py", "", "acme_core/run.py", "from mcp.server.fastmcp import FastMCP\n");
        tree.dist("my-server", "1.0.0", "acme-core", "my_server/__init__.py", "from acme_core.run import run\n");
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, SdkFamily.WRAPPER, "2.0.0");
        assertEquals("official-py@1.26.0", found.base());
        assertTrue(found.evidence().startsWith("wrapper:acme-core on official-py@1.26.0"), found.evidence());
    }

    @Test
    void anEntryPointInAnotherDistribution() throws IOException {
        mcp("1.26.0").dist("acme-core", "2.0.0", "mcp>=1", "acme_core/__init__.py", "from mcp.server import Server\n")
                .dist("my-server", "1.0.0", "acme-core");
        is(tree.python("my-server", "acme_core"), SdkFamily.WRAPPER, "2.0.0");
    }

    @Test
    void aClientAloneIsAProxy() throws IOException {
        mcp("1.26.0");
        server("from mcp import ClientSession\nfrom mcp.client.sse import sse_client\n");
        is(tree.python("my-server", "my_server"), SdkFamily.PROXY, "");
    }

    @Test
    void ownProtocolCodeIsHandRolled() throws IOException {
        mcp("1.26.0");
        server("import json, sys\n'''\nfrom mcp.server import Server\n'''\nif m == 'tools/list': pass\n");
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, SdkFamily.HAND_ROLLED, "");
        assertTrue(found.evidence().startsWith("read 2 of the package's own modules"), found.evidence());
    }

    @Test
    void aModuleOnlyPackage() throws IOException {
        tree.dist("solo", "1.0.0", "", "solo/__init__.py", "", "solo/__main__.py", "import json\nx = 'tools/call'\n");
        is(tree.python("solo", "solo.__main__"), SdkFamily.HAND_ROLLED, "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "from mcp.server import Server | which is not installed",
        "import acme_rt; acme_rt.run() | leaves it to a package",
        "import subprocess; subprocess.call(['docker']) | starts another program"})
    void whatDoesNotDecideIsUnknown(String source, String why) throws IOException {
        tree.dist("acme-rt", "1.0.0", "", "acme_rt/__init__.py", "");
        server(source + "\n");
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, SdkFamily.UNKNOWN, "");
        assertTrue(found.evidence().contains(why), found.evidence());
    }

    @Test
    void compiledModulesCannotBeRead() throws IOException {
        tree.dist("my-server", "1.0.0", "", "my_server/__init__.py", "from .core import main\nx = 'tools/list'\n")
                .file(Tree.SITE + "/my_server/core.cpython-313-x86_64-linux-gnu.so", "x");
        is(tree.python("my-server", "my_server"), SdkFamily.UNKNOWN, "");
    }

    @Test
    void typesAloneTakeNoServer() throws IOException {
        mcp("1.26.0");
        server("from mcp import types\n");
        is(tree.python("my-server", "my_server"), SdkFamily.UNKNOWN, "");
    }

    /** As in a server of the registry: the SDK's decorators on its tools, and a loop of its own that serves them. */
    @Test
    void anSdkBesideALoopOfItsOwnIsUnknown() throws IOException {
        mcp("1.30.0");
        String loop = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\ndef handle(method):\n    if method == \"initialize\":\n"
                + "        return {'protocolVersion': '2025-11-25'}\n    if method == 'tools/list':\n        return []\n    if method == 'tools/call':\n        return 1\n"
                + "def main():\n    print({'jsonrpc': '2.0'})\n";
        server(loop);
        SdkAttribution found = tree.python("my-server", "my_server");
        is(found, SdkFamily.UNKNOWN, "");
        assertTrue(found.evidence().startsWith("my_server/core.py imports mcp.server.fastmcp (FastMCP) (mcp 1.30.0), and my_server/core.py answers"), found.evidence());
    }

    @Test
    void textsOfTheProtocolAloneMakeNoLoop() throws IOException {
        mcp("1.30.0");
        server("from mcp.server.fastmcp import FastMCP\nHELP = 'asks for \"tools/list\" and \"tools/call\" after \"initialize\"'\n");
        is(tree.python("my-server", "my_server"), SdkFamily.OFFICIAL_PY, "1.30.0");
    }
}
