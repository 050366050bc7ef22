package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * SDK of a PyPI server. Starts at the module that is run, walks the distribution's own modules, and takes what they import:
 * {@code fastmcp}, else the official SDK, else a distribution that itself serves by one of these, else a native program, else
 * hand-rolled. Direct beats transitive: {@code fastmcp} always brings {@code mcp} along. Versions come from the distribution whose
 * RECORD owns the imported package.
 */
final class PyAttributor {
    private static final int MAX_DEPTH = 2;
    private static final Set<String> PROXIES = Set.of("mcp_proxy", "mcp_remote");
    private final InstalledTree tree;
    private final String site;
    private final PyDistributions distributions;

    PyAttributor(InstalledTree tree, String sitePackages) throws IOException {
        this.tree = tree;
        this.site = sitePackages;
        this.distributions = PyDistributions.read(tree, sitePackages);
    }

    /** @param distribution the target's name; {@code module} may be owned by another one */
    SdkAttribution attribute(String distribution, String module) throws IOException {
        String top = module.contains(".") ? module.substring(0, module.indexOf('.')) : module;
        Optional<PyDistributions.Distribution> target = distributions.named(distribution);
        Optional<PyDistributions.Distribution> owner = distributions.owner(top);
        if (owner.isPresent() && target.isPresent() && !owner.get().name().equals(target.get().name())) {
            Optional<SdkAttribution> foreign = started(owner.get(), module);
            if (foreign.isPresent()) {
                return foreign.get();
            }
        }
        PyWalk walk = PyWalk.from(tree, site, module, own(owner, top));
        Optional<SdkAttribution> found = byImports(walk, 0);
        return found.isPresent() ? served(found.get(), walk) : withoutImports(walk, owner, module);
    }

    /** A server may take an SDK's decorators and yet answer the protocol with a loop of its own; what the SDK does is then not seen. */
    private SdkAttribution served(SdkAttribution found, PyWalk walk) {
        if (walk.ownLoop().isEmpty() || found.family() == SdkFamily.PROXY) {
            return found;
        }
        return SdkAttribution.unknown(found.evidence() + ", and " + TreePaths.relative(walk.ownLoop(), site)
                + " answers initialize, tools/list and tools/call itself: which of the two serves does not show");
    }

    /** The native program or script that a wheel puts beside the interpreter. */
    SdkAttribution attributeProgram(String path) throws IOException {
        String file = tree.realPath(path);
        if (!NativePrint.isProgram(tree, file)) {
            return SdkAttribution.unknown(TreePaths.name(path) + " is neither a module nor a native program");
        }
        return NativePrint.decide(tree, file, TreePaths.name(file))
                .orElseGet(() -> SdkAttribution.unknown("native " + TreePaths.name(file) + " without a mark of a known SDK"));
    }

    /** The entry point lies in another distribution: that one is the server, and the target a shell around it. */
    private Optional<SdkAttribution> started(PyDistributions.Distribution owner, String module) throws IOException {
        Optional<SdkAttribution> inner = byImports(PyWalk.from(tree, site, module, owner.topLevel()), 1);
        return inner.map(found -> wrapper(owner, found, "starts " + module + " of " + owner.name()));
    }

    private static Set<String> own(Optional<PyDistributions.Distribution> owner, String top) {
        return owner.map(PyDistributions.Distribution::topLevel).filter(tops -> tops.contains(top)).orElse(Set.of(top));
    }

    private Optional<SdkAttribution> byImports(PyWalk walk, int depth) throws IOException {
        for (PyWalk.Outside outside : walk.imports()) {
            if (outside.top().equals("fastmcp") && tree.isFolder(site + "/fastmcp") && !clientOnly(outside)) {
                Optional<PyDistributions.Distribution> owner = distributions.owner("fastmcp");
                return Optional.of(new SdkAttribution(SdkFamily.FASTMCP_PY, ownedBy(owner, "fastmcp"), "high",
                        distributions.named("mcp").map(mcp -> family(mcp.version()).id() + "@" + mcp.version()).orElse(""),
                        shown(outside) + by(owner)));
            }
        }
        Optional<SdkAttribution> official = official(walk);
        if (official.isPresent()) {
            return official;
        }
        Optional<SdkAttribution> dependency = depth >= MAX_DEPTH ? Optional.empty() : byDependency(walk, depth);
        return dependency.isPresent() ? dependency : proxy(walk);
    }

