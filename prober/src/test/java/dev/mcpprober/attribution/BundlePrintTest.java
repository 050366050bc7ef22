package dev.mcpprober.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundlePrintTest {
    private static final String CORE = "var __commonJS=1;\"StdioServerTransport already started\";\"Received a response for an unknown message ID\";";
    private static final String V2 = CORE + "\"server/discover\";\"io.modelcontextprotocol/clientCapabilities\";";
    private static final Map<String, String> SINCE = new LinkedHashMap<>();

    static {
        SINCE.put("1.3", "A request handler for");
        SINCE.put("1.6", "Maximum total timeout exceeded");
        SINCE.put("1.11", "2025-03-26");
        SINCE.put("1.13", "2025-06-18");
        SINCE.put("1.21", "Input validation error: Invalid arguments");
        SINCE.put("1.22", "does not support completions");
        SINCE.put("1.24.0", "Invalid tools/call request");
        SINCE.put("1.24.1", "2025-11-25");
        SINCE.put("1.30", "ReadBuffer exceeded maximum size");
        SINCE.put("1.32", "arguments contain more than the maximum");
    }

    @TempDir Path folder;

    /** The texts of an SDK v1 bundle of a release. */
    static String v1Until(String release) {
        StringBuilder source = new StringBuilder(CORE + "\"MCP error \";");
        for (Map.Entry<String, String> text : SINCE.entrySet()) {
            source.append('"').append(text.getValue()).append("\";");
            if (text.getKey().equals(release)) {
                return source.toString();
            }
        }
        throw new IllegalArgumentException(release);
    }

    private SdkAttribution bundle(String source) throws IOException {
        return new Tree(folder).app(source).node();
    }

    @ParameterizedTest
    @CsvSource({"1.3,>=1.3 <1.6", "1.6,>=1.6 <1.11", "1.11,>=1.11 <1.13", "1.13,>=1.13 <1.24.1", "1.21,>=1.21 <1.24.1", "1.22,>=1.22 <1.24.1",
        "1.24.0,>=1.24.0 <1.24.1", "1.24.1,>=1.24.1 <1.30", "1.30,>=1.30", "1.32,>=1.32"})
    void v1WithItsRange(String release, String range) throws IOException {
        SdkAttribution found = bundle(v1Until(release));
        assertEquals(SdkFamily.OFFICIAL_TS, found.family());
        assertEquals("", found.version(), "a range is no version");
        assertTrue(found.evidence().endsWith("v1, " + range), found.evidence());
    }

    @Test
    void aLowLevelBundleWithoutTheHighLevelTextsKeepsItsFloor() throws IOException {
        String source = v1Until("1.30").replace("Input validation error: Invalid arguments", "").replace("does not support completions", "");
        assertTrue(bundle(source).evidence().endsWith("v1, >=1.30"));
    }

    @Test
    void v2() throws IOException {
        assertEquals(SdkFamily.OFFICIAL_TS_V2, bundle(V2).family());
    }

    @Test
    void bothAreUndecidedUnlessAFrameworkSpeaks() throws IOException {
        assertEquals(SdkFamily.UNKNOWN, bundle(V2 + v1Until("1.30")).family());
        SdkAttribution fastmcp = bundle(V2 + v1Until("1.30") + "`parameter validation failed: `;\"Please check the parameter types\"");
        assertEquals(SdkFamily.FASTMCP_TS, fastmcp.family());
        assertEquals("official-ts@>=1.30", fastmcp.base());
    }

    @Test
    void tmcpAndXmcp() throws IOException {
        assertEquals(SdkFamily.TMCP, bundle("var __commonJS;\"Requests with per-request protocol metadata must include both\"").family());
        SdkAttribution xmcp = bundle(v1Until("1.24.1") + "\"This MCP server was bootstrapped with xmcp\"");
        assertEquals(SdkFamily.XMCP, xmcp.family());
        assertEquals("official-ts@>=1.24.1 <1.30", xmcp.base());
    }

    @Test
    void aBundledClientIsNoServer() throws IOException {
        assertEquals(SdkFamily.UNKNOWN, bundle("var __commonJS;\"StdioClientTransport already started\";\"MCP error \";"
                + "\"Received a response for an unknown message ID\";\"does not support tools (required for\"").family());
    }

    @Test
    void minifiedCodeWithoutAMarkIsUnknownNotHandRolled() throws IOException {
        assertEquals(SdkFamily.UNKNOWN, bundle("x('tools/list');" + "a=b;".repeat(8_000)).family());
    }
}
