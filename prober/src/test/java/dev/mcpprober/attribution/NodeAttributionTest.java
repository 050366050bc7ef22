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

class NodeAttributionTest {
    private static final String SDK = "@modelcontextprotocol/sdk";
    private static final String SERVER = "@modelcontextprotocol/server";
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

    @Test
    void officialLowLevelThroughRelativeImports() throws IOException {
        tree.app("#!/usr/bin/env node\nimport './dist/server.js';").file(Tree.APP + "/dist/server.js",
                "import { Server } from \"@modelcontextprotocol/sdk/server/index.js\";\nimport { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';")
                .module(SDK, "1.29.0");
        SdkAttribution found = tree.node();
        is(found, SdkFamily.OFFICIAL_TS, "1.29.0");
        assertEquals("low", found.style());
        assertEquals("dist/server.js imports @modelcontextprotocol/sdk/server/index.js", found.evidence());
    }

    @Test
    void officialHighLevelByRequireWithoutSuffix() throws IOException {
        tree.app("const s = require('./lib/server');").file(Tree.APP + "/lib/server/index.js",
                "const mcp_js_1 = require(\"@modelcontextprotocol/sdk/server/mcp.js\");").module(SDK, "1.12.0");
        SdkAttribution found = tree.node();
        is(found, SdkFamily.OFFICIAL_TS, "1.12.0");
        assertEquals("high", found.style());
    }

    @Test
    void aLinkedBinIsFollowedAndTheNestedCopyWins() throws IOException {
        tree.app("import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';").module(SDK, "1.0.0")
                .npm(Tree.APP + "/node_modules/" + SDK, SDK, "1.32.2").link("/srv/app/node_modules/.bin/app", "../app/index.js");
        is(tree.node("/srv/app/node_modules/.bin/app"), SdkFamily.OFFICIAL_TS, "1.32.2");
    }

    @Test
    void pnpmRealPathsAreHonoured() throws IOException {
        String real = "/srv/app/node_modules/.pnpm/app@1.0.0/node_modules";
        tree.npm(real + "/app", "app", "1.0.0").file(real + "/app/index.js", "import '@modelcontextprotocol/sdk/server/mcp.js'")
                .npm(real + "/" + SDK, SDK, "1.21.0").link("/srv/app/node_modules/app", ".pnpm/app@1.0.0/node_modules/app");
        is(tree.node("/srv/app/node_modules/app/index.js"), SdkFamily.OFFICIAL_TS, "1.21.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "import { McpServer } from '@modelcontextprotocol/server'; import { serveStdio } from '@modelcontextprotocol/server/stdio'; | high+serveStdio",
        "import { Server, StdioServerTransport } from '@modelcontextprotocol/server'; | low+transport",
        "const s = require('@modelcontextprotocol/server'); new s.McpServer({}); new s.StdioServerTransport(); | high+transport"})
    void officialV2(String source, String style) throws IOException {
        tree.app(source).module(SERVER, "2.4.0");
        SdkAttribution found = tree.node();
        is(found, SdkFamily.OFFICIAL_TS_V2, "2.4.0");
        assertEquals(style, found.style());
    }

    @Test
    void aForkAndAnAliasAreNamed() throws IOException {
        tree.app("import { McpServer } from '@mcp-use/modelcontextprotocol-sdk/server/mcp.js'").module("@mcp-use/modelcontextprotocol-sdk", "1.24.3");
        SdkAttribution fork = tree.node();
        is(fork, SdkFamily.OFFICIAL_TS, "1.24.3");
        assertTrue(fork.evidence().contains("a fork of"), fork.evidence());
        tree.app("import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'")
                .npm("/srv/app/node_modules/" + SDK, SERVER, "2.1.0");
        SdkAttribution alias = tree.node();
        is(alias, SdkFamily.OFFICIAL_TS_V2, "2.1.0");
        assertTrue(alias.evidence().contains("alias of " + SERVER), alias.evidence());
    }

