package dev.mcpprober.attribution;

import java.util.List;
import java.util.Set;

/**
 * What a package does with an official TypeScript SDK. It serves when it takes a server class; a package that takes only the
 * client, or the stdio transport and the client, forwards to a server elsewhere.
 *
 * @param deciding the import that shows it; null when it does not serve
 */
record OfficialUse(NodeWalk.Bare deciding, String style) {
    boolean serves() {
        return deciding != null;
    }

    static OfficialUse of(String sdk, List<NodeWalk.Bare> uses, Set<String> identifiers) {
        return sdk.equals(NodeSdks.SDK_V2) ? v2(uses, identifiers) : v1(uses, identifiers);
    }

    static boolean isClient(String specifier) {
        String name = NodePackage.nameOf(specifier);
        return name.equals("@modelcontextprotocol/client")
                || (name.equals(NodeSdks.SDK_V1) || name.equals(NodeSdks.SDK_FORK)) && NodePackage.subpathOf(specifier).contains("/client/");
    }

    private static OfficialUse v1(List<NodeWalk.Bare> uses, Set<String> identifiers) {
        NodeWalk.Bare high = null;
        NodeWalk.Bare low = null;
        NodeWalk.Bare transport = null;
        boolean client = false;
        for (NodeWalk.Bare use : uses) {
            String subpath = NodePackage.subpathOf(use.specifier()).replaceFirst("\\.js$", "").replaceFirst("^\\./dist/(esm/|cjs/)?", "./");
            boolean main = subpath.equals(".");
            if (subpath.equals("./server/mcp") || main && taken(use, identifiers, "McpServer")) {
                high = high == null ? use : high;
            }
            if (subpath.equals("./server/index") || subpath.equals("./server") || main && taken(use, identifiers, "Server")) {
                low = low == null ? use : low;
            }
            if (subpath.startsWith("./server/")) {
                transport = transport == null ? use : transport;
            }
            client |= subpath.startsWith("./client");
        }
        if (high != null || low != null) {
            return new OfficialUse(high != null ? high : low, high == null ? "low" : low == null ? "high" : "mixed");
        }
        return new OfficialUse(client ? null : transport, "");
    }

    private static OfficialUse v2(List<NodeWalk.Bare> uses, Set<String> identifiers) {
        if (uses.isEmpty()) {
            return new OfficialUse(null, "");
        }
        NodeWalk.Bare deciding = uses.get(0);
        boolean high = uses.stream().anyMatch(use -> taken(use, identifiers, "McpServer"));
        boolean low = uses.stream().anyMatch(use -> taken(use, identifiers, "Server"));
        boolean serveStdio = identifiers.contains("serveStdio");
        boolean transport = identifiers.contains("StdioServerTransport");
        return new OfficialUse(deciding, (high && low ? "mixed" : high ? "high" : low ? "low" : "")
                + (serveStdio ? "+serveStdio" : transport ? "+transport" : ""));
    }

    /** By name in the import statement; where that names nothing (require, namespace), by the identifiers of the code. */
    private static boolean taken(NodeWalk.Bare use, Set<String> identifiers, String name) {
        return use.names().contains(name) || (use.names().isEmpty() || !use.names().stream().anyMatch(n -> Character.isUpperCase(n.charAt(0))))
                && identifiers.contains(name);
    }
}
