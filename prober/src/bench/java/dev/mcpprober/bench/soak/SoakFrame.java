package dev.mcpprober.bench.soak;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A frame made by a seed: every fixture once, the rest small servers without dependencies, each package in several ways of being started.
 * Installing the latter asks no registry for anything. The same seed and size give the same files.
 */
final class SoakFrame {
    /** Targets of one generated package; the first without arguments. */
    private static final int WAYS = 6;
    private static final String NAME = "soak-server";

    /** What one server may be like. A member is drawn from its list; the first is as it should be and drawn more often. */
    private static final Map<String, List<String>> TRAITS = new TreeMap<>(Map.ofEntries(
            Map.entry("revision", List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")),
            Map.entry("tools", List.of("2", "1", "3", "6")),
            Map.entry("unknown", List.of("protocol", "tool-error", "internal", "own-code", "empty", "in-band", "run")),
            Map.entry("wrong", List.of("tool-error", "protocol", "internal", "run", "in-band")),
            Map.entry("missing", List.of("tool-error", "protocol", "run", "empty")),
            Map.entry("noName", List.of("protocol", "tool-error", "internal", "exit")),
            Map.entry("method", List.of("not-found", "internal", "result")),
            Map.entry("malformed", List.of("error", "silence", "exit")),
            Map.entry("ping", List.of("yes", "no")),
            Map.entry("banner", List.of("no", "yes")),
            Map.entry("eof", List.of("0", "1"))));
    /** The same, of servers in Node.js only. */
    private static final Map<String, List<String>> NODE_TRAITS = new TreeMap<>(Map.of(
            "id", List.of("same", "text"), "utf8", List.of("good", "bad"), "names", List.of("good", "twice", "odd"),
            "schema", List.of("good", "none", "string", "broken"), "pages", List.of("no", "yes")));
    /** It tosses a coin at every start, so that two runs of it may differ without a disturbance. */
    private static final String NEVER_THE_SAME = "/py-moody";
    /** What a server does instead of serving. {@code hang} takes half a minute and stands in the fixtures. */
    private static final List<String> STARTS = List.of("silent", "status", "throw", "key", "bad-result", "version", "memory", "killed");
    private static final List<String> HOSTILE = List.of("stdout", "stderr", "term");
    private static final List<String> NODE_HOSTILE = List.of("endless", "children", "disk", "escapes");
    /** Seconds of waiting each, so only now and then. */
    private static final List<String> SLOW = List.of("eof=stay", "unknown=silence", "start=headers");
    private static final List<String> NO_INSTALL = List.of("no-bin", "postinstall", "engines", "requires-python", "backend");

    private final Path home;
    private final Path folder;
    private final Random random;
    private final List<String> rows = new ArrayList<>();

    private SoakFrame(Path home, Path folder, long seed) {
        this.home = home;
        this.folder = folder;
        this.random = new Random(seed);
    }

    /**
     * @param home   folder of the Maven module
     * @param folder made by this call, or by an earlier one with the same arguments
     * @return the frame's file
     */
    static Path make(Path home, Path folder, int targets, long seed) throws IOException {
        Path file = folder.resolve("frame.csv");
        String asked = "targets " + targets + "\nseed " + seed + "\n";
        Path made = folder.resolve("made-by.txt");
        if (Files.exists(made)) {
            if (!Files.readString(made).equals(asked)) {
                throw new FileAlreadyExistsException(folder + " holds another frame: " + Files.readString(made).strip().replace('\n', ' '));
            }
            return file;
        }
        Files.createDirectories(folder);
        SoakFrame frame = new SoakFrame(home, folder, seed);
        frame.fixtures(targets);
        for (int number = 0; frame.rows.size() < targets; number++) {
            frame.generated(number, targets);
        }
        Files.writeString(file, "target,args,env,note\n" + String.join("\n", frame.rows) + "\nno target at all,,,a row that cannot be read\n");
        Files.writeString(made, asked);
        return file;
    }

    private void row(String name, List<String> args, Map<String, String> env, String note) {
        rows.add(String.join(",", "./" + name, cell(args.isEmpty() ? "" : Json.write(Json.mapper().valueToTree(args))),
                cell(env.isEmpty() ? "" : Json.write(Json.mapper().valueToTree(new TreeMap<>(env)))), cell(note)));
    }

    private static String cell(String text) {
        return text.matches("[^\",\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Those of the project; in a small frame some of them, so that they are a third of it at most. */
    private void fixtures(int targets) throws IOException {
        Path corpus = home.resolveSibling("corpus");
        List<FrameEntry> fixtures = new ArrayList<>();
        for (String name : List.of("fixtures.csv", "hostile.csv")) {
            try {
                FrameReader.read(corpus.resolve(name)).eligible().stream().filter(entry -> !entry.label().endsWith(NEVER_THE_SAME)).forEach(fixtures::add);
            } catch (FrameException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        int step = Math.max(1, (3 * fixtures.size() + targets - 1) / targets);
        for (int i = 0; i < fixtures.size(); i += step) {
            FrameEntry fixture = fixtures.get(i);
            Path from = corpus.resolve(fixture.label()).normalize();
            if (Files.isDirectory(from)) {
                if (!Files.exists(folder.resolve(from.getFileName()))) {
                    copy(from, folder.resolve(from.getFileName()));
                }
                row(from.getFileName().toString(), fixture.args(), fixture.env(), "fixture");
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private void generated(int number, int targets) throws IOException {
        boolean node = random.nextInt(10) < 6;
        String name = String.format("%s-%03d", node ? "node" : "python", number);
        Map<String, String> how = behaviour(node);
        String broken = number % 11 == 10 ? NO_INSTALL.get(random.nextInt(NO_INSTALL.size())) : "";
        if (node) {
            node(name, how, broken);
        } else {
            python(name, how, broken);
        }
        row(name, List.of(), Map.of(), "generated");
        List<String> taken = new ArrayList<>();
        for (int way = 1; way < WAYS && rows.size() < targets && broken.isEmpty(); way++) {
            String change = change(node, way);
            if (!taken.contains(change)) {
                taken.add(change);
                row(name, List.of("--set", change), Map.of(), "generated, started otherwise");
            }
        }
    }

    private Map<String, String> behaviour(boolean node) {
        Map<String, String> how = new TreeMap<>();
        TRAITS.forEach((trait, values) -> how.put(trait, draw(values)));
        if (node) {
            NODE_TRAITS.forEach((trait, values) -> how.put(trait, draw(values)));
        }
        how.put("name", NAME);
        return how;
    }

    private String draw(List<String> values) {
        return values.get(random.nextBoolean() ? 0 : random.nextInt(values.size()));
    }

    /** One thing that another start of the same package does otherwise. */
    private String change(boolean node, int way) {
        int kind = random.nextInt(100);
        if (kind < 25) {
            return "start=" + STARTS.get(random.nextInt(STARTS.size()));
        } else if (kind < 40) {
            List<String> hostile = new ArrayList<>(HOSTILE);
            hostile.addAll(node ? NODE_HOSTILE : List.of());
            return "hostile=" + hostile.get(random.nextInt(hostile.size()));
        } else if (kind < 44) {
            return SLOW.get(random.nextInt(SLOW.size()));
        }
        List<Map.Entry<String, List<String>>> traits = new ArrayList<>(TRAITS.entrySet());
        traits.addAll(node ? NODE_TRAITS.entrySet() : List.of());
        Map.Entry<String, List<String>> trait = traits.get(random.nextInt(traits.size()));
        return trait.getKey() + "=" + trait.getValue().get(random.nextInt(trait.getValue().size()));
    }

    private Path source(String name) {
        return home.resolve("src/bench/soak").resolve(name);
    }

    private void node(String name, Map<String, String> how, String broken) throws IOException {
        Path at = Files.createDirectories(folder.resolve(name));
        Files.copy(source("server.js"), at.resolve("server.js"));
        Files.writeString(at.resolve("behaviour.json"), Json.write(Json.mapper().valueToTree(how)));
        Map<String, Object> manifest = new TreeMap<>(Map.of("name", "@mcp-prober-soak/" + name, "version", "1.0.0", "private", true,
                "description", "Server of the soak frame."));
        if (!broken.equals("no-bin")) {
            manifest.put("bin", Map.of(name, "server.js"));
        }
        if (broken.equals("postinstall")) {
            manifest.put("scripts", Map.of("postinstall", "node -e \"process.exit(7)\""));
        }
        if (broken.equals("engines")) {
            manifest.put("engines", Map.of("node", ">=99"));
        }
        Files.writeString(at.resolve("package.json"), Json.write(Json.mapper().valueToTree(manifest)));
    }

    private void python(String name, Map<String, String> how, String broken) throws IOException {
        String module = name.replace('-', '_');
        String requires = broken.equals("requires-python") ? ">=3.99" : ">=3.11";
        Path at = folder.resolve(name);
        Path code = Files.createDirectories(at.resolve(module));
        Files.copy(source("server.py"), code.resolve("__init__.py"));
        Files.writeString(code.resolve("behaviour.json"), Json.write(Json.mapper().valueToTree(how)));
        Files.writeString(at.resolve("pyproject.toml"), String.join("\n", "[build-system]", "requires = []", "build-backend = \"backend\"",
                "backend-path = [\".\"]", "", "[project]", "name = \"" + name + "\"", "version = \"1.0.0\"", "requires-python = \"" + requires + "\"",
                "dependencies = []", "", "[project.scripts]", name + " = \"" + module + ":main\"", ""));
        Files.writeString(at.resolve("backend.py"), Files.readString(source("backend.py")).replace("@NAME@", name).replace("@MODULE@", module)
                .replace("@REQUIRES_PYTHON@", requires).replace("@BROKEN@", broken.equals("backend") ? "yes" : "no"));
    }
}
