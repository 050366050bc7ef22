package dev.mcpprober.sandbox.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Kills a process and what it has started. Descendants are known while their parents live; those that let go of their parent
 * (daemons) are found on Linux by a variable in their environment. One that also wiped its environment escapes.
 */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_ENVIRON = 4 << 20;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private ProcessTree() {}

    /** @param mark {@code NAME=value} that the root's environment has */
    static void kill(ProcessHandle root, String mark) {
        long end = System.nanoTime() + LIMIT_NANOS;
        List<ProcessHandle> found = new ArrayList<>(root.descendants().toList());
        found.add(root);
        // What a process forks between our look and its death is found by the next look.
        while (!found.isEmpty() && System.nanoTime() < end) {
            found.forEach(ProcessHandle::destroyForcibly);
            found.forEach(ProcessTree::awaitDeath);
            found = marked(mark);
        }
    }

    private static void awaitDeath(ProcessHandle process) {
        try {
            for (int i = 0; i < 100 && process.isAlive() && !isZombie(process.pid()); i++) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<ProcessHandle> marked(String mark) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isReadable(PROC.resolve("self/environ"))) {
            return found;
        }
        byte[] needle = mark.getBytes(StandardCharsets.UTF_8);
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid != ProcessHandle.current().pid() && contains(environ(process), needle)) {
                    ProcessHandle.of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            // What was found so far is killed; the next look goes on.
        }
        return found;
    }

    /** Empty where it is another user's, or is gone, or a zombie. */
    private static byte[] environ(Path process) {
        try (var in = Files.newInputStream(process.resolve("environ"))) {
            return in.readNBytes(MAX_ENVIRON);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static boolean contains(byte[] environ, byte[] needle) {
        for (int start = 0; start + needle.length <= environ.length; start++) {
            int end = start;
            while (end < environ.length && environ[end] != 0) {
                end++;
            }
            if (Arrays.equals(environ, start, end, needle, 0, needle.length)) {
                return true;
            }
            start = end;
        }
        return false;
    }

    private static boolean isZombie(long pid) {
        return stat(pid).map(stat -> stat.startsWith("Z", stat.lastIndexOf(')') + 2)).orElse(false);
    }

    private static Optional<String> stat(long pid) {
        try {
            return Optional.of(Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
