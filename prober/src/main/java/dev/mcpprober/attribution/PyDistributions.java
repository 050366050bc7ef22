package dev.mcpprober.attribution;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The distributions of a site-packages folder: names and versions from {@code METADATA}, ownership of modules from {@code RECORD}. */
final class PyDistributions {
    private static final int MAX_RECORD = 8 << 20;
    private static final int MAX_METADATA = 4 << 20;
    private static final Pattern REQUIREMENT = Pattern.compile("^\\s*([A-Za-z0-9][A-Za-z0-9._-]*)");

    /**
     * @param name     normalised as PEP 503 says
     * @param requires normalised names of what it requires without an extra
     * @param topLevel modules and packages that RECORD says it owns
     */
    record Distribution(String name, String version, List<String> requires, Set<String> topLevel) {}

    private final Map<String, Distribution> byName = new LinkedHashMap<>();
    private final Map<String, Distribution> byModule = new HashMap<>();

    static PyDistributions read(InstalledTree tree, String sitePackages) throws IOException {
        PyDistributions all = new PyDistributions();
        for (InstalledTree.Child child : tree.list(sitePackages)) {
            if (child.name().endsWith(".dist-info") && child.kind() == InstalledTree.Kind.FOLDER) {
                Optional<String> metadata = tree.text(sitePackages + "/" + child.name() + "/METADATA", MAX_METADATA);
                Optional<String> record = tree.text(sitePackages + "/" + child.name() + "/RECORD", MAX_RECORD);
                metadata.ifPresent(text -> all.add(text, record.orElse("")));
            }
        }
        return all;
    }

    private void add(String metadata, String record) {
        String name = "";
        String version = "";
        List<String> requires = new ArrayList<>();
        for (String line : metadata.split("\r?\n\r?\n", 2)[0].split("\r?\n")) {
            if (line.startsWith("Name:")) {
                name = normalise(line.substring(5).strip());
            } else if (line.startsWith("Version:")) {
                version = line.substring(8).strip();
            } else if (line.startsWith("Requires-Dist:") && !line.contains("extra ==") && !line.contains("extra==")) {
                Matcher requirement = REQUIREMENT.matcher(line.substring(14));
                if (requirement.find()) {
                    requires.add(normalise(requirement.group(1)));
                }
            }
        }
        Set<String> topLevel = new TreeSet<>();
        for (String line : record.split("\r?\n")) {
            String path = line.startsWith("\"") ? line.substring(1) : line;
            int end = path.indexOf(',');
            path = end < 0 ? path : path.substring(0, end);
            if (path.startsWith("..") || path.startsWith("/") || path.contains(".dist-info/") || path.contains(".data/")) {
                continue;
            }
            int slash = path.indexOf('/');
            if (slash > 0) {
                topLevel.add(path.substring(0, slash));
            } else if (path.endsWith(".py") || path.endsWith(".so") || path.endsWith(".pyd")) {
                topLevel.add(path.substring(0, path.indexOf('.')));
            }
        }
        topLevel.remove("__pycache__");
        Distribution distribution = new Distribution(name, version, List.copyOf(requires), topLevel);
        byName.putIfAbsent(name, distribution);
        // A metapackage and its slim half both list the package; the one with code of its own is the owner.
        topLevel.forEach(module -> byModule.putIfAbsent(module, distribution));
    }

    static String normalise(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    Optional<Distribution> named(String name) {
        return Optional.ofNullable(byName.get(normalise(name)));
    }

    /** The distribution whose RECORD owns a top-level module. */
    Optional<Distribution> owner(String module) {
        return Optional.ofNullable(byModule.get(module));
    }
}
