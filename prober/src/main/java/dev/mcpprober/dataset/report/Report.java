package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.RunRedactor;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Folders;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tables as static pages: an overview, a list of servers, and one page for each server that was probed, with the frames behind its verdicts. The
 * pages say nothing that is not in the tables or the transcripts; the same tables give the same bytes.
 */
public final class Report {
    public static final String FOLDER = "report";
    private static final String INDEX = "index.html";
    private static final int NAME = 60;

    private final Tables tables;
    private final Path transcripts;
    private final Redactor redactor;
    private final Path out;
    private final String ruleSet;
    private final List<Material.ServerLine> servers = new ArrayList<>();
    private final List<RulePair> rules = new ArrayList<>();

    private Report(Tables tables, Path transcripts, Redactor redactor, Path out) throws IOException {
        this.tables = tables;
        this.transcripts = transcripts;
        this.redactor = redactor;
        this.out = out;
        this.ruleSet = tables.ruleSets().get(0);
        Map<String, Set<String>> checks = new HashMap<>();
        tables.all("rules").forEach(row -> checks.computeIfAbsent(row.get("rule_set"), key -> new HashSet<>()).add(row.get("check")));
        for (String other : tables.ruleSets().subList(1, tables.ruleSets().size())) {
            Set<String> common = new HashSet<>(checks.getOrDefault(ruleSet, Set.of()));
            common.retainAll(checks.getOrDefault(other, Set.of()));
            rules.add(new RulePair(ruleSet, other, common));
        }
    }

    /** @return why nothing is written to {@code out}: it holds something that is no report, and would be lost; empty where it may be */
    public static Optional<String> refusal(Path out) throws IOException {
        if (!Files.exists(out)) {
            return Optional.empty();
        }
        if (!Files.isDirectory(out)) {
            return Optional.of(out + " is a file; name a folder");
        }
        try (Stream<Path> files = Files.list(out)) {
            boolean empty = files.findAny().isEmpty();
            boolean report = Files.isRegularFile(out.resolve(INDEX)) && Files.readString(out.resolve(INDEX)).contains(Page.MARK);
            return empty || report ? Optional.empty() : Optional.of(out + " holds something that is no report; name a new or an empty folder");
        }
    }

    /**
     * Of a run, under the rule sets of {@code analysis}; the first one's verdicts are shown, the others compared with it.
     *
     * @param earlier a run to compare with, or null
     * @param out     replaced where it is there, see {@link #refusal}
     * @return the first page
     */
    public static Path ofRun(RunFolder run, Analysis analysis, RunFolder earlier, Path out) throws IOException {
        try {
            return ofRun(run, analysis, earlier, Audited.none(), out);
        } catch (AuditException e) {
            throw new IllegalStateException("without labels nothing can be wrong with them", e);
        }
    }

    /**
     * The same with what people said of a sample of its decisions.
     *
     * @throws AuditException where the labels are of decisions that are not made here; then nothing is written
     */
    public static Path ofRun(RunFolder run, Analysis analysis, RunFolder earlier, Audited labels, Path out) throws IOException, AuditException {
        Path beside = sibling(out, ".tables");
        Folders.delete(beside);
        try {
            Against against = earlier == null ? null : Against.of(earlier, run, analysis);
            return write(RunTables.write(run, analysis, labels, beside), run.path(), RunRedactor.of(run, analysis.redactor()), Optional.ofNullable(against), beside.resolve("data"), out);
        } finally {
            Folders.delete(beside);
        }
    }

    /** Of the tables and transcripts of a release, which the report need not be part of. */
    public static Path ofRelease(Path release, Path out) throws IOException {
        return write(new Tables(release), release, Redactor.NONE, Optional.empty(), release.resolve("data"), out);
    }

    private static Path write(Tables tables, Path transcripts, Redactor redactor, Optional<Against> against, Path data, Path out) throws IOException {
        Path building = sibling(out, ".building");
        Folders.delete(building);
        try {
            new Report(tables, transcripts, redactor, building).write(against);
            Files.copy(data.resolve("shares.csv"), building.resolve("shares.csv"));
            Folders.delete(out);
            Files.move(building, out, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(building);
        }
        return out.resolve(INDEX);
    }

    private static Path sibling(Path out, String suffix) {
        Path path = out.toAbsolutePath().normalize();
        return path.resolveSibling("." + path.getFileName() + suffix);
    }

    private void write(Optional<Against> against) throws IOException {
        Files.createDirectories(out.resolve("servers"));
        Files.createDirectories(out.resolve(Figure.FOLDER));
        Server.each(tables, this::add);
        Material material = new Material(tables, ruleSet, tables.all("shares").stream().map(ShareRow::of).toList(), tables.all("coverage"), audit(), servers, rules, against);
        page(INDEX, new Overview(material).html(out));
        page("servers.html", ServersPage.html(material, out));
    }

    private List<Cells> audit() throws IOException {
        return !tables.has("audit") ? List.of() : tables.all("audit").stream()
                .filter(row -> row.get("rule_set").equals(ruleSet) || row.get("rule_set").equals(Material.NONE)).toList();
    }

    private void page(String name, String html) throws IOException {
        AtomicFiles.write(out.resolve(name), html.getBytes(StandardCharsets.UTF_8));
    }

    private void add(Server server) throws IOException {
        Map<String, Stand> stands = server.stands().getOrDefault(ruleSet, Map.of());
        Cells target = server.target();
        String page = "";
        if (!target.get("state").equals(TargetState.EXCLUDED.id())) {
            String name = server.id().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[.-]+", "");
            page = "servers/" + name.substring(0, Math.min(NAME, name.length())) + "-" + Digests.sha256(server.id()).substring(0, 8) + ".html";
            page(page, new ServerPage(server, ruleSet, transcripts, redactor).html());
        }
        if (target.get("state").equals(TargetState.STARTED.id())) {
            rules.forEach(pair -> pair.add(server.stands()));
        }
        servers.add(new Material.ServerLine(server.id(), page, target.get("state"), target.get("reason"), target.get("revision"), target.get("sdk_family"),
                target.get("sdk_version"), count(stands, VerdictWord.FAIL), count(stands, VerdictWord.WARN)));
    }

    private static int count(Map<String, Stand> stands, VerdictWord word) {
        return (int) stands.values().stream().filter(stand -> stand.word() == word).count();
    }
}
