package dev.mcpprober.install;

import dev.mcpprober.redaction.Redaction;
import java.util.ArrayList;
import java.util.List;

/**
 * What starts a server.
 *
 * @param argv       program and arguments, run directly, without a shell
 * @param reason     why this one, for a person
 * @param candidates everything that the package offers to start, in its own order
 */
public record EntryPoint(List<String> argv, String reason, List<String> candidates) {
    public EntryPoint {
        argv = List.copyOf(argv);
        candidates = List.copyOf(candidates);
    }

    EntryPoint redacted(Redaction redaction) {
        return new EntryPoint(argv.stream().map(redaction::text).toList(), reason, candidates);
    }

    EntryPoint withArguments(List<String> more) {
        List<String> all = new ArrayList<>(argv);
        all.addAll(more);
        return new EntryPoint(all, reason, candidates);
    }
}
