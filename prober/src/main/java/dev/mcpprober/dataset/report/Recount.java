package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Registry;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the long tables of a release make of the figures in its other tables. Only where every server is named: of a withheld one they do not hold
 * all that is counted.
 *
 * @param shares   key of each row of table shares to its cells
 * @param standing target to check to the verdict that stands for it under the first rule set
 */
public record Recount(Map<List<String>, List<String>> shares, Map<String, Map<String, String>> standing) {
    public static Recount of(Path release) throws IOException {
        Tables tables = new Tables(release);
        String first = tables.ruleSets().get(0);
        Shares shares = new Shares();
        Map<String, Map<String, String>> standing = new HashMap<>();
        try (TableFile versions = tables.open("versions")) {
            Server.each(tables, server -> {
                List<ServerVerdicts.Offer> offers = versions.of(server.id()).stream()
                        .map(row -> new ServerVerdicts.Offer(row.get("offered"), row.get(row.get("answered").isEmpty() ? "met" : "answered"))).toList();
                shares.add(verdicts(server, offers));
                Map<String, String> words = new TreeMap<>();
                server.stands().getOrDefault(first, Map.of()).forEach((check, stand) -> words.put(check, stand.word().id()));
                standing.put(server.id(), words);
            });
            versions.end();
        }
        int key = ShareTable.SCHEMA.primaryKey().size();
        return new Recount(shares.finish(tables.ruleSets()).stream().map(ShareTable::cells).collect(Collectors.toMap(cells -> List.copyOf(cells.subList(0, key)), cells -> cells)),
                standing);
    }

    private static ServerVerdicts verdicts(Server server, List<ServerVerdicts.Offer> offers) {
        Cells target = server.target();
        String registry = target.get("registry");
        String name = registry.isEmpty() || registry.equals(Registry.LOCAL.id()) ? server.id() : PackageUrl.parse(server.id()).name();
        FrameRow row = new FrameRow(server.id(), 0, "", registry, name, "", List.of(), List.of(), "", "", "");
        Set<Era> eras = target.list("eras").stream().map(Era::of).collect(Collectors.toSet());
        return new ServerVerdicts(row, TargetState.of(target.get("state")), "", target.get("reason"), target.get("startup_failure"), eras, target.get("revision"),
                target.get("sdk_family"), target.get("sdk_version"), server.stands(), List.of(), offers, List.of());
    }
}
