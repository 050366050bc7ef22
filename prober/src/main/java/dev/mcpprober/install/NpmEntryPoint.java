package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.attribution.InstalledTree;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entry point of an installed npm package, from the {@code bin} of its own manifest.
 *
 * @param found  empty when there is none
 * @param reason why there is none
 * @param file   the script or program itself, links resolved
 * @param needs  an interpreter that is not there, else empty
 */
record NpmEntryPoint(Optional<EntryPoint> found, String reason, String file, String needs) {
    private static final int MAX_HEAD = 512;
    private static final int MAX_PATH = 1_000;
    private static final Pattern SHEBANG = Pattern.compile("#!\\s*(\\S+)[ \\t]*([^\\r\\n]*)");
    private static final Pattern SCRIPT = Pattern.compile("(?i).*\\.([cm]?js|[cm]?ts|jsx|tsx)");

    /** @param folder of the package, e.g. {@code /srv/app/node_modules/@scope/name}; its own dependencies' programs lie at {@code modules}/.bin */
    static NpmEntryPoint of(InstalledTree tree, String folder, String modules) throws IOException {
        Optional<String> text = tree.text(folder + "/package.json", 4 << 20);
        if (text.isEmpty() || !(Json.parse(text.get()) instanceof Json.Parsed.Value manifest)) {
            return none("the package has no readable package.json");
        }
        String name = manifest.node().path("name").asText("");
        Map<String, String> programs = programs(tree, folder, manifest.node(), name);
        ProgramChoice choice = ProgramChoice.of(name.substring(name.indexOf('/') + 1), programs);
        if (choice.name().isEmpty()) {
            return none(programs.isEmpty() ? "package.json has no bin" : choice.reason());
        }
        String bin = choice.name().get();
        String file = tree.realPath(folder + "/" + programs.get(bin));
        if (!tree.isFile(file)) {
            return none("bin " + bin + " names " + programs.get(bin) + ", which the package does not hold");
        }
        Start start = start(tree, file, modules);
        if (!start.needs().isEmpty()) {
            return new NpmEntryPoint(Optional.empty(), "bin " + bin + " wants the interpreter " + start.needs(), file, start.needs());
        }
        EntryPoint entry = new EntryPoint(start.argv(), "bin " + bin + ": " + choice.reason() + start.note(), List.copyOf(programs.keySet()));
        return new NpmEntryPoint(Optional.of(entry), "", file, "");
    }

    private static NpmEntryPoint none(String reason) {
        return new NpmEntryPoint(Optional.empty(), reason, "", "");
    }

    /** {@code bin} as an object or one path, else the files of {@code directories.bin}. */
    private static Map<String, String> programs(InstalledTree tree, String folder, JsonNode manifest, String name) throws IOException {
        Map<String, String> programs = new LinkedHashMap<>();
        JsonNode bin = manifest.path("bin");
        if (isPath(bin)) {
            programs.put(name.substring(name.indexOf('/') + 1), clean(bin.asText()));
        } else if (bin.isObject()) {
            bin.fields().forEachRemaining(field -> {
                if (isPath(field.getValue())) {
                    programs.put(field.getKey().substring(field.getKey().lastIndexOf('/') + 1), clean(field.getValue().asText()));
                }
            });
        } else if (isPath(manifest.path("directories").path("bin"))) {
            String directory = clean(manifest.path("directories").path("bin").asText());
            for (InstalledTree.Child child : tree.list(folder + "/" + directory)) {
                if (child.kind() == InstalledTree.Kind.FILE && !child.name().startsWith(".")) {
                    programs.put(child.name(), directory + "/" + child.name());
                }
            }
        }
        return programs;
    }

    private static boolean isPath(JsonNode node) {
        return node.isTextual() && !node.asText().isEmpty() && node.asText().length() <= MAX_PATH;
    }

    private static String clean(String path) {
        return path.replaceFirst("^(\\./|/)+", "").replaceAll("(^|/)\\.\\.(?=/|$)", "").replaceAll("/+", "/");
    }

    private record Start(List<String> argv, String note, String needs) {}

    /** As the kernel would start the file, but for {@code /usr/bin/env}, which is left out. */
    private static Start start(InstalledTree tree, String file, String modules) throws IOException {
        byte[] head = tree.head(file, MAX_HEAD);
        if (head.length >= 4 && head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F') {
            return new Start(List.of(file), ", a native program", "");
        }
        Matcher shebang = SHEBANG.matcher(new String(head, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", ""));
        if (!shebang.lookingAt()) {
            boolean script = SCRIPT.matcher(file).matches();
            return new Start(List.of("node", file), script ? ", run by node although it names no interpreter" : ", no interpreter named, run by node", "");
        }
        List<String> command = new ArrayList<>(List.of(shebang.group(1)));
        for (String word : shebang.group(2).strip().split("\\s+")) {
            if (!word.isEmpty()) {
                command.add(word);
            }
        }
        if (command.get(0).endsWith("/env")) {
            command.remove(0);
            while (!command.isEmpty() && (command.get(0).startsWith("-") || command.get(0).contains("="))) {
                command.remove(0);
            }
        }
        if (command.isEmpty()) {
            return new Start(List.of("node", file), ", run by node", "");
        }
        String interpreter = command.get(0).substring(command.get(0).lastIndexOf('/') + 1);
        List<String> argv = new ArrayList<>();
        if (interpreter.equals("node") || interpreter.equals("nodejs")) {
            argv.add("node");
        } else if (interpreter.matches("sh|bash|dash")) {
            argv.add("/bin/" + interpreter);
        } else {
            String own = tree.realPath(modules + "/.bin/" + interpreter);
            if (!tree.isFile(own)) {
                return new Start(List.of(), "", interpreter);
            }
            argv.add("node");
            argv.add(own);
        }
        argv.addAll(command.subList(1, command.size()));
        argv.add(file);
        return new Start(argv, interpreter.equals("node") ? "" : ", run by " + interpreter, "");
    }
}
