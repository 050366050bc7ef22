package dev.mcpprober.dataset.declared;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.Veil;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import dev.mcpprober.traits.DeclaredTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Table {@code declared-shares}: what tools and servers declare, counted over all and by kind of server. */
public final class DeclaredShares {
    public static final TableSchema SCHEMA = new TableSchema("declared-shares", "What servers declare: k of n tools, or of n servers that list a tool, with 95 % intervals "
            + "that take all of one publisher as alike. By annotation and by verb in the name are two ways to tell what a tool does; they are never mixed.", List.of(
            oneOf("figure", "What is asked; of-write-verb and of-read-verb: of tools whose name says so; of-write-annotation: of tools annotated as write or "
                    + "destructive; server- counts servers, any: at least one tool, all: every tool.", DeclaredFigures.names()).always(),
            plain("value", "What is counted. Values of schema, feature and third-state figures do not exclude each other.").always(),
            oneOf("unit", "What is counted.", List.of("tools", "servers")).always(),
            oneOf("group_by", "Dimension of the group.", List.of("all", "registry", "sdk_family")).always(),
            plain("group", "Which servers.").always(),
            integer("k", "Tools or servers with the value.").always(),
            integer("n", "Tools or servers of the group that are counted.").always(),
            number("share", "k / n.").always(),
            number("ci_low", "Lower bound of Wilson's interval at n_eff.").always(),
            number("ci_high", "Upper bound.").always(),
            oneOf("ci_method", "wilson: score interval at n. wilson-neff: the same at n_eff.", List.of("wilson", "wilson-neff")).always(),
            integer("n_clusters", "Publishers among the n.").always(),
            number("deff", "Design effect, as in table shares.").always(),
            number("n_eff", "n / deff.").always(),
            number("publisher_mean", "Mean over publishers of the share of each: every publisher counts the same.").always()),
            List.of("figure", "value", "group_by", "group"), List.of());

    private final List<Server> servers = new ArrayList<>();

    /**
     * A server that lists at least one tool.
     *
     * @param tools figure to values, for each tool
     * @param own   figure to values, for the server
     */
    private record Server(String publisher, String registry, String family, List<Map<String, List<String>>> tools, Map<String, List<String>> own) {}

    /** One figure for one group. */
    public record Line(String figure, String value, String unit, String by, String group, ClusteredShare share) {
        public double publisherMean() {
            return share.clusters().stream().mapToDouble(cluster -> cluster.share().orElse(0)).average().orElse(Double.NaN);
        }
    }

    public void add(ServerVerdicts server) {
        add(server, Optional.empty());
    }

    /** @param told of a withheld server, what may be told of it; it is counted in no group that would tell more */
    public void add(ServerVerdicts server, Optional<Veil.Traits> told) {
        if (!server.tools().isEmpty()) {
            String registry = server.row().registry();
            String publisher = registry.equals(Registry.LOCAL.id()) ? server.row().target() : Publishers.of(registry, server.row().name());
            List<DeclaredTool> tools = server.tools();
            String family = server.family().isEmpty() ? SdkFamily.UNKNOWN.id() : server.family();
            servers.add(new Server(publisher, told.map(Veil.Traits::registry).orElse(registry), told.map(Veil.Traits::family).orElse(family),
                    tools.stream().map(DeclaredFigures::of).toList(), DeclaredFigures.ofServer(tools)));
        }
    }

    /** In the order of the table. */
    public List<Line> finish() {
        Map<String, Function<Server, String>> dimensions = new LinkedHashMap<>();
        dimensions.put("all", server -> "all");
        dimensions.put("registry", Server::registry);
        dimensions.put("sdk_family", Server::family);
        List<Line> lines = new ArrayList<>();
        for (String figure : DeclaredFigures.names()) {
            boolean ofServers = figure.startsWith(DeclaredFigures.SERVER);
            TreeSet<String> values = new TreeSet<>(DeclaredFigures.always(figure));
            servers.forEach(server -> answers(server, figure, ofServers).forEach(values::addAll));
            for (String value : values) {
                dimensions.forEach((by, dimension) -> groups(figure, value, ofServers, dimension).forEach((group, share) ->
                        lines.add(new Line(figure, value, ofServers ? "servers" : "tools", by, group, share))));
            }
        }
        return lines;
    }

    private Map<String, ClusteredShare> groups(String figure, String value, boolean ofServers, Function<Server, String> dimension) {
        Map<String, Map<String, int[]>> counts = new TreeMap<>();
        for (Server server : servers) {
            if (dimension.apply(server).isEmpty()) {
                continue;
            }
            for (List<String> answer : answers(server, figure, ofServers)) {
                int[] count = counts.computeIfAbsent(dimension.apply(server), key -> new TreeMap<>()).computeIfAbsent(server.publisher(), key -> new int[2]);
                count[0] += answer.contains(value) ? 1 : 0;
                count[1]++;
            }
        }
        Map<String, ClusteredShare> out = new TreeMap<>();
        counts.forEach((group, publishers) -> out.put(group, new ClusteredShare(publishers.values().stream().map(c -> new Proportion(c[0], c[1])).toList())));
        return out;
    }

    /** Of the things that the figure counts; none where the server has none. */
    private static List<List<String>> answers(Server server, String figure, boolean ofServers) {
        if (ofServers) {
            return List.of(server.own().get(figure));
        }
        return server.tools().stream().filter(tool -> tool.containsKey(figure)).map(tool -> tool.get(figure)).toList();
    }

    /** Writes {@code declared-shares.csv} into {@code folder}. */
    public static Path write(List<Line> lines, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (CsvTable table = new CsvTable(folder, SCHEMA)) {
            table.add(lines.stream().map(DeclaredShares::row).toList());
            return table.finish();
        }
    }

    private static Row row(Line line) {
        Proportion all = line.share().all();
        Interval interval = line.share().wilson();
        return new Row(SCHEMA).set("figure", line.figure()).set("value", line.value()).set("unit", line.unit()).set("group_by", line.by()).set("group", line.group())
                .set("k", all.k()).set("n", all.n()).set("share", Decimal.text(all.share().orElseThrow())).set("ci_low", Decimal.text(interval.low()))
                .set("ci_high", Decimal.text(interval.high())).set("ci_method", line.share().publishers() == all.n() ? "wilson" : "wilson-neff")
                .set("n_clusters", line.share().publishers()).set("deff", Decimal.text(line.share().designEffect()))
                .set("n_eff", Decimal.text(line.share().effectiveSize())).set("publisher_mean", Decimal.text(line.publisherMean()));
    }
}
