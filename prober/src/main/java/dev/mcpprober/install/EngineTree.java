package dev.mcpprober.install;

import dev.mcpprober.attribution.InstalledTree;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.ImageEngine.TreeEntry;
import dev.mcpprober.sandbox.Sandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The files of an ended sandbox, read through the engine. One walk notes every entry and keeps the contents that are likely to be
 * asked for, within a budget; the rest is fetched when asked for. An {@link EngineException} comes out as {@link EngineFailure}.
 */
final class EngineTree implements InstalledTree {
    private static final int MAX_LINKS = 40;
    private static final int MAX_KEPT = 1 << 20;
    private static final long BUDGET = 24L << 20;
    /** Characters of paths, names and links that are remembered: each may be thousands long, and an ordinary tree's are a tenth of this. */
    private static final long NAMES = 16L << 20;

    private final ImageEngine engine;
    private final Sandbox sandbox;
    private final String top;
    private final Map<String, Map<String, Node>> folders = new HashMap<>();
    private final Map<String, byte[]> kept = new HashMap<>();
    private long keptBytes;
    private long bytes;
    private long names;
    private int entries;
    private boolean cut;

    private record Node(Kind kind, long size, String link) {}

    /** Carries an engine's failure through code that knows files only. */
    static final class EngineFailure extends IOException {
        private static final long serialVersionUID = 1L;

        EngineFailure(EngineException cause) {
            super(cause.getMessage(), cause);
        }

        EngineException engine() {
            return (EngineException) getCause();
        }
    }

    private EngineTree(ImageEngine engine, Sandbox sandbox, String top) {
        this.engine = engine;
        this.sandbox = sandbox;
        this.top = top;
    }

    /**
     * @param top      folder to read
     * @param keep     paths whose content is worth keeping
     * @param maxBytes the walk ends beyond it, and {@link #oversized()} says so
     */
    static EngineTree read(ImageEngine engine, Sandbox sandbox, String top, Predicate<String> keep, long maxBytes, int maxEntries) throws EngineException {
        EngineTree tree = new EngineTree(engine, sandbox, top);
        engine.walk(sandbox, top, (entry, content) -> {
            tree.entries++;
            tree.bytes += entry.size();
            String path = entry.path().isEmpty() ? top : top + "/" + entry.path();
            tree.names += entry.link().length() + (entry.kind() == TreeEntry.Kind.FOLDER ? path.length() : path.length() - path.lastIndexOf('/'));
            if (tree.bytes > maxBytes || tree.entries > maxEntries || tree.names > NAMES) {
                tree.cut = true;
                return false;
            }
            tree.note(path, entry);
            if (entry.kind() == TreeEntry.Kind.FILE && entry.size() <= MAX_KEPT && tree.keptBytes + entry.size() <= BUDGET && keep.test(path)) {
                byte[] text = content.head((int) entry.size());
                tree.kept.put(path, text);
                tree.keptBytes += text.length;
            }
            return true;
        });
        return tree;
    }

    private void note(String path, TreeEntry entry) {
        int slash = path.lastIndexOf('/');
        Kind kind = switch (entry.kind()) {
            case FILE -> Kind.FILE;
            case FOLDER -> Kind.FOLDER;
            default -> Kind.OTHER;
        };
        folders.computeIfAbsent(slash == 0 ? "/" : path.substring(0, slash), f -> new LinkedHashMap<>())
                .put(path.substring(slash + 1), new Node(kind, kind == Kind.FILE ? entry.size() : 0, entry.link()));
        if (kind == Kind.FOLDER) {
            folders.computeIfAbsent(path, f -> new LinkedHashMap<>());
        }
    }

    /** The walk was ended because there is too much. */
    boolean oversized() {
        return cut;
    }

    long bytes() {
        return bytes;
    }

    int entries() {
        return entries;
    }

    /** The path with links resolved; empty where it leads nowhere, or out of the tree. */
    private Optional<String> resolve(String path) {
        List<String> open = new ArrayList<>(List.of(path.split("/")));
        String at = "";
        int links = 0;
        while (!open.isEmpty()) {
            String name = open.remove(0);
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
                continue;
            }
            String next = at + "/" + name;
            if (top.startsWith(next + "/")) {
                at = next; // above what was read: plain folders
                continue;
            }
            Node node = folders.getOrDefault(at.isEmpty() ? "/" : at, Map.of()).get(name);
            if (node == null) {
                return Optional.empty();
            }
            if (node.link().isEmpty()) {
                at = next;
                continue;
            }
            if (++links > MAX_LINKS) {
                return Optional.empty();
            }
            open.addAll(0, List.of(node.link().split("/")));
            at = node.link().startsWith("/") ? "" : at;
        }
        return Optional.of(at.isEmpty() ? "/" : at);
    }

    private Optional<Node> node(String real) {
        int slash = real.lastIndexOf('/');
        return Optional.ofNullable(folders.getOrDefault(slash <= 0 ? "/" : real.substring(0, slash), Map.of()).get(real.substring(slash + 1)));
    }

    @Override
    public Optional<Entry> stat(String path) {
        return resolve(path).flatMap(this::node).map(node -> new Entry(node.kind(), node.size()));
    }

    @Override
    public List<Child> list(String folder) {
        List<Child> children = new ArrayList<>();
        resolve(folder).map(real -> folders.getOrDefault(real, Map.of())).orElse(Map.of())
                .forEach((name, node) -> children.add(new Child(name, node.kind(), node.size())));
        children.sort(Comparator.comparing(Child::name));
        return children;
    }

    @Override
    public String realPath(String path) {
        return resolve(path).orElse(path);
    }

    @Override
    public byte[] head(String path, int length) throws IOException {
        Optional<String> real = resolve(path).filter(p -> node(p).filter(n -> n.kind() == Kind.FILE).isPresent());
        if (real.isEmpty()) {
            return new byte[0];
        }
        byte[] have = kept.get(real.get());
        if (have != null) {
            return have.length <= length ? have : Arrays.copyOf(have, length);
        }
        try {
            return engine.readFile(sandbox, real.get(), length).map(ImageEngine.FileHead::bytes).orElse(new byte[0]);
        } catch (EngineException e) {
            throw new EngineFailure(e);
        }
    }

    @Override
    public void stream(String path, long limit, Piece reader) throws IOException {
        Optional<String> real = resolve(path);
        if (real.isEmpty()) {
            return;
        }
        byte[] buffer = new byte[1 << 16];
        try {
            engine.walk(sandbox, real.get(), (entry, content) -> {
                if (entry.kind() == TreeEntry.Kind.FILE) {
                    long left = limit;
                    for (int n = content.read(buffer, 0, buffer.length); n >= 0 && left > 0; n = content.read(buffer, 0, buffer.length)) {
                        reader.take(buffer, (int) Math.min(n, left));
                        left -= n;
                    }
                }
                return false;
            });
        } catch (EngineException e) {
            throw new EngineFailure(e);
        }
    }
}
