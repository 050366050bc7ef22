package dev.mcpprober.install;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.InstallNetwork;
import dev.mcpprober.sandbox.RegistryAccess;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxImages;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An engine whose programs end as a test says, one after the other, and the gateway beside it. */
final class FakeEngine implements ImageEngine, SandboxImages, RegistryAccess {
    /** How one program ends, what it leaves in /srv/app, and what the gateway has seen when it is done. */
    record Run(Termination how, String stdout, String stderr, Map<String, String> tree, GatewayEvidence seen) {}

    final List<SandboxSpec> created = new ArrayList<>();
    final List<ImageConfig> committed = new ArrayList<>();
    final Map<String, ImageInfo> images = new HashMap<>();
    final List<String> written = new ArrayList<>();
    final Deque<Run> runs = new ArrayDeque<>();
    int open;
    int networks;
    long writes;
    int entries;
    boolean lost;
    /** The gateway ends as soon as an image is committed. */
    boolean diesAtCommit;
    private GatewayEvidence seen = seen();

    static GatewayEvidence seen(String... blocked) {
        return new GatewayEvidence(List.of(), List.of(blocked), List.of(), true);
    }

    FakeEngine run(int exit, String stdout) {
        return run(new Run(new Termination.Exited(exit), stdout, "", Map.of(), seen()));
    }

    FakeEngine run(Run run) {
        runs.add(run);
        return this;
    }

    @Override
    public Sandbox create(SandboxSpec spec) {
        created.add(spec);
        open++;
        return new Fake(runs.isEmpty() ? null : runs.poll());
    }

    private final class Fake implements Sandbox {
        private final Run run;
        private boolean killed;
        private boolean closed;

        Fake(Run run) {
            this.run = run;
        }

        @Override public String id() { return "fake"; }

        @Override
        public StdioChannel start() throws EngineException {
            if (run == null) {
                throw new EngineException(new Fault.ProberDefect("the test says nothing of this run: " + created.get(created.size() - 1).argv()));
            }
            return new Channel(this);
        }

        @Override public void signal(Signal signal) { killed = true; }

        @Override
        public Optional<Termination> awaitExit(Duration limit) {
            seen = run.seen();
            return Optional.of(killed ? new Termination.Stopped() : run.how());
        }

        @Override
        public void close() {
            open -= closed ? 0 : 1;
            closed = true;
        }
    }

    private final class Channel implements StdioChannel {
        private final Fake sandbox;
        private final Deque<Happening> happenings = new ArrayDeque<>();

        Channel(Fake sandbox) {
            this.sandbox = sandbox;
            happenings.add(new Happening.Stdout(1, sandbox.run.stdout().getBytes(StandardCharsets.UTF_8)));
            happenings.add(new Happening.Stderr(2, sandbox.run.stderr().getBytes(StandardCharsets.UTF_8)));
            if (lost) {
                happenings.add(new Happening.Lost(3, "gone"));
            }
            happenings.add(new Happening.StdoutEnd(3));
            happenings.add(new Happening.StderrEnd(4));
        }

        @Override public void send(byte[] bytes) {}

        @Override public void closeStdin() {}

        /** A run without a termination goes on until it is killed. */
        @Override
        public Optional<Happening> poll(Duration limit) throws InterruptedException {
            if (sandbox.run.how() == null && happenings.size() == 2 && !sandbox.killed) {
                Thread.sleep(5);
                return Optional.empty();
            }
            return Optional.ofNullable(happenings.poll());
        }

        @Override public void close() {}
    }

    @Override
    public boolean walk(Sandbox sandbox, String path, TreeVisitor visitor) throws EngineException {
        Map<String, String> tree = new TreeMap<>(((Fake) sandbox).run.tree());
        for (String file : List.copyOf(tree.keySet())) {
            for (int slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1)) {
                tree.putIfAbsent(file.substring(0, slash), null);
            }
        }
        boolean any = false;
        try {
            for (Map.Entry<String, String> file : tree.entrySet()) {
                if (!file.getKey().equals(path) && !file.getKey().startsWith(path + "/")) {
                    continue;
                }
                any = true;
                String text = file.getValue();
                boolean link = text != null && text.startsWith("-> ");
                byte[] bytes = text == null || link ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
                TreeEntry entry = new TreeEntry(file.getKey().equals(path) ? "" : file.getKey().substring(path.length() + 1),
                        link ? TreeEntry.Kind.LINK : text == null ? TreeEntry.Kind.FOLDER : TreeEntry.Kind.FILE, bytes.length, 0644, link ? text.substring(3) : "");
                if (!visitor.visit(entry, new ByteArrayInputStream(bytes)::read)) {
                    return true;
                }
            }
        } catch (IOException e) {
            throw new EngineException(new Fault.EngineError("walk", e.getMessage()), e);
        }
        return any;
    }

    @Override
    public Optional<FileHead> readFile(Sandbox sandbox, String path, int maxBytes) {
        String text = ((Fake) sandbox).run.tree().get(path);
        return Optional.ofNullable(text).map(t -> t.getBytes(StandardCharsets.UTF_8))
                .map(bytes -> new FileHead(java.util.Arrays.copyOf(bytes, Math.min(bytes.length, maxBytes)), bytes.length));
    }

    @Override
    public String commit(Sandbox sandbox, ImageConfig config) {
        committed.add(config);
        String id = "sha256:image" + committed.size();
        images.put(id, new ImageInfo(id, config.labels(), 1));
        return id;
    }

    @Override public void copyIn(Sandbox sandbox, Path source, String target) { written.add(target); }

    @Override public void writeFile(Sandbox sandbox, String path, byte[] bytes) { written.add(path); }

    @Override public long writtenBytes(Sandbox sandbox) { return writes; }

    @Override public int writtenEntries(Sandbox sandbox, int limit) { return entries; }

    @Override public Optional<ImageInfo> findImage(String image) { return Optional.ofNullable(images.get(image)); }

    @Override public void removeImage(String image) { images.remove(image); }

    @Override
    public List<Labelled> imagesWith(String label) {
        return images.values().stream().filter(image -> image.labels().containsKey(label))
                .map(image -> new Labelled(image.id(), image.labels(), Instant.EPOCH)).toList();
    }

    @Override public Sandbox open(String image) { throw new UnsupportedOperationException(); }

    @Override public SandboxImage require(String name) { return new SandboxImage(name, "tag-" + name, "sha256:" + name, BaseOrigin.OFFICIAL, "sha256:base"); }

    @Override public String describe() { return "fake"; }

    @Override public void close() {}

    @Override
    public InstallNetwork open() {
        networks++;
        seen = seen();
        return new InstallNetwork() {
            @Override public String name() { return "inst"; }

            @Override public String npmRegistry() { return "http://gw:4873/"; }

            @Override public String pythonIndex() { return "http://gw:3141/simple/"; }

            @Override public Map<String, String> environment() { return Map.of("http_proxy", "http://gw:3128"); }

            @Override
            public GatewayEvidence evidence() throws EngineException {
                if (diesAtCommit && !committed.isEmpty()) {
                    throw new EngineException(new Fault.RegistryUnreachable("the registry gateway ended"));
                }
                return seen;
            }

            @Override public void close() { networks--; }
        };
    }
}
