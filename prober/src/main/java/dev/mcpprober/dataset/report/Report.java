package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A run as static pages: an overview, and one page for each server that gave a session, with the frames behind its verdicts. */
public final class Report {
    private final RunFolder run;
    private final Path out;
    private final String ruleSet;
    private final List<Server> servers = new ArrayList<>();
    private final Map<TargetState, Map<String, Integer>> ends = new TreeMap<>();
    private final Shares shares = new Shares();

    /** A row of the list of servers. {@code page} is empty where there is none. */
    record Server(String target, String page, TargetState state, String reason, String revision, String family, String version, long fails, long warns) {}

    private Report(RunFolder run, Path out, String ruleSet) {
        this.run = run;
        this.out = out;
        this.ruleSet = ruleSet;
    }

    /**
     * Writes {@code index.html}, {@code servers/}, {@code figures/} and {@code shares.csv} under {@code out}; the same run gives the same bytes.
     *
     * @return the first page
     */
    public static Path write(RunFolder run, Analysis analysis, Path out) throws IOException {
        Report report = new Report(run, out, analysis.judges().get(0).label());
        Files.createDirectories(out.resolve("servers"));
        Files.createDirectories(out.resolve("figures"));
        List<IOException> broken = new ArrayList<>();
        RunInfo info = ServerVerdicts.each(run, analysis, server -> {
            try {
                report.add(server);
            } catch (IOException e) {
                broken.add(e);
            }
        });
        if (!broken.isEmpty()) {
            throw broken.get(0);
        }
        List<ShareLine> lines = report.shares.finish(List.of(report.ruleSet));
        ShareTable.write(lines, out);
        Path index = out.resolve("index.html");
        String html = new Overview(info, report.ruleSet, report.ends, report.servers, lines).html(out.resolve("figures"));
        AtomicFiles.write(index, html.getBytes(StandardCharsets.UTF_8));
        return index;
    }

    private void add(ServerVerdicts server) throws IOException {
        shares.add(server);
        ends.computeIfAbsent(server.state(), key -> new TreeMap<>()).merge(server.reason(), 1, Integer::sum);
        Map<String, Stand> stands = server.stands().getOrDefault(ruleSet, Map.of());
        String page = "";
        if (!stands.isEmpty()) {
            page = server.row().target().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[.-]+", "");
            page = "servers/" + page.substring(0, Math.min(60, page.length())) + "-" + Digests.sha256(server.row().target()).substring(0, 8) + ".html";
            AtomicFiles.write(out.resolve(page), new ServerPage(run, server, ruleSet).html().getBytes(StandardCharsets.UTF_8));
        }
        servers.add(new Server(server.row().target(), page, server.state(), server.reason(), server.revision(), server.family(), server.sdkVersion(),
                count(stands, VerdictWord.FAIL), count(stands, VerdictWord.WARN)));
    }

    private static long count(Map<String, Stand> stands, VerdictWord word) {
        return stands.values().stream().filter(stand -> stand.word() == word).count();
    }
}
