package dev.mcpprober.corpus;

import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One target of a frame.
 *
 * @param line   line of the frame's file, counted from 1
 * @param label  the target as the frame writes it; for a path the same on every machine
 * @param target what to install; a path is resolved against the folder of the frame
 * @param args   extra arguments for the entry point
 * @param env    variables for the session; the values may be secrets and are never published
 * @param note   for the reader
 */
public record FrameEntry(int line, String label, Target target, List<String> args, Map<String, String> env, String note) {
    public FrameEntry {
        args = List.copyOf(args);
        env = Map.copyOf(env);
    }

    /**
     * Names the target in ledgers and data sets: the package URL as the frame pins it, or the path; with a digest of the extra
     * arguments where there are any, since the same package with other arguments is another target. Depends on this row alone.
     */
    public String id() {
        String base = target instanceof Target.InRegistry registry ? registry.url().purl() : label;
        return args.isEmpty() ? base : base + "#args-" + Digests.sha256(argsJson()).substring(0, 12);
    }

    /** The package of a registry, or null for a path. */
    public PackageUrl url() {
        return target instanceof Target.InRegistry registry ? registry.url() : null;
    }

    /** JSON array of strings. */
    public String argsJson() {
        return Json.write(Json.mapper().valueToTree(args));
    }

    /**
     * JSON object of names, in order, each with eight bits of a digest of its value: enough to notice nearly always that it is another one. Digests of
     * this are published, and a short value could be guessed from one that holds the whole of it.
     */
    public String envJson() {
        Map<String, String> marks = new TreeMap<>();
        env.forEach((name, value) -> marks.put(name, Digests.sha256(name + "\n" + value).substring(0, 2)));
        return Json.write(Json.mapper().valueToTree(marks));
    }
}
