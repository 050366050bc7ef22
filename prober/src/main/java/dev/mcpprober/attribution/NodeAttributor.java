package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * SDK of an npm server. Starts at the file that is run, walks the package's own imports, and takes what they name: a framework,
 * else an official SDK, else a proxy, else a package that itself stands on one of these, else what is bundled, else what is
 * linked into the native program, else hand-rolled. Each version is read from the copy that the importing file gets.
 */
final class NodeAttributor {
    private static final int MAX_DEPTH = 2;
    private final InstalledTree tree;

    NodeAttributor(InstalledTree tree) {
        this.tree = tree;
    }

    SdkAttribution attribute(String startFile) throws IOException {
        String file = tree.realPath(startFile);
        if (!tree.isFile(file)) {
            return SdkAttribution.unknown("the start file is not in the tree");
        }
        Optional<NodePackage> owner = NodePackage.owning(tree, file);
        if (NativePrint.isProgram(tree, file)) {
            return NativePrint.decide(tree, file, TreePaths.name(file))
                    .orElseGet(() -> SdkAttribution.unknown("native " + TreePaths.name(file) + " without a mark of a known SDK"));
        }
        if (owner.isEmpty()) {
            return SdkAttribution.unknown("the start file belongs to no package");
        }
        NodeWalk walk = NodeWalk.from(tree, owner.get(), List.of(file));
        Optional<SdkAttribution> found = byImports(owner.get(), walk, 0);
        if (found.isEmpty() && !walk.talksMcp() && !walk.scripts().isEmpty()) {
            // A launcher that starts another script of the package, or a computed import.
            walk = NodeWalk.from(tree, owner.get(), concat(file, walk.scripts()));
            found = byImports(owner.get(), walk, 0);
        }
        if (found.isPresent()) {
            return found.get();
        }
        return withoutImports(owner.get(), walk);
    }

    private static List<String> concat(String file, Set<String> scripts) {
        Set<String> all = new LinkedHashSet<>(List.of(file));
        all.addAll(scripts);
        return List.copyOf(all);
    }

    private Optional<SdkAttribution> byImports(NodePackage owner, NodeWalk walk, int depth) throws IOException {
        Map<String, NodeWalk.Bare> packages = new LinkedHashMap<>();
        for (NodeWalk.Bare bare : walk.bare()) {
            packages.putIfAbsent(NodePackage.nameOf(bare.specifier()), bare);
        }
        for (Map.Entry<String, NodeWalk.Bare> entry : packages.entrySet()) {
            Optional<SdkFamily> family = NodeSdks.framework(entry.getKey());
            Optional<NodePackage> installed = family.isEmpty() ? Optional.empty() : resolve(entry.getValue());
            if (installed.isPresent()) {
                return Optional.of(framework(family.get(), entry.getKey(), installed.get(), owner, entry.getValue()));
            }
        }
        Optional<SdkAttribution> official = official(owner, walk);
        if (official.isPresent()) {
            return official;
        }
        for (Map.Entry<String, NodeWalk.Bare> entry : packages.entrySet()) {
            Optional<NodePackage> installed = NodeSdks.httpFramework(entry.getKey()) ? resolve(entry.getValue()) : Optional.empty();
            if (installed.isPresent()) {
                return Optional.of(framework(SdkFamily.WRAPPER, entry.getKey(), installed.get(), owner, entry.getValue()));
            }
        }
        Optional<SdkAttribution> proxy = proxy(owner, walk, packages);
        if (proxy.isPresent()) {
            return proxy;
        }
        return depth >= MAX_DEPTH ? Optional.empty() : byDependency(owner, packages, depth);
    }

    private Optional<NodePackage> resolve(NodeWalk.Bare bare) throws IOException {
        return NodePackage.named(tree, TreePaths.parent(bare.file()), bare.specifier());
    }

    private SdkAttribution framework(SdkFamily family, String name, NodePackage installed, NodePackage owner, NodeWalk.Bare bare) throws IOException {
        String base = family == SdkFamily.XMCP ? vendoredBase(installed) : baseOf(installed);
        String core = NodeSdks.coreOf(name);
        boolean part = !core.equals(name);
        String version = part ? NodePackage.named(tree, installed.folder(), core).map(NodePackage::version).orElse("") : installed.version();
        String evidence = (family == SdkFamily.WRAPPER ? "wrapper:" + name + (base.isEmpty() ? "" : " on " + base) + ": " : "")
                + shown(owner, bare) + " imports " + bare.specifier() + (part ? ", a part of " + core : alias(name, installed))
                + (family == SdkFamily.WRAPPER || base.isEmpty() ? "" : " on " + base);
        return new SdkAttribution(family, version, "", base, evidence);
    }

