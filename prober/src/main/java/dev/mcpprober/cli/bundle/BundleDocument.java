package dev.mcpprober.cli.bundle;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.cli.report.MarkdownReport;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The two tables of contents of a bundle: {@code bundle.json} for programs and {@code README.md} for people. */
final class BundleDocument {
    /** Runs every script of the bundle. */
    static final String ALL = """
            #!/bin/sh
            # Runs every script of this bundle. Exit status: 0 all findings show, 1 one does not, 2 one could not be tried.
            here=$(cd "$(dirname "$0")" && pwd)
            worst=0
            for script in "$here"/findings/*/reproduce.sh; do
              [ -e "$script" ] || continue
              sh "$script" >/dev/null 2>&1 </dev/null
              status=$?
              case $status in 0) word='shows' ;; 1) word='does not show' ;; *) word='could not be tried' ;; esac
              printf '%-20s %s\\n' "$word" "$(basename "$(dirname "$script")")"
              [ $status -gt $worst ] && worst=$status
            done
            exit $worst
            """;

    private BundleDocument() {}

    static byte[] json(BundleSource source, Optional<ServerStart> start, List<Bundle.Entry> entries) throws IOException {
        ObjectNode root = Json.object().put("format", "mcp-prober-bundle").put("formatVersion", 1).put("prober", source.version()).put("made", source.now());
        // What a variable was set to is the user's own, secret or not.
        strings(root.putArray("arguments"), source.arguments().stream().map(word -> source.environment().keySet().stream().filter(name -> word.startsWith(name + "=")
                || word.startsWith("--env=" + name + "=")).findFirst().map(name -> word.substring(0, word.indexOf(name) + name.length()) + "=").orElse(word)).toList());
        ObjectNode target = root.putObject("target").put("purl", source.result().target().purl()).put("name", source.result().target().name());
        source.record().ifPresent(record -> target.put("artefactDigest", record.artefact().digest()));
        root.put("server", start.map(ServerStart::display).orElse(null));
        source.ran().ifPresent(ran -> {
            strings(root.putArray("entryPoint"), ran.argv());
            root.put("workdir", ran.workdir()).put("imageDigest", ran.image().isEmpty() ? null : ran.image())
                    .put("isolation", ran.image().isEmpty() ? "host" : ran.policy().canonical());
        });
        source.record().map(InstallRecord::lock).ifPresent(lock -> root.putObject("lockfile").put("name", lock.name()).put("sha256", lock.sha256()));
        strings(root.putArray("ruleSets"), source.result().ruleLabels());
        ArrayNode findings = root.putArray("findings");
        for (Bundle.Entry entry : entries) {
            Finding finding = entry.finding();
            ObjectNode node = findings.addObject().put("rules", finding.key().rules()).put("check", finding.key().check()).put("verdict", finding.verdict())
                    .put("era", finding.key().era()).put("tool", finding.key().tool()).put("property", finding.key().property())
                    .put("observed", finding.key().observed()).put("fingerprint", finding.key().fingerprint()).put("session", finding.session());
            finding.witness().forEach(node.putArray("witness")::add);
            node.put("folder", entry.folder().isEmpty() ? null : entry.folder()).put("script", entry.outcome().id()).put("note", entry.note());
        }
        String text = Json.mapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII).writeValueAsString(root);
        return (text.replace("\u007f", "\\u007f") + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void strings(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    static String readme(BundleSource source, Optional<ServerStart> start, List<Bundle.Entry> entries) {
        StringBuilder out = new StringBuilder("# What mcp-prober found in ").append(MarkdownReport.code(source.result().label())).append("\n\n");
        out.append("Made by mcp-prober ").append(source.version()).append(", ").append(source.now()).append(", rule sets ")
                .append(String.join(", ", source.result().ruleLabels())).append(".\n\n");
        start.ifPresent(s -> out.append("The server is started as\n\n").append(MarkdownReport.block(List.of(dev.mcpprober.model.Printable.text(s.display(), 4000)))).append('\n'));
        if (entries.isEmpty()) {
            out.append("Nothing was found that leaves something to change.\n");
        } else {
            out.append("| verdict | finding | script | when it was tried here |\n|---|---|---|---|\n");
            for (Bundle.Entry entry : entries) {
                out.append("| ").append(entry.finding().verdict()).append(" | ").append(MarkdownReport.code(entry.finding().title())).append(" | ")
                        .append(entry.folder().isEmpty() ? "none" : "[reproduce.sh](" + entry.folder() + "/reproduce.sh)").append(" | ")
                        .append(entry.outcome().id()).append(entry.note().isEmpty() ? "" : ": " + entry.note()).append(" |\n");
            }
            out.append("\nEach script stands alone: it starts the server, sends the frames, waits, and shows the line (or the silence, or the end of the process) that\n")
                    .append("proves the finding. It exits with 0 when the finding shows, 1 when it does not, 2 when it could not be tried. `frames.jsonl` beside it\n")
                    .append("has the same frames to paste. To try a server that you have mended:\n\n")
                    .append("    SERVER='node build/index.js' sh ").append(entries.stream().map(Bundle.Entry::folder).filter(f -> !f.isEmpty()).findFirst().orElse("findings/…"))
                    .append("/reproduce.sh\n\n`sh reproduce-all.sh` runs all of them.\n");
        }
        out.append("\nAlso here: `report.txt` and `report.json`, `bundle.json` (the command, digests and findings as data), `transcripts/` (all sessions, byte by byte)")
                .append(source.record().isPresent() ? ", `install.json` and the lockfile" : "").append(".\n");
        return out.toString();
    }
}
