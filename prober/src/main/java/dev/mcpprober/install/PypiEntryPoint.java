package dev.mcpprober.install;

import dev.mcpprober.attribution.Attributor;
import dev.mcpprober.attribution.InstalledTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entry point of an installed Python distribution: its console scripts and the programs its wheel puts beside the interpreter,
 * else a package of it that can be run with {@code python -m}.
 *
 * @param found  empty when there is none
 * @param reason why there is none
 * @param start  where attribution begins; null when there is no entry point
 */
record PypiEntryPoint(Optional<EntryPoint> found, String reason, Attributor.Start start) {
    private static final int MAX_FILE = 8 << 20;

    /** @param venv the virtual environment, e.g. {@code /srv/app/venv}; {@code info} is the distribution's {@code .dist-info} folder */
    static PypiEntryPoint of(InstalledTree tree, String venv, String sitePackages, String info, String distribution) throws IOException {
        Map<String, String> scripts = consoleScripts(tree.text(info + "/entry_points.txt", MAX_FILE).orElse(""));
        List<String> record = recorded(tree.text(info + "/RECORD", MAX_FILE).orElse(""));
        Map<String, String> programs = new LinkedHashMap<>(scripts);
        for (String path : record) {
            if (path.matches("(\\.\\./){3}bin/[^/]+")) {
                programs.putIfAbsent(path.substring(path.lastIndexOf('/') + 1), "");
            }
        }
        if (!programs.isEmpty()) {
            ProgramChoice choice = ProgramChoice.of(distribution, distinct(programs));
            if (choice.name().isEmpty()) {
                return new PypiEntryPoint(Optional.empty(), choice.reason(), null);
            }
            String name = choice.name().get();
            String file = venv + "/bin/" + name;
            String object = programs.get(name);
            if (!tree.isFile(file)) {
                return new PypiEntryPoint(Optional.empty(), "script " + name + " was not installed", null);
            }
            Attributor.Start start = object.isEmpty() ? new Attributor.Start.PythonProgram(sitePackages, file)
                    : new Attributor.Start.PythonModule(sitePackages, distribution, object.split(":", 2)[0].strip());
            return new PypiEntryPoint(Optional.of(new EntryPoint(List.of(file), "script " + name + ": " + choice.reason(), List.copyOf(programs.keySet()))),
                    "", start);
        }
        Map<String, String> modules = new TreeMap<>();
        for (String path : record) {
            if (path.matches("[A-Za-z_][A-Za-z0-9_]*/__main__\\.py")) {
                modules.put(path.substring(0, path.indexOf('/')), path);
            }
        }
        ProgramChoice choice = ProgramChoice.of(distribution, modules);
        if (choice.name().isEmpty()) {
            return new PypiEntryPoint(Optional.empty(), modules.isEmpty() ? "no console script and no package with a __main__" : choice.reason(), null);
        }
        String module = choice.name().get();
        return new PypiEntryPoint(Optional.of(new EntryPoint(List.of(venv + "/bin/python", "-m", module),
                "no console script; python -m " + module + ": " + choice.reason(), modules.keySet().stream().map(m -> "-m " + m).toList())), "",
                new Attributor.Start.PythonModule(sitePackages, distribution, module + ".__main__"));
    }

    /** Programs without a known object are each their own. */
    private static Map<String, String> distinct(Map<String, String> programs) {
        Map<String, String> distinct = new LinkedHashMap<>();
        programs.forEach((name, object) -> distinct.put(name, object.isEmpty() ? name : object));
        return distinct;
    }

    /** Name to {@code module:object}, from the section {@code console_scripts}. */
    static Map<String, String> consoleScripts(String entryPoints) {
        Map<String, String> scripts = new LinkedHashMap<>();
        boolean inside = false;
        for (String raw : entryPoints.split("\r?\n")) {
            String line = raw.strip();
            if (line.startsWith("[")) {
                inside = line.equals("[console_scripts]");
            } else if (inside && !line.startsWith("#") && !line.startsWith(";") && line.contains("=")) {
                String name = line.substring(0, line.indexOf('=')).strip();
                String object = line.substring(line.indexOf('=') + 1).replaceFirst("\\[.*$", "").strip();
                if (!name.isEmpty() && !name.contains("/") && !object.isEmpty()) {
                    scripts.put(name, object);
                }
            }
        }
        return scripts;
    }

    private static List<String> recorded(String record) {
        List<String> paths = new ArrayList<>();
        for (String line : record.split("\r?\n")) {
            int comma = line.indexOf(',');
            if (comma > 0) {
                paths.add(line.substring(0, comma));
            }
        }
        return paths;
    }
}