    private static String alias(String name, NodePackage installed) {
        return installed.name().isEmpty() || installed.name().equals(name) ? "" : " (installed as an alias of " + installed.name() + ")";
    }

    private static String shown(NodePackage owner, NodeWalk.Bare bare) {
        return TreePaths.relative(bare.file(), owner.folder());
    }

    /** The official SDK that a framework declares and gets, seen from its own folder. */
    private String baseOf(NodePackage framework) throws IOException {
        Set<String> declared = framework.declared();
        for (String name : List.of(NodeSdks.SDK_V1, NodeSdks.SDK_FORK, NodeSdks.SDK_V2)) {
            if (declared.contains(name)) {
                Optional<NodePackage> base = NodePackage.named(tree, framework.folder(), name);
                if (base.isPresent()) {
                    return officialFamily(name, base.get()).id() + (base.get().version().isEmpty() ? "" : "@" + base.get().version());
                }
            }
        }
        return "";
    }

    /** xmcp runs a copy inside its own runtime file, not the one beside it. */
    private String vendoredBase(NodePackage xmcp) throws IOException {
        Optional<String> runtime = tree.text(xmcp.folder() + "/dist/runtime/stdio.js", 12 << 20);
        if (runtime.isEmpty()) {
            return "";
        }
        Set<BundlePrint.Mark> marks = BundlePrint.marksIn(runtime.get());
        marks.remove(BundlePrint.Mark.XMCP);
        return BundlePrint.decide(marks, "").filter(found -> found.family() != SdkFamily.UNKNOWN)
                .map(found -> found.family() == SdkFamily.OFFICIAL_TS ? found.family().id() + "@" + BundlePrint.range(marks) : found.family().id()).orElse("");
    }

    private static SdkFamily officialFamily(String name, NodePackage installed) {
        String real = installed.name().isEmpty() ? name : installed.name();
        return real.equals(NodeSdks.SDK_V2) ? SdkFamily.OFFICIAL_TS_V2 : SdkFamily.OFFICIAL_TS;
    }

    private Optional<SdkAttribution> official(NodePackage owner, NodeWalk walk) throws IOException {
        for (String name : NodeSdks.OFFICIAL) {
            List<NodeWalk.Bare> uses = walk.bare().stream().filter(b -> NodePackage.nameOf(b.specifier()).equals(name)).toList();
            OfficialUse use = OfficialUse.of(name, uses, walk.identifiers());
            if (!use.serves()) {
                continue;
            }
            NodeWalk.Bare bare = use.deciding();
            Optional<NodePackage> installed = resolve(bare);
            if (installed.isEmpty()) {
                continue;
            }
            SdkFamily family = officialFamily(name, installed.get());
            String fork = name.equals(NodeSdks.SDK_FORK) ? " (a fork of " + NodeSdks.SDK_V1 + ")" : alias(name, installed.get());
            return Optional.of(new SdkAttribution(family, installed.get().version(), use.style(), "",
                    shown(owner, bare) + " imports " + bare.specifier() + fork));
        }
        return Optional.empty();
    }

    private Optional<SdkAttribution> proxy(NodePackage owner, NodeWalk walk, Map<String, NodeWalk.Bare> packages) throws IOException {
        for (Map.Entry<String, NodeWalk.Bare> entry : packages.entrySet()) {
            Optional<NodePackage> installed = NodeSdks.PROXIES.contains(entry.getKey()) ? resolve(entry.getValue()) : Optional.empty();
            if (installed.isPresent()) {
                return Optional.of(new SdkAttribution(SdkFamily.PROXY, installed.get().version(), "", "",
                        shown(owner, entry.getValue()) + " imports " + entry.getKey()));
            }
        }
        for (NodeWalk.Bare bare : walk.bare()) {
            if (OfficialUse.isClient(bare.specifier())) {
                Optional<NodePackage> installed = resolve(bare);
                if (installed.isPresent()) {
                    return Optional.of(new SdkAttribution(SdkFamily.PROXY, "", "", officialFamily(NodePackage.nameOf(bare.specifier()), installed.get()).id()
                            + "@" + installed.get().version(), shown(owner, bare) + " imports " + bare.specifier() + " and no server of an SDK"));
                }
            }
        }
        return Optional.empty();
    }

