package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which process a container belongs to, so that what a killed prober left is told from what a live one uses. Written as a label:
 * {@code host/boot/pid/start}, where host names the machine and PID namespace, boot its current run, start the process's start in
 * a unit that only has to differ between two processes with one pid. Of a prober that itself runs in a container of the engine, host
 * names that container instead: whether it still runs, the engine can be asked from anywhere.
 */
record RunOwner(String host, String boot, long pid, String start) {
    /** On everything that the prober creates; the reaper goes by it and by nothing else. */
    static final String RUN_LABEL = "dev.mcpprober.run";
    static final String OWNER_LABEL = "dev.mcpprober.owner";

    private static final Path PROC = Path.of("/proc");

    private static final String CONTAINER = "container-";
    /** Whatever the isolation, an engine mounts these of a container's own from a folder that is named like it. */
    private static final Pattern MOUNTED = Pattern.compile("\\S+ \\S+ \\S+ \\S*/containers/([0-9a-f]{64})/\\S+ /etc/(?:hostname|hosts|resolv\\.conf) .*");

    static RunOwner thisProcess() {
        return of(thisHost());
    }

    /** @param known whether the engine in use has a container of this id: a prober may run in one of another engine */
    static RunOwner thisProcess(Predicate<String> known) {
        Optional<String> container = read(PROC.resolve("self/mountinfo")).flatMap(RunOwner::containerOf).filter(known);
        return of(container.map(id -> CONTAINER + id).orElseGet(RunOwner::thisHost));
    }

    private static RunOwner of(String host) {
        long pid = ProcessHandle.current().pid();
        return new RunOwner(host, thisBoot(), pid, startOf(pid).orElse("?"));
    }

    /** The container that a process with this {@code mountinfo} runs in. */
    static Optional<String> containerOf(String mountinfo) {
        return mountinfo.lines().map(MOUNTED::matcher).filter(Matcher::matches).map(line -> line.group(1)).findFirst();
    }

    static Optional<RunOwner> parse(String label) {
        String[] parts = label.split("/", -1);
        if (parts.length != 4 || !parts[2].matches("\\d{1,18}")) {
            return Optional.empty();
        }
        return Optional.of(new RunOwner(parts[0], parts[1], Long.parseLong(parts[2]), parts[3]));
    }

    String label() {
        return host + "/" + boot + "/" + pid + "/" + start;
    }

    Map<String, String> labels(String runId) {
        return Map.of(RUN_LABEL, runId, OWNER_LABEL, label());
    }

    /**
     * True only where that can be known: the process ran on this machine, in this PID namespace, and is no more; or in a container that
     * is no more.
     *
     * @param here this process
     * @param runs whether the engine has a running container of this id
     */
    boolean isGone(RunOwner here, Predicate<String> runs) {
        if (!host.equals(here.host)) {
            return host.startsWith(CONTAINER) && !runs.test(host.substring(CONTAINER.length()));
        }
        return !boot.equals(thisBoot()) || !startOf(pid).equals(Optional.of(start));
    }

    private static String thisHost() {
        String machine = read(Path.of("/etc/machine-id")).orElseGet(RunOwner::hostName);
        String namespace = "";
        try {
            namespace = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException e) {
            // Not Linux: one PID namespace.
        }
        return UUID.nameUUIDFromBytes((machine + namespace).getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }

    private static String thisBoot() {
        return read(PROC.resolve("sys/kernel/random/boot_id")).orElse("-");
    }

    /** Clock ticks since boot on Linux (field 22 of stat; the name before it may hold blanks and brackets), elsewhere the start instant. */
    private static Optional<String> startOf(long pid) {
        if (Files.isDirectory(PROC.resolve("self"))) {
            return read(PROC.resolve(pid + "/stat")).map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
        }
        return ProcessHandle.of(pid).flatMap(process -> process.info().startInstant()).map(Object::toString);
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).lines().map(Printable::text).collect(Collectors.joining("\n")).trim()).filter(text -> !text.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
