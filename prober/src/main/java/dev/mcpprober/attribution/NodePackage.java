package dev.mcpprober.attribution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One installed npm package: its folder (links resolved) and its {@code package.json}. Names are found as Node finds them: from
 * the importing file's folder upward through every {@code node_modules}, so nested copies and pnpm's layout count.
 */
record NodePackage(String folder, JsonNode manifest) {
    private static final int MAX_MANIFEST = 4 << 20;
    private static final List<String> CONDITIONS = List.of("node", "import", "module", "require", "default");
    private static final List<String> SUFFIXES = List.of("", ".js", ".mjs", ".cjs", ".ts", ".mts", "/index.js", "/index.mjs", "/index.cjs", "/index.ts");

    /** The package that a file belongs to: the nearest {@code package.json} with a name, above it. */
    static Optional<NodePackage> owning(InstalledTree tree, String file) throws IOException {
        String folder = TreePaths.parent(file);
        while (true) {
            Optional<NodePackage> found = at(tree, folder);
            if (found.isPresent() && !found.get().name().isEmpty()) {
                return found;
            }
            if (folder.equals("/") || TreePaths.name(folder).equals("node_modules")) {
                return Optional.empty();
            }
            folder = TreePaths.parent(folder);
        }
    }

    /** The package that {@code specifier} names for code in {@code fromFolder}. */
    static Optional<NodePackage> named(InstalledTree tree, String fromFolder, String specifier) throws IOException {
        String name = nameOf(specifier);
        for (String folder = fromFolder; ; folder = TreePaths.parent(folder)) {
            if (!TreePaths.name(folder).equals("node_modules")) {
                Optional<NodePackage> found = at(tree, (folder.equals("/") ? "" : folder) + "/node_modules/" + name);
                if (found.isPresent()) {
                    return found;
                }
            }
            if (folder.equals("/")) {
                return Optional.empty();
            }
        }
    }

    static Optional<NodePackage> at(InstalledTree tree, String folder) throws IOException {
        Optional<String> text = tree.text(folder + "/package.json", MAX_MANIFEST);
        if (text.isPresent() && Json.parse(text.get()) instanceof Json.Parsed.Value value && value.node().isObject()) {
            return Optional.of(new NodePackage(tree.realPath(folder), value.node()));
        }
        return Optional.empty();
    }

    /** {@code @scope/name} or {@code name} of {@code @scope/name/sub/path}. */
    static String nameOf(String specifier) {
        int slash = specifier.indexOf('/');
        if (specifier.startsWith("@") && slash > 0) {
            slash = specifier.indexOf('/', slash + 1);
        }
        return slash < 0 ? specifier : specifier.substring(0, slash);
    }

    /** {@code ./sub/path}, or {@code .} for the package itself. */
    static String subpathOf(String specifier) {
        return "." + specifier.substring(nameOf(specifier).length());
    }

    String name() {
        return manifest.path("name").asText("");
    }

    String version() {
        return manifest.path("version").asText("");
    }

    /** Names in {@code dependencies}, {@code peerDependencies} and {@code optionalDependencies}; never {@code devDependencies}. */
    Set<String> declared() {
        Set<String> names = new LinkedHashSet<>();
        for (String field : List.of("dependencies", "peerDependencies", "optionalDependencies")) {
            manifest.path(field).fieldNames().forEachRemaining(names::add);
        }
        return names;
    }

    /** The files that code gets for {@code subpath} ({@code .}, {@code ./x}), by {@code exports}, else {@code main}. */
    List<String> filesOf(InstalledTree tree, String subpath) throws IOException {
        JsonNode exports = manifest.path("exports");
        List<String> targets = new ArrayList<>();
        if (!exports.isMissingNode() && !exports.isNull()) {
            mapped(exports, subpath, subpath.equals("."), targets);
        } else if (subpath.equals(".")) {
            for (String field : List.of("main", "module")) {
                if (manifest.path(field).isTextual()) {
                    targets.add(manifest.path(field).asText());
                }
            }
            targets.add("index.js");
        } else {
            targets.add(subpath);
        }
        List<String> files = new ArrayList<>();
        for (String target : targets) {
            file(tree, TreePaths.resolve(folder, target)).filter(found -> !files.contains(found)).ifPresent(files::add);
        }
        return files;
    }

    /** The file for {@code #name}, by the package's {@code imports}. */
    List<String> filesOfPrivate(InstalledTree tree, String specifier) throws IOException {
        List<String> targets = new ArrayList<>();
        mapped(manifest.path("imports"), specifier, false, targets);
        List<String> files = new ArrayList<>();
        for (String target : targets) {
            if (target.startsWith(".")) {
                file(tree, TreePaths.resolve(folder, target)).ifPresent(files::add);
            }
        }
        return files;
    }

    /** A path as an import may write it: with the suffix left out, or naming a folder. */
    static Optional<String> file(InstalledTree tree, String path) throws IOException {
        for (String suffix : SUFFIXES) {
            if (tree.isFile(path + suffix)) {
                return Optional.of(tree.realPath(path + suffix));
            }
        }
        // TypeScript sources run by Node name the file that a compiler would make.
        return path.endsWith(".js") && tree.isFile(path.substring(0, path.length() - 3) + ".ts")
                ? Optional.of(tree.realPath(path.substring(0, path.length() - 3) + ".ts")) : Optional.empty();
    }

    private static void mapped(JsonNode map, String key, boolean isMain, List<String> targets) {
        if (!map.isObject() || map.fieldNames().hasNext() && !map.fieldNames().next().startsWith(".") && !key.startsWith("#")) {
            if (isMain) {
                collect(map, "", targets);
            }
            return;
        }
        if (map.has(key)) {
            collect(map.path(key), "", targets);
            return;
        }
        String best = "";
        for (Iterator<String> names = map.fieldNames(); names.hasNext(); ) {
            String pattern = names.next();
            int star = pattern.indexOf('*');
            if (star >= 0 && key.startsWith(pattern.substring(0, star)) && key.endsWith(pattern.substring(star + 1))
                    && key.length() >= pattern.length() - 1 && pattern.length() > best.length()) {
                best = pattern;
            }
        }
        if (!best.isEmpty()) {
            int star = best.indexOf('*');
            collect(map.path(best), key.substring(star, key.length() - (best.length() - star - 1)), targets);
        }
    }

    private static void collect(JsonNode target, String star, List<String> targets) {
        if (target.isTextual()) {
            targets.add(target.asText().replace("*", star));
        } else if (target.isArray()) {
            target.forEach(item -> collect(item, star, targets));
        } else if (target.isObject()) {
            CONDITIONS.stream().filter(target::has).forEach(condition -> collect(target.path(condition), star, targets));
        }
    }
}
