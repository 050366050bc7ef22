package dev.mcpprober.run;

import dev.mcpprober.corpus.Eligibility;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One line of {@code frame.jsonl}, the run's own account of its frame. Holds the names of variables, never their values.
 *
 * @param target   id of the entry, or {@code line-N} for a row that is left out
 * @param label    the target as the frame writes it; empty for a row that cannot be read
 * @param registry {@code npm}, {@code pypi}, {@code local}, or empty for a row that cannot be read
 * @param name     name in the registry, or the path
 * @param version  as the frame pins it, or empty
 * @param excluded code, or empty for a row that is to be measured
 * @param reason   why it is left out, for a person
 */
public record FrameRow(String target, int line, String label, String registry, String name, String version, List<String> args,
                       List<String> envNames, String note, String excluded, String reason) {
    public FrameRow {
        args = args == null ? List.of() : List.copyOf(args);
        envNames = envNames == null ? List.of() : List.copyOf(envNames);
    }

    public static FrameRow of(Eligibility row) {
        if (row instanceof Eligibility.Excluded excluded) {
            return new FrameRow(excluded.id(), excluded.line(), "", "", "", "", List.of(), List.of(), "", excluded.code(), excluded.reason());
        }
        FrameEntry entry = ((Eligibility.Eligible) row).entry();
        PackageUrl url = entry.url();
        List<String> envNames = List.copyOf(new TreeSet<>(entry.env().keySet()));
        return url == null
                ? new FrameRow(entry.id(), entry.line(), entry.label(), Registry.LOCAL.id(), entry.label(), "", entry.args(), envNames, entry.note(), "", "")
                : new FrameRow(entry.id(), entry.line(), entry.label(), url.registry().id(), url.name(), url.version().orElse(""), entry.args(),
                        envNames, entry.note(), "", "");
    }

    /**
     * What {@code target} has to be for a row that says this.
     *
     * @throws IllegalArgumentException when the row names nothing that could be one
     */
    public String id() {
        if (!excluded.isEmpty()) {
            return new Eligibility.Excluded(line, excluded, reason, "").id();
        }
        Target named = registry.equals(Registry.LOCAL.id()) ? new Target.OnDisk(Path.of(label))
                : new Target.InRegistry(new PackageUrl(registry.equals(Registry.NPM.id()) ? Registry.NPM : Registry.PYPI, name, Optional.of(version).filter(v -> !v.isEmpty())));
        return new FrameEntry(line, label, named, args, Map.of(), note).id();
    }
}