    @ParameterizedTest
    @CsvSource({"fastmcp,FASTMCP_TS", "firecrawl-fastmcp,FASTMCP_TS", "mcp-framework,MCP_FRAMEWORK", "tmcp,TMCP",
        "litemcp,LITEMCP", "@cyanheads/mcp-ts-core,WRAPPER", "muppet,WRAPPER"})
    void frameworksComeBeforeTheSdkTheyStandOn(String name, SdkFamily family) throws IOException {
        tree.app("import x from '" + name + "'; import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'; import '@modelcontextprotocol/sdk/server/index.js'")
                .module(name, "4.0.1", "\"dependencies\":{\"@modelcontextprotocol/sdk\":\"^1\",\"mcp-proxy\":\"^1\"}")
                .module(SDK, "1.0.0").npm("/srv/app/node_modules/" + name + "/node_modules/" + SDK, SDK, "1.31.0").module(SERVER, "2.4.0");
        SdkAttribution found = tree.node();
        is(found, family, "4.0.1");
        assertEquals("official-ts@1.31.0", found.base(), "the copy that the framework gets");
        assertEquals(family == SdkFamily.WRAPPER, found.evidence().startsWith("wrapper:" + name + " on official-ts@1.31.0"), found.evidence());
    }

    @Test
    void theReleaseOfTmcpIsThatOfItsCoreNotOfAnAdapter() throws IOException {
        tree.app("import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'; import { McpServer } from 'tmcp';").module("@tmcp/adapter-zod", "0.1.7");
        is(tree.node(), SdkFamily.TMCP, "");
        tree.module("tmcp", "1.20.0");
        is(tree.node(), SdkFamily.TMCP, "1.20.0");
        assertEquals("index.js imports @tmcp/adapter-zod, a part of tmcp", tree.node().evidence());
    }

    @Test
    void xmcpRunsTheCopyInsideItsRuntime() throws IOException {
        tree.app("import { thing } from 'xmcp'").module("xmcp", "1.1.3", "\"dependencies\":{\"@modelcontextprotocol/sdk\":\"^1\"}").module(SDK, "1.32.2")
                .file("/srv/app/node_modules/xmcp/dist/runtime/stdio.js", BundlePrintTest.v1Until("1.24.1"));
        SdkAttribution found = tree.node();
        is(found, SdkFamily.XMCP, "1.1.3");
        assertEquals("official-ts@>=1.24.1 <1.30", found.base());
    }

    @Test
    void anHttpFrameworkBesideAnOfficialServerDoesNotAnswerStdio() throws IOException {
        tree.app("import 'mcp-handler'; import '@modelcontextprotocol/sdk/server/mcp.js'").module("mcp-handler", "1.0.0").module(SDK, "1.30.0");
        is(tree.node(), SdkFamily.OFFICIAL_TS, "1.30.0");
        tree.app("import 'mcp-handler'");
        is(tree.node(), SdkFamily.WRAPPER, "1.0.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "import { startStdioServer } from 'mcp-proxy' | 5.0.0",
        "import { Client } from '@modelcontextprotocol/sdk/client/index.js' | ''",
        "import { Client } from '@modelcontextprotocol/sdk/client/index.js'; import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js' | ''"})
    void proxies(String source, String version) throws IOException {
        tree.app(source).module("mcp-proxy", "5.0.0").module(SDK, "1.30.0");
        is(tree.node(), SdkFamily.PROXY, version);
    }

    @Test
    void aBridgeOfItsOwnIsAProxyUnlessItHasProtocolCode() throws IOException {
        tree.app("process.stdin.on('data', async d => process.stdout.write(await (await fetch(url, { body: d })).text()))");
        is(tree.node(), SdkFamily.PROXY, "");
        tree.app("process.stdin.on('data', async d => { if (m === 'tools/list') await fetch(url) })");
        is(tree.node(), SdkFamily.HAND_ROLLED, "");
    }

    @Test
    void aServerClassBesideAClientIsAServer() throws IOException {
        tree.app("import '@modelcontextprotocol/sdk/client/index.js'; import { Server } from '@modelcontextprotocol/sdk/server/index.js'").module(SDK, "1.30.0");
        is(tree.node(), SdkFamily.OFFICIAL_TS, "1.30.0");
    }

