package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.attribution.InstalledTree;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What npm's lockfile says of the packages that are installed. It lists more than that: builds of a package for other systems are
 * locked too and never fetched. And it calls extraneous what is there though nothing needs it.
 *
 * @param tree      {@code name@version}, sorted, each once
 * @param integrity by {@code name@version}
 * @param scripted  {@code name@version} of packages with install scripts
 */
record NpmLock(List<String> tree, Map<String, String> integrity, List<String> scripted) {
    /** @param folder where the lockfile lies; {@code installed} says what lies below it */
    static NpmLock read(String text, InstalledTree installed, String folder) throws IOException {
        TreeSet<String> tree = new TreeSet<>();
        Map<String, String> integrity = new HashMap<>();
        List<String> scripted = new ArrayList<>();
        if (Json.parse(text) instanceof Json.Parsed.Value value) {
            JsonNode packages = value.node().path("packages");
            for (Iterator<Map.Entry<String, JsonNode>> all = packages.fields(); all.hasNext(); ) {
                Map.Entry<String, JsonNode> entry = all.next();
                int modules = entry.getKey().lastIndexOf("node_modules/");
                JsonNode found = entry.getValue();
                if (modules < 0 || found.path("link").asBoolean() || !installed.isFolder(folder + "/" + entry.getKey())) {
                    continue;
                }
                String name = found.path("name").asText(entry.getKey().substring(modules + "node_modules/".length()));
                String id = name + "@" + found.path("version").asText("");
                tree.add(id);
                if (found.has("integrity")) {
                    integrity.put(id, found.path("integrity").asText());
                }
                if (found.path("hasInstallScript").asBoolean() && !scripted.contains(id)) {
                    scripted.add(id);
                }
            }
        }
        return new NpmLock(List.copyOf(tree), integrity, scripted);
    }
}