    /** {@code from fastmcp import Client} alone takes no server. */
    private static boolean clientOnly(PyWalk.Outside outside) {
        return outside.module().startsWith("fastmcp.client") || outside.module().equals("fastmcp") && outside.names().equals(List.of("Client"));
    }

    private Optional<SdkAttribution> official(PyWalk walk) throws IOException {
        PyWalk.Outside high = null;
        PyWalk.Outside low = null;
        if (!tree.isFolder(site + "/mcp")) {
            return Optional.empty();
        }
        for (PyWalk.Outside outside : walk.imports()) {
            String module = outside.module();
            if (module.startsWith("mcp.server.fastmcp") || module.startsWith("mcp.server.mcpserver")
                    || module.equals("mcp.server") && (takes(outside, "FastMCP", "fastmcp") || takes(outside, "MCPServer", "mcpserver"))) {
                high = high == null ? outside : high;
            } else if (module.startsWith("mcp.server") || module.equals("mcp") && takes(outside, "Server", "stdio_server", "server")) {
                low = low == null || takes(outside, "Server") && !takes(low, "Server") ? outside : low;
            }
        }
        PyWalk.Outside deciding = high != null ? high : low;
        if (deciding == null) {
            return Optional.empty();
        }
        boolean lowServer = low != null && takes(low, "Server", "lowlevel");
        String style = high == null ? "low" : lowServer ? "mixed" : "high";
        Optional<PyDistributions.Distribution> owner = distributions.owner("mcp");
        String version = ownedBy(owner, "mcp");
        SdkFamily family = version.isEmpty() ? byFolder() : family(version);
        return Optional.of(new SdkAttribution(family, version, style, "", shown(deciding) + by(owner)));
    }

    private static boolean takes(PyWalk.Outside outside, String... names) {
        return List.of(names).stream().anyMatch(outside.names()::contains);
    }

    private static SdkFamily family(String version) {
        return version.matches("[01]([.!-].*)?") ? SdkFamily.OFFICIAL_PY : SdkFamily.OFFICIAL_PY_V2;
    }

    private SdkFamily byFolder() throws IOException {
        return tree.isFolder(site + "/mcp/server/mcpserver") ? SdkFamily.OFFICIAL_PY_V2 : SdkFamily.OFFICIAL_PY;
    }

    /** The version, where the owner is the SDK's own distribution; a vendored copy has none. */
    private static String ownedBy(Optional<PyDistributions.Distribution> owner, String sdk) {
        return owner.filter(d -> d.name().equals(sdk) || d.name().equals(sdk + "-slim")).map(PyDistributions.Distribution::version).orElse("");
    }

    private static String by(Optional<PyDistributions.Distribution> owner) {
        return owner.map(d -> " (" + d.name() + " " + d.version() + ")").orElse(" (a copy that no distribution owns)");
    }

    private String shown(PyWalk.Outside outside) {
        return TreePaths.relative(outside.file(), site) + " imports " + outside.module()
                + (outside.names().isEmpty() ? "" : " (" + String.join(", ", outside.names().subList(0, Math.min(4, outside.names().size()))) + ")");
    }

