package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Behaviour by exact SDK version, in the order of releases. */
final class SdkVersionsPart implements Part {
    private static final String BY = "sdk_version";
    private static final List<String> CHECKS = List.of("tools-call-unknown", "tools-call-wrong-type");
    private static final List<Sheet.Col> LABELS = List.of(Sheet.text("sdk_family", "SDK family"), Sheet.text("sdk_version", "version"));
    private static final Comparator<ShareRow> ORDER = Comparator.comparing(SdkVersionsPart::family).thenComparing(SdkVersionsPart::version, Versions.ORDER)
            .thenComparing(ShareRow::value);

    @Override
    public Optional<Section> section(Material material) {
        List<Figure> figures = new ArrayList<>();
        for (String check : CHECKS) {
            List<ShareRow> rows = material.shares("observed", check, null, BY).stream().sorted(ORDER).toList();
            if (!rows.isEmpty()) {
                figures.add(observed(check, rows));
            }
        }
        List<ShareRow> rows = material.shares("no-fail", null, null, BY).stream().sorted(ORDER).toList();
        if (!rows.isEmpty()) {
            figures.add(curve(rows));
        }
        return figures.isEmpty() ? Optional.empty() : Optional.of(new Section("sdk-versions", "SDK versions", Section.paragraph("By the exact version that was installed, "
                + "in the order of releases, family by family. An asterisk marks less than 30 servers: what one server does there may be its own doing and not its SDK's."), figures));
    }

    private static Figure observed(String check, List<ShareRow> rows) {
        String id = "versions-" + check;
        String title = "What servers do at " + check + ", by exact SDK version";
        TreeSet<String> values = new TreeSet<>();
        rows.forEach(row -> values.add(row.value()));
        List<String> order = List.copyOf(values);
        List<Palette.Fill> fills = Palette.of(order);
        Map<String, Map<String, Map<String, ShareRow>>> families = new TreeMap<>();
        rows.forEach(row -> families.computeIfAbsent(family(row), key -> new LinkedHashMap<>()).computeIfAbsent(version(row), key -> new TreeMap<>()).put(row.value(), row));
        List<Charts.Stack> stacks = new ArrayList<>();
        families.forEach((family, versions) -> versions.forEach((version, byValue) ->
                stacks.add(new Charts.Stack(family + " " + version, "n " + Charts.servers(byValue.values().iterator().next().n()),
                order.stream().map(value -> byValue.containsKey(value) ? byValue.get(value).k() : 0).toList()))));
        List<Sheet.Col> labels = new ArrayList<>(LABELS);
        labels.add(Sheet.text("observed", "observed"));
        Sheet sheet = Sheet.shares(labels, rows, row -> List.of(family(row), version(row), row.value()));
        return new Figure(id, title, sheet, Charts.stacks(id, title, fills, stacks), Vega.stacksByPanel(title, sheet, "sdk_family", "sdk_version", "observed", fills));
    }

    private static Figure curve(List<ShareRow> rows) {
        String id = "versions-no-fail";
        String title = "Share of servers without a failing check, by exact SDK version";
        Map<String, List<Charts.Bar>> families = new TreeMap<>();
        rows.forEach(row -> families.computeIfAbsent(family(row), key -> new ArrayList<>())
                .add(new Charts.Bar(version(row), row.share(), row.low(), row.high(), Charts.servers(row.n()))));
        List<String> pictures = new ArrayList<>();
        families.forEach((family, steps) -> {
            pictures.addAll(Charts.curve(id + "-" + family, family, title + ": " + family, steps));
        });
        Sheet sheet = Sheet.shares(LABELS, rows, row -> List.of(family(row), version(row)));
        return new Figure(id, title, sheet, pictures, Vega.curves(title, sheet, "sdk_family", "sdk_version"));
    }

    private static String family(ShareRow row) {
        return row.group().substring(0, row.group().indexOf(' '));
    }

    private static String version(ShareRow row) {
        return row.group().substring(row.group().indexOf(' ') + 1);
    }
}
