package dev.mcpprober.bench.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Docker engine of this program's own, which it may stop, kill and halt without anybody else noticing: storage, socket and network namespace
 * are apart from the machine's engine, and so is its share of the processors. Needs root and the engine's programs. {@link #close()} leaves nothing of it.
 */
final class OwnEngine implements AutoCloseable {
    private static final Path RUN = Path.of("/run");
    private static final String PREFIX = "mcp-prober-soak-";
    private static final int ANSWER_SECONDS = 120;
    private static final int STOP_SECONDS = 90;
    private static final int START_ATTEMPTS = 3;
    /** Sparse: only what is used is taken from the machine's disk. */
    private static final String DISK_BYTES = "12G";

    private final Path run;
    private final Path storage;
    private final String namespace;
    private final String outer;
    private final String inner;
    private final String subnet;
    private Process daemon;

    private OwnEngine(long owner, Path storage) {
        this.run = RUN.resolve(PREFIX + owner);
        this.storage = storage;
        this.namespace = PREFIX + owner;
        this.outer = "so" + owner;
        this.inner = "si" + owner;
        this.subnet = "10.213." + owner % 256 + ".";
    }

    /**
     * @param storage where images and containers are kept; made, and removed by {@link #close()}
     * @param disk    the storage is a disk of its own, which {@link #fillDisk} can fill without harm to others
     */
    static OwnEngine open(Path storage, boolean disk) throws IOException, InterruptedException {
        removeStale();
        OwnEngine engine = new OwnEngine(ProcessHandle.current().pid(), storage.toAbsolutePath());
        boolean open = false;
        try {
            Files.createDirectories(engine.run);
            Files.createDirectories(engine.storage);
            Files.writeString(engine.run.resolve("storage"), engine.storage.toString());
            if (disk) {
                engine.ownDisk();
            }
            engine.network();
            engine.start();
            open = true;
            return engine;
        } finally {
            if (!open) {
                engine.close();
            }
        }
    }

    /** What a killed soak left. */
    private static void removeStale() throws IOException, InterruptedException {
        try (Stream<Path> all = Files.list(RUN)) {
            for (Path left : all.filter(path -> path.getFileName().toString().matches(PREFIX + "\\d{1,9}")).toList()) {
                long owner = Long.parseLong(left.getFileName().toString().substring(PREFIX.length()));
                Path storage = left.resolve("storage");
                if (ProcessHandle.of(owner).isEmpty() && Files.exists(storage)) {
                    new OwnEngine(owner, Path.of(Files.readString(storage))).close();
                }
            }
        }
    }

    private Path disk() {
        return storage.resolveSibling(storage.getFileName() + ".disk");
    }

    private void ownDisk() throws IOException, InterruptedException {
        Shell.run("truncate", "-s", DISK_BYTES, disk().toString());
        Shell.run("mkfs.ext4", "-q", "-m", "0", "-F", disk().toString());
        Shell.run("mount", "-o", "loop", disk().toString(), storage.toString());
    }

    /** Takes all room for a while, in one step. */
    void fillDisk(long millis) throws IOException, InterruptedException {
        Path filler = storage.resolve("filler");
        try {
            Shell.run("fallocate", "-l", Long.toString(Math.max(1, Files.getFileStore(storage).getUsableSpace() - (1 << 20))), filler.toString());
            Thread.sleep(millis);
        } finally {
            Files.deleteIfExists(filler);
        }
    }

    /** A namespace of its own: two engines in one would take each other's packet filters away. */
    private void network() throws IOException, InterruptedException {
        Shell.run("ip", "netns", "add", namespace);
        Shell.run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", namespace);
        Shell.run("ip", "addr", "add", subnet + "1/30", "dev", outer);
        Shell.run("ip", "link", "set", outer, "up");
        Shell.run("ip", "-n", namespace, "addr", "add", subnet + "2/30", "dev", inner);
        Shell.run("ip", "-n", namespace, "link", "set", inner, "up");
        Shell.run("ip", "-n", namespace, "link", "set", "lo", "up");
        Shell.run("ip", "-n", namespace, "route", "add", "default", "via", subnet + "1");
        for (List<String> rule : rules()) {
            Shell.run(iptables("-I", rule));
        }
    }

    private List<List<String>> rules() {
        return List.of(List.of("nat", "POSTROUTING", "-s", subnet + "0/30", "-j", "MASQUERADE"),
                List.of("filter", "FORWARD", "-i", outer, "-j", "ACCEPT"), List.of("filter", "FORWARD", "-o", outer, "-j", "ACCEPT"));
    }

    private static String[] iptables(String action, List<String> rule) {
        List<String> command = new ArrayList<>(List.of("iptables", "-w", "-t", rule.get(0), action));
        command.addAll(rule.subList(1, rule.size()));
        return command.toArray(String[]::new);
    }

    String host() {
        return "unix://" + run.resolve("docker.sock");
    }

    /** A command that sees the engine's bridges, as programs beside a machine's own engine do. */
    List<String> beside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
        all.addAll(command);
        return all;
    }

    Map<String, String> environment() {
        return Map.of("DOCKER_HOST", host(), "PROBER_NO_ENGINE_SETUP", "1");
    }

    void start() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                startOnce();
                return;
            } catch (IOException e) {
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void startOnce() throws IOException, InterruptedException {
        // What a killed engine leaves would be taken for a live process and keep a new one from starting.
        for (String left : List.of("dockerd.pid", "exec/containerd/containerd.pid", "exec/containerd/containerd.sock", "docker.sock")) {
            Files.deleteIfExists(run.resolve(left));
        }
        ProcessBuilder builder = new ProcessBuilder(beside(List.of("dockerd", "--data-root", storage.toString(), "--exec-root", run.resolve("exec").toString(),
                "--pidfile", run.resolve("dockerd.pid").toString(), "--cgroup-parent", "/" + namespace, "-H", host())))
                .redirectInput(new File("/dev/null")).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(run.resolve("dockerd.log").toFile()));
        builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
        daemon = builder.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        while (!Shell.works("docker", "-H", host(), "version")) {
            if (!daemon.isAlive() || System.nanoTime() > end) {
                daemon.destroyForcibly().waitFor();
                throw new IOException("the engine does not start: " + lastWords());
            }
            Thread.sleep(200);
        }
    }

    private String lastWords() throws IOException {
        List<String> lines = Files.readAllLines(run.resolve("dockerd.log"), StandardCharsets.ISO_8859_1);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    /** As its service manager would. */
    void stop() throws InterruptedException {
        daemon.destroy();
        if (!daemon.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** As a crash of it; the kernel then ends the containerd that it started. */
    void kill() throws InterruptedException {
        List<ProcessHandle> children = daemon.children().toList();
        daemon.destroyForcibly().waitFor();
        children.forEach(child -> child.onExit().completeOnTimeout(child, STOP_SECONDS, TimeUnit.SECONDS).join());
    }

    /** It is there and does nothing. */
    void halt(long millis) throws IOException, InterruptedException {
        String pid = Long.toString(daemon.pid());
        Shell.run("kill", "-STOP", pid);
        try {
            Thread.sleep(millis);
        } finally {
            Shell.run("kill", "-CONT", pid);
        }
    }

    String docker(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker", "-H", host()));
        command.addAll(Arrays.asList(arguments));
        return Shell.run(command.toArray(String[]::new));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (daemon != null && daemon.isAlive()) {
            stop();
        }
        // What a killed engine leaves running knows this folder by its command line.
        for (int look = 0; look < 50 && endProcesses(); look++) {
            Thread.sleep(100);
        }
        for (List<String> rule : rules()) {
            Shell.works(iptables("-D", rule));
        }
        Shell.works("ip", "netns", "del", namespace);
        List<String> mounted = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            String at = line.split(" ")[1];
            if (Path.of(at).startsWith(run) || Path.of(at).startsWith(storage)) {
                mounted.add(at);
            }
        }
        Collections.reverse(mounted);
        for (String at : mounted) {
            Shell.works("umount", "-l", at);
        }
        Shell.works("sh", "-c", "rmdir /sys/fs/cgroup/" + namespace + " /sys/fs/cgroup/*/" + namespace);
        Shell.works("rm", "-rf", "--one-file-system", storage.toString(), disk().toString());
        Shell.works("rm", "-rf", "--one-file-system", run.toString());
    }

    private boolean endProcesses() throws IOException {
        boolean any = false;
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            try {
                if (process.pid() != ProcessHandle.current().pid() && new String(Files.readAllBytes(line), StandardCharsets.ISO_8859_1).contains(run + "/exec")) {
                    any = true;
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        return any;
    }
}