    private Optional<SdkAttribution> byDependency(PyWalk walk, int depth) throws IOException {
        Map<String, PyWalk.Outside> tops = new LinkedHashMap<>();
        walk.imports().forEach(outside -> tops.putIfAbsent(outside.top(), outside));
        for (PyWalk.Outside outside : tops.values()) {
            Optional<PyDistributions.Distribution> owner = distributions.owner(outside.top());
            if (owner.isEmpty() || !requiresSdk(owner.get(), MAX_DEPTH - depth)) {
                continue;
            }
            for (String module : modulesOf(walk, outside.top())) {
                Optional<SdkAttribution> inner = byImports(PyWalk.from(tree, site, module, owner.get().topLevel()), depth + 1);
                if (inner.isPresent() && inner.get().family() != SdkFamily.PROXY) {
                    return Optional.of(wrapper(owner.get(), inner.get(), shown(outside)));
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> modulesOf(PyWalk walk, String top) {
        List<String> modules = new ArrayList<>();
        for (PyWalk.Outside outside : walk.imports()) {
            if (outside.top().equals(top) && !modules.contains(outside.module())) {
                modules.add(outside.module());
            }
        }
        return modules;
    }

    private boolean requiresSdk(PyDistributions.Distribution distribution, int depth) {
        for (String name : distribution.requires()) {
            if (name.equals("mcp") || name.equals("fastmcp") || name.equals("fastmcp-slim")) {
                return !distribution.name().equals("mcp") && !distribution.name().startsWith("fastmcp");
            }
        }
        return depth > 1 && distribution.requires().stream().map(distributions::named)
                .anyMatch(inner -> inner.isPresent() && requiresSdk(inner.get(), depth - 1));
    }

    private static SdkAttribution wrapper(PyDistributions.Distribution by, SdkAttribution inner, String how) {
        String base = inner.family() == SdkFamily.WRAPPER ? inner.base() : inner.label();
        return new SdkAttribution(SdkFamily.WRAPPER, by.version(), inner.style(), base,
                "wrapper:" + by.name() + " on " + base + ": " + how + "; there " + inner.evidence());
    }

    private Optional<SdkAttribution> proxy(PyWalk walk) throws IOException {
        for (PyWalk.Outside outside : walk.imports()) {
            boolean client = outside.module().startsWith("mcp.client")
                    || outside.module().equals("mcp") && takes(outside, "ClientSession", "stdio_client", "StdioServerParameters")
                    || outside.top().equals("fastmcp") && clientOnly(outside);
            if ((client || PROXIES.contains(outside.top())) && distributions.owner(outside.top()).isPresent()) {
                return Optional.of(new SdkAttribution(SdkFamily.PROXY, client ? "" : distributions.owner(outside.top()).get().version(), "", "",
                        shown(outside) + (client ? " and no server of an SDK" : "")));
            }
        }
        return Optional.empty();
    }

    private SdkAttribution withoutImports(PyWalk walk, Optional<PyDistributions.Distribution> owner, String module) throws IOException {
        if (!walk.talksMcp()) {
            for (String top : own(owner, module.split("\\.")[0])) {
                for (String program : new NativePrograms(tree).in(site + "/" + top)) {
                    return NativePrint.decide(tree, program, TreePaths.name(program))
                            .orElseGet(() -> SdkAttribution.unknown("native " + TreePaths.name(program) + " without a mark of a known SDK"));
                }
            }
        }
        for (PyWalk.Outside outside : walk.imports()) {
            if ((outside.top().equals("mcp") || outside.top().equals("fastmcp"))) {
                return SdkAttribution.unknown(shown(outside) + (distributions.owner(outside.top()).isEmpty() ? ", which is not installed" : ", but takes no server from it"));
            }
        }
        if (!walk.complete()) {
            return SdkAttribution.unknown("not every module of " + module + " could be read, and what was read imports no SDK");
        }
        if (!walk.talksMcp() && walk.imports().stream().anyMatch(outside -> distributions.owner(outside.top()).isPresent())) {
            return SdkAttribution.unknown(module + " has no protocol code and leaves it to a package that is no known SDK");
        }
        if (!walk.talksMcp() && walk.imports().stream().anyMatch(outside -> outside.top().equals("subprocess") || takes(outside, "execv", "execvp"))) {
            return SdkAttribution.unknown(module + " starts another program");
        }
        return new SdkAttribution(SdkFamily.HAND_ROLLED, "", "", "", "read " + walk.files().size() + " of the package's own modules from " + module
                + ": no SDK imported");
    }
}
