package dev.mcpprober.attribution;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The modules of a server's own distribution that its start module reaches, and what they import of others.
 *
 * @param files    read, start module first
 * @param imports  of modules outside the distribution
 * @param complete every module was found and read whole, and is Python source
 * @param talksMcp a method of the protocol stands in the sources
 * @param ownLoop  the first file that answers the protocol itself: it has every word that a server without an SDK needs; else empty
 */
record PyWalk(List<String> files, List<Outside> imports, boolean complete, boolean talksMcp, String ownLoop) {
    private static final int MAX_FILES = 3_000;
    private static final int MAX_FILE = 8 << 20;
    private static final List<String> LOOP_WORDS = List.of("jsonrpc", "initialize", "protocolVersion", "tools/list", "tools/call");

    /** An import of another distribution or of the standard library. {@code module} is absolute. */
    record Outside(String file, String module, List<String> names) {
        String top() {
            int dot = module.indexOf('.');
            return dot < 0 ? module : module.substring(0, dot);
        }
    }

    /** @param own the top-level modules that are the distribution's own */
    static PyWalk from(InstalledTree tree, String sitePackages, String module, Set<String> own) throws IOException {
        return new Walker(tree, sitePackages, own).walk(module);
    }

    private static final class Walker {
        private final InstalledTree tree;
        private final String site;
        private final Set<String> own;
        private final Deque<String> open = new ArrayDeque<>();
        private final Set<String> seen = new LinkedHashSet<>();
        private final List<String> files = new ArrayList<>();
        private final List<Outside> outside = new ArrayList<>();
        private boolean complete = true;
        private boolean talksMcp;
        private String ownLoop = "";

        Walker(InstalledTree tree, String site, Set<String> own) {
            this.tree = tree;
            this.site = site;
            this.own = own;
        }

        PyWalk walk(String module) throws IOException {
            if (!visit(module)) {
                complete = false;
            }
            while (!open.isEmpty()) {
                String file = open.poll();
                Optional<String> text = files.size() >= MAX_FILES ? Optional.empty() : tree.text(file, MAX_FILE);
                if (text.isEmpty()) {
                    complete = false;
                    continue;
                }
                files.add(file);
                talksMcp |= text.get().contains("tools/list") || text.get().contains("tools/call");
                ownLoop = ownLoop.isEmpty() && LOOP_WORDS.stream().allMatch(word -> quoted(text.get(), word)) ? file : ownLoop;
                for (PyImports.Import found : PyImports.scan(text.get())) {
                    follow(file, found);
                }
            }
            return new PyWalk(files, outside, complete, talksMcp, ownLoop);
        }

        private static boolean quoted(String text, String word) {
            return text.contains('"' + word + '"') || text.contains("'" + word + "'");
        }

        /** Importing a module runs every package above it first. False when it is not there as source. */
        private boolean visit(String module) throws IOException {
            String[] parts = module.split("\\.");
            StringBuilder path = new StringBuilder(site);
            boolean found = false;
            for (int i = 0; i < parts.length; i++) {
                path.append('/').append(parts[i]);
                found = file(path + "/__init__.py");
                if (!found && i == parts.length - 1) {
                    found = file(path + ".py") || tree.isFolder(path.toString());
                }
            }
            return found;
        }

        private boolean file(String path) throws IOException {
            if (seen.contains(path)) {
                return true;
            }
            if (tree.isFile(path)) {
                seen.add(path);
                open.add(path);
                return true;
            }
            return false;
        }

        private void follow(String file, PyImports.Import found) throws IOException {
            String module = found.level() == 0 ? found.module() : relative(file, found);
            String top = module.contains(".") ? module.substring(0, module.indexOf('.')) : module;
            if (!own.contains(top)) {
                if (!module.isEmpty()) {
                    outside.add(new Outside(file, module, found.names()));
                }
                return;
            }
            boolean there = visit(module);
            for (String name : found.names()) {
                there |= !name.equals("*") && visit(module + "." + name);
            }
            if (!there && compiled(module)) {
                complete = false;
            }
        }

        /** A compiled module: its imports cannot be read. Other missing modules are guarded imports of things never shipped. */
        private boolean compiled(String module) throws IOException {
            String path = site + "/" + module.replace('.', '/');
            String name = TreePaths.name(path);
            for (InstalledTree.Child child : tree.list(TreePaths.parent(path))) {
                if (child.name().startsWith(name + ".") && (child.name().endsWith(".so") || child.name().endsWith(".pyc") || child.name().endsWith(".pyd"))) {
                    return true;
                }
            }
            return false;
        }

        private String relative(String file, PyImports.Import found) {
            String folder = TreePaths.parent(file);
            for (int i = 1; i < found.level(); i++) {
                folder = TreePaths.parent(folder);
            }
            String base = TreePaths.inside(folder, site) && folder.length() > site.length() ? folder.substring(site.length() + 1).replace('/', '.') : "";
            return found.module().isEmpty() ? base : base.isEmpty() ? found.module() : base + "." + found.module();
        }
    }
}