    /** A package that the server imports and that itself serves by an SDK. */
    private Optional<SdkAttribution> byDependency(NodePackage owner, Map<String, NodeWalk.Bare> packages, int depth) throws IOException {
        for (Map.Entry<String, NodeWalk.Bare> entry : packages.entrySet()) {
            Optional<NodePackage> installed = NodeSdks.OFFICIAL.contains(entry.getKey()) ? Optional.empty() : resolve(entry.getValue());
            if (installed.isEmpty() || !declaresSdk(installed.get(), MAX_DEPTH - depth)) {
                continue;
            }
            List<String> start = installed.get().filesOf(tree, NodePackage.subpathOf(entry.getValue().specifier()));
            Optional<SdkAttribution> inner = start.isEmpty() ? Optional.empty()
                    : byImports(installed.get(), NodeWalk.from(tree, installed.get(), start), depth + 1);
            if (inner.isPresent() && inner.get().family() != SdkFamily.PROXY && inner.get().family() != SdkFamily.UNKNOWN) {
                String base = inner.get().family() == SdkFamily.WRAPPER ? inner.get().base() : inner.get().label();
                return Optional.of(new SdkAttribution(SdkFamily.WRAPPER, installed.get().version(), inner.get().style(), base,
                        "wrapper:" + entry.getKey() + " on " + base + ": " + shown(owner, entry.getValue()) + " imports " + entry.getKey()
                                + "; there " + inner.get().evidence()));
            }
        }
        return Optional.empty();
    }

    private boolean declaresSdk(NodePackage candidate, int depth) throws IOException {
        for (String name : candidate.declared()) {
            if (NodeSdks.anySdk(name)) {
                return true;
            }
        }
        if (depth > 1) {
            for (String name : candidate.declared()) {
                Optional<NodePackage> inner = NodePackage.named(tree, candidate.folder(), name);
                if (inner.isPresent() && declaresSdk(inner.get(), depth - 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    private SdkAttribution withoutImports(NodePackage owner, NodeWalk walk) throws IOException {
        String where = TreePaths.relative(walk.files().isEmpty() ? owner.folder() : walk.files().get(0), owner.folder());
        Optional<SdkAttribution> bundled = BundlePrint.decide(walk.prints(), where);
        if (bundled.isPresent()) {
            return bundled.get();
        }
        boolean launcher = walk.imports("child_process") && !walk.talksMcp();
        List<String> programs = new NativePrograms(tree).of(owner);
        if (!walk.talksMcp()) {
            for (String program : programs) {
                Optional<SdkAttribution> found = NativePrint.decide(tree, program, TreePaths.name(program));
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (!programs.isEmpty()) {
                return SdkAttribution.unknown("native " + TreePaths.name(programs.get(0)) + " without a mark of a known SDK");
            }
        }
        for (NodeWalk.Bare bare : walk.bare()) {
            String name = NodePackage.nameOf(bare.specifier());
            if (NodeSdks.anySdk(name) && resolve(bare).isEmpty()) {
                return SdkAttribution.unknown(shown(owner, bare) + " imports " + name + ", which is not installed");
            }
        }
        if (!walk.complete()) {
            return SdkAttribution.unknown("not every source of " + where + " could be read, and what was read names no SDK");
        }
        if (walk.bundled()) {
            return SdkAttribution.unknown("bundled or minified: " + where + " names no SDK and holds no known text of one");
        }
        if (launcher) {
            return SdkAttribution.unknown(where + " starts another program");
        }
        boolean sends = walk.identifiers().contains("fetch") || walk.imports("http") || walk.imports("https");
        if (!walk.talksMcp() && sends && walk.identifiers().contains("stdin")) {
            return new SdkAttribution(SdkFamily.PROXY, "", "", "", where + " passes its input on to a host and has no protocol code of its own");
        }
        if (!walk.talksMcp() && thirdParty(walk)) {
            return SdkAttribution.unknown(where + " has no protocol code and leaves it to a package that is no known SDK");
        }
        return new SdkAttribution(SdkFamily.HAND_ROLLED, "", "", "", "read " + walk.files().size() + " of the package's own sources from " + where
                + ": no SDK imported, none bundled");
    }

    private boolean thirdParty(NodeWalk walk) throws IOException {
        for (NodeWalk.Bare bare : walk.bare()) {
            if (resolve(bare).isPresent()) {
                return true;
            }
        }
        return false;
    }
}
