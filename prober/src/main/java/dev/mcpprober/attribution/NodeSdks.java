package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names of npm packages that decide an SDK family, in the order in which they decide. */
final class NodeSdks {
    static final String SDK_V1 = "@modelcontextprotocol/sdk";
    static final String SDK_V2 = "@modelcontextprotocol/server";
    /** A fork of SDK v1 under another name. */
    static final String SDK_FORK = "@mcp-use/modelcontextprotocol-sdk";
    static final List<String> OFFICIAL = List.of(SDK_V2, SDK_FORK, SDK_V1);

    /** Frameworks that serve stdio themselves: they decide before the SDK that they (or the server's types) come from. */
    private static final Map<String, SdkFamily> FRAMEWORKS = Map.ofEntries(
            Map.entry("fastmcp", SdkFamily.FASTMCP_TS), Map.entry("firecrawl-fastmcp", SdkFamily.FASTMCP_TS),
            Map.entry("mcp-framework", SdkFamily.MCP_FRAMEWORK), Map.entry("xmcp", SdkFamily.XMCP), Map.entry("tmcp", SdkFamily.TMCP),
            Map.entry("litemcp", SdkFamily.LITEMCP), Map.entry("@cyanheads/mcp-ts-core", SdkFamily.WRAPPER),
            Map.entry("@mastra/mcp", SdkFamily.WRAPPER), Map.entry("@rekog/mcp-nest", SdkFamily.WRAPPER),
            Map.entry("@nestjs-mcp/server", SdkFamily.WRAPPER), Map.entry("@outfitter/mcp", SdkFamily.WRAPPER),
            Map.entry("@chatmcp/sdk", SdkFamily.WRAPPER), Map.entry("muppet", SdkFamily.WRAPPER),
            Map.entry("@sylphx/mcp-server-sdk", SdkFamily.WRAPPER));

    /** They serve HTTP: beside an official SDK in a stdio server they are not what answers. */
    private static final Set<String> HTTP_FRAMEWORKS = Set.of("mcp-lite", "mcp-handler", "agents", "@smithery/sdk", "mcp-use");
    static final Set<String> PROXIES = Set.of("mcp-remote", "mcp-proxy", "supergateway");

    private NodeSdks() {}

    static Optional<SdkFamily> framework(String packageName) {
        SdkFamily family = FRAMEWORKS.get(packageName);
        return family == null && packageName.startsWith("@tmcp/") ? Optional.of(SdkFamily.TMCP) : Optional.ofNullable(family);
    }

    /** The package whose release counts where {@code framework} is but a part of it: an adapter or transport has a version of its own. */
    static String coreOf(String framework) {
        return framework.startsWith("@tmcp/") ? "tmcp" : framework;
    }

    static boolean httpFramework(String packageName) {
        return HTTP_FRAMEWORKS.contains(packageName);
    }

    /** True where a dependency on this package makes its owner a candidate for a wrapper. */
    static boolean anySdk(String packageName) {
        return framework(packageName).isPresent() || httpFramework(packageName) || OFFICIAL.contains(packageName);
    }
}