    @Test
    void aDependencyThatServesIsAWrapperNamedWithItsBase() throws IOException {
        tree.app("import { run } from '@acme/mcp-core/run'").module("@acme/mcp-core", "3.2.1", "\"dependencies\":{\"@modelcontextprotocol/sdk\":\"1.x\"}",
                "\"exports\":{\".\":\"./main.js\",\"./*\":{\"import\":\"./dist/*.mjs\"}}")
                .file("/srv/app/node_modules/@acme/mcp-core/dist/run.mjs", "export * from './deep.mjs'")
                .file("/srv/app/node_modules/@acme/mcp-core/dist/deep.mjs", "import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js'").module(SDK, "1.28.0");
        SdkAttribution found = tree.node();
        is(found, SdkFamily.WRAPPER, "3.2.1");
        assertEquals("official-ts@1.28.0", found.base());
        assertTrue(found.evidence().startsWith("wrapper:@acme/mcp-core on official-ts@1.28.0"), found.evidence());
    }

    @Test
    void aDependencyThatOnlyUsesTheClientDecidesNothing() throws IOException {
        tree.app("import { agent } from 'agents-kit'; handle('tools/list')").module("agents-kit", "1.0.0", "\"dependencies\":{\"@modelcontextprotocol/sdk\":\"1.x\"}",
                "\"main\":\"main.js\"").file("/srv/app/node_modules/agents-kit/main.js", "require('@modelcontextprotocol/sdk/client/index.js')").module(SDK, "1.28.0");
        is(tree.node(), SdkFamily.HAND_ROLLED, "");
    }

    @Test
    void devDependenciesAndUnimportedPackagesDecideNothing() throws IOException {
        tree.app("process.stdin.on('data', d => reply('tools/list'))", "\"devDependencies\":{\"@modelcontextprotocol/sdk\":\"1\"}",
                "\"dependencies\":{\"fastmcp\":\"1\"}").module(SDK, "1.28.0").module("fastmcp", "1.0.0");
        is(tree.node(), SdkFamily.HAND_ROLLED, "");
    }

    @Test
    void anImportInsideAStringTemplateOrCommentIsNone() throws IOException {
        tree.app("// import 'fastmcp'\n/* require('fastmcp') */ const t = `import { FastMCP } from 'fastmcp'; ${1 + `}`} require('fastmcp')`;\n"
                + "const u = \"require('fastmcp')\"; const r = /[\"'`]require('fastmcp')/; handle('tools/list')").module("fastmcp", "1.0.0");
        is(tree.node(), SdkFamily.HAND_ROLLED, "");
    }

    @Test
    void aLaunchersScriptIsRead() throws IOException {
        tree.app("const { spawn } = require('child_process'); const path = require('path');\nspawn(process.execPath, [path.join(__dirname, 'dist/main.js')]);")
                .file(Tree.APP + "/dist/main.js", "require('@modelcontextprotocol/sdk/server/index.js')").module(SDK, "1.20.0");
        is(tree.node(), SdkFamily.OFFICIAL_TS, "1.20.0");
    }

    @Test
    void privateImportsAndTheOwnNameAreFollowed() throws IOException {
        tree.app("import '#internal/server'", "\"imports\":{\"#internal/*\":{\"node\":\"./src/*.js\"}}", "\"exports\":{\"./core\":\"./src/core.js\"}")
                .file(Tree.APP + "/src/server.js", "import 'app/core'").file(Tree.APP + "/src/core.js", "import '@modelcontextprotocol/sdk/server/mcp.js'")
                .module(SDK, "1.20.0");
        is(tree.node(), SdkFamily.OFFICIAL_TS, "1.20.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "require('./missing.js'); 'tools/list' | not every source",
        "require('child_process').spawn('docker', ['run', 'x']) | starts another program",
        "import { go } from 'acme-runtime'; go() | leaves it to a package",
        "import '@modelcontextprotocol/sdk/server/mcp.js' | which is not installed",
        "var __commonJS = x; h('tools/list') | bundled or minified"})
    void whatDoesNotDecideIsUnknown(String source, String why) throws IOException {
        tree.app(source).module("acme-runtime", "1.0.0");
        SdkAttribution found = tree.node();
        is(found, SdkFamily.UNKNOWN, "");
        assertTrue(found.evidence().contains(why), found.evidence());
    }

    @Test
    void aNameAloneDecidesNothing() throws IOException {
        tree.npm(Tree.APP, "fastmcp", "9.9.9").file(Tree.APP + "/index.js", "handle('tools/list')");
        is(tree.node(), SdkFamily.HAND_ROLLED, "");
    }

    @Test
    void aMissingStartFileIsUnknown() throws IOException {
        is(tree.app("").node(Tree.APP + "/nothing.js"), SdkFamily.UNKNOWN, "");
    }
}
