package dev.mcpprober.attribution;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files of one npm package that its start file reaches by import, and what they name of other packages.
 *
 * @param files       read, start file first
 * @param bare        imports of other packages, in the order found
 * @param identifiers in code position, of all files
 * @param scripts     files of the package that are not imported but named as a script (started as a child, a worker, a computed import)
 * @param complete    every file was found and read whole
 * @param bundled     some file is generated or minified, so that readable names prove nothing
 * @param prints      marks of vendored SDKs
 * @param talksMcp    a method of the protocol stands in the sources
 */
record NodeWalk(List<String> files, List<Bare> bare, Set<String> identifiers, Set<String> scripts, boolean complete, boolean bundled,
                Set<BundlePrint.Mark> prints, boolean talksMcp) {
    private static final int MAX_FILES = 3_000;
    private static final int MAX_FILE = 12 << 20;
    private static final long MAX_TOTAL = 96L << 20;
    private static final Pattern SCRIPT = Pattern.compile("(?i).*\\.([cm]?js|[cm]?ts)|.*/[^./]+");
    private static final Pattern BUNDLER = Pattern.compile("__webpack_require__|__commonJS\\b|__toESM\\b|__nccwpck_require__|__copyProps\\b|// node_modules/|__rspack");

    /** An import of another package or of Node itself. */
    record Bare(String file, String specifier, List<String> names) {}

    static NodeWalk from(InstalledTree tree, NodePackage owner, List<String> start) throws IOException {
        return new Walker(tree, owner).walk(start);
    }

    boolean imports(String name) {
        return bare.stream().anyMatch(b -> b.specifier().equals(name) || b.specifier().equals("node:" + name));
    }

    private static final class Walker {
        private final InstalledTree tree;
        private final NodePackage owner;
        private final Deque<String> open = new ArrayDeque<>();
        private final Set<String> seen = new LinkedHashSet<>();
        private final List<String> files = new ArrayList<>();
        private final List<Bare> bare = new ArrayList<>();
        private final Set<String> identifiers = new LinkedHashSet<>();
        private final Set<String> scripts = new LinkedHashSet<>();
        private final Set<BundlePrint.Mark> prints = new LinkedHashSet<>();
        private boolean complete = true;
        private boolean bundled;
        private boolean talksMcp;
        private long total;

        Walker(InstalledTree tree, NodePackage owner) {
            this.tree = tree;
            this.owner = owner;
        }

        NodeWalk walk(List<String> start) throws IOException {
            start.forEach(this::visit);
            while (!open.isEmpty()) {
                String file = open.poll();
                if (!SCRIPT.matcher(file).matches()) {
                    continue; // JSON, WebAssembly and the like hold no imports
                }
                Optional<String> text = files.size() >= MAX_FILES || total > MAX_TOTAL ? Optional.empty() : tree.text(file, MAX_FILE);
                if (text.isEmpty()) {
                    complete = false;
                    continue;
                }
                files.add(file);
                total += text.get().length();
                read(file, text.get());
            }
            scripts.removeAll(seen);
            return new NodeWalk(files, bare, identifiers, scripts, complete, bundled, prints, talksMcp);
        }

        private void visit(String file) {
            if (seen.add(file)) {
                open.add(file);
            }
        }

        private void read(String file, String source) throws IOException {
            prints.addAll(BundlePrint.marksIn(source));
            talksMcp |= source.contains("tools/list") || source.contains("tools/call");
            bundled |= looksGenerated(source);
            JsImports.Scan scan = JsImports.scan(source);
            identifiers.addAll(scan.identifiers());
            for (JsImports.Import found : scan.imports()) {
                follow(file, found);
            }
            for (String literal : scan.literals()) {
                for (String base : List.of(TreePaths.parent(file), TreePaths.parent(TreePaths.parent(file)), owner.folder())) {
                    String path = TreePaths.resolve(base, literal);
                    if (TreePaths.inside(path, owner.folder()) && tree.isFile(path)) {
                        scripts.add(tree.realPath(path));
                    }
                }
            }
        }

        private void follow(String file, JsImports.Import found) throws IOException {
            String specifier = found.specifier();
            if (specifier.startsWith(".") || specifier.startsWith("/")) {
                Optional<String> target = NodePackage.file(tree, TreePaths.resolve(TreePaths.parent(file), specifier));
                if (target.isPresent() && TreePaths.inside(target.get(), owner.folder())) {
                    visit(target.get());
                } else if (!specifier.startsWith("/")) {
                    complete = false;
                }
            } else if (specifier.startsWith("#")) {
                owner.filesOfPrivate(tree, specifier).forEach(this::visit);
            } else if (!owner.name().isEmpty() && NodePackage.nameOf(specifier).equals(owner.name())) {
                owner.filesOf(tree, NodePackage.subpathOf(specifier)).forEach(this::visit);
            } else {
                bare.add(new Bare(file, specifier, found.names()));
            }
        }

        /** Bundlers leave helpers behind, minifiers very long lines. */
        private static boolean looksGenerated(String source) {
            if (BUNDLER.matcher(source).find()) {
                return true;
            }
            long lines = source.chars().filter(c -> c == '\n').count() + 1;
            return source.length() > 20_000 && source.length() / lines > 300;
        }
    }
}
