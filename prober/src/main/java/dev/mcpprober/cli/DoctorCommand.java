package dev.mcpprober.cli;

import dev.mcpprober.sandbox.docker.EngineExamination;
import dev.mcpprober.sandbox.docker.EngineExamination.Item;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code prober doctor}: what this machine has and lacks. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
        description = "Look at engine, images, registries, certificates and disk, change nothing, and say what to do.")
final class DoctorCommand implements Callable<Integer> {
    private static final long GIB = 1L << 30;
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<Item> items = new ArrayList<>(host());
        items.addAll(EngineExamination.make());
        return print(items, spec.commandLine().getOut());
    }

    /** Returns the exit code. */
    static int print(List<Item> items, PrintWriter out) {
        for (Item item : items) {
            out.println(String.format(Locale.ROOT, "%-6s  %-18s  %s", item.ok() ? "ok" : "not ok", item.what(), item.detail()));
            if (!item.ok()) {
                out.println(" ".repeat(8) + "→ " + item.remedy());
            }
        }
        out.flush();
        return items.stream().allMatch(Item::ok) ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static List<Item> host() throws IOException {
        List<Item> items = new ArrayList<>();
        items.add(new Item("prober", true, ProberVersion.get() + " on Java " + System.getProperty("java.version") + ", heap " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB", ""));
        items.add(space("cache", EngineStack.cacheFolder(), "set PROBER_CACHE to a folder with room"));
        items.add(space("this folder", Path.of("").toAbsolutePath(), "results/runs/ and bundles want room"));
        boolean client = Stream.of(System.getenv().getOrDefault("PATH", "").split(":")).filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "docker")));
        items.add(new Item("docker command", client, client ? "is there" : "is not on the PATH",
                "only the scripts of check --bundle need it (for a server in an image); all else speaks to the engine itself"));
        return items;
    }

    private static Item space(String what, Path folder, String remedy) throws IOException {
        Path there = folder;
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        long free = Files.getFileStore(there).getUsableSpace();
        boolean writable = Files.isWritable(there);
        return new Item(what, writable && free >= GIB, String.format(Locale.ROOT, "%s, %.1f GiB free%s", folder, (double) free / GIB, writable ? "" : ", not writable"), remedy);
    }
}
