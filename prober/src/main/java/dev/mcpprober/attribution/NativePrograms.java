package dev.mcpprober.attribution;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The native programs that an npm package brings: in its own folder, or in the platform package of its optional dependencies. */
final class NativePrograms {
    private static final int MAX_LOOKED_AT = 5_000;
    private static final long SMALLEST = 100_000;
    private final InstalledTree tree;

    NativePrograms(InstalledTree tree) {
        this.tree = tree;
    }

    List<String> of(NodePackage owner) throws IOException {
        List<String> found = new ArrayList<>(in(owner.folder()));
        List<String> optional = new ArrayList<>();
        owner.manifest().path("optionalDependencies").fieldNames().forEachRemaining(optional::add);
        for (String name : optional) {
            Optional<NodePackage> platform = NodePackage.named(tree, owner.folder(), name);
            if (platform.isPresent()) {
                found.addAll(in(platform.get().folder()));
            }
        }
        return found;
    }

    /** Programs and .NET dependency lists below a folder, other packages left out. */
    List<String> in(String top) throws IOException {
        List<String> found = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>(List.of(top));
        for (int looked = 0; !open.isEmpty() && looked < MAX_LOOKED_AT; ) {
            String folder = open.poll();
            for (InstalledTree.Child child : tree.list(folder)) {
                looked++;
                String path = folder + "/" + child.name();
                if (child.kind() == InstalledTree.Kind.FOLDER) {
                    if (!child.name().equals("node_modules")) {
                        open.add(path);
                    }
                } else if (child.name().endsWith(".deps.json") || mayBeProgram(child) && NativePrint.isProgram(tree, path)) {
                    found.add(path);
                }
            }
        }
        return found;
    }

    private static boolean mayBeProgram(InstalledTree.Child child) {
        String name = child.name();
        return child.kind() == InstalledTree.Kind.FILE && child.size() >= SMALLEST && !name.endsWith(".node") && !name.contains(".so")
                && !name.matches("(?i).*\\.([cm]?js|ts|json|map|wasm|md|png|jpe?g|svg|gif|woff2?|css|html|txt|gz|zip|dylib)");
    }
}
