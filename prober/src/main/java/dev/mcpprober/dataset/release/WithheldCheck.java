package dev.mcpprober.dataset.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What would tell who a withheld server is is not there, in whatever table, and each shares what is told of it with others. */
final class WithheldCheck {
    private static final Set<String> TELLING = Set.of("line", "label", "requested_version", "args", "env_names", "purl", "integrity", "image", "base", "tool_count", "install_ms",
            "install_caveat", "work_key", "sha256", "transcript", "transcript_sha256", "duration_ms", "stdout_bytes", "stderr_bytes", "ended", "ended_at", "status", "style", "witness");
    private static final Set<String> UNTOLD = Set.of("flaky", "witnesses", "failure-shapes", "declared-tools", "vocabulary");
    private static final List<String> SHARED = List.of("state", "reason", "startup_failure", "eras", "registry", "sdk_family", "sdk_version", "revision");
    private static final Map<String, String> FORMS = Map.of("started_at", "\\d{4}-\\d\\d-01T00:00:00Z", "attempt", "a\\d{4,9}", "observation", "o\\d{5,9}",
            "sdk_version", "[^.]+(\\.\\d*)?");
    private static final int K = 5;

    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final Problems problems;

    WithheldCheck(Path folder, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.tables = tables;
        this.problems = problems;
    }

    /** @return pseudonyms */
    Set<String> run() throws IOException {
        Set<String> withheld = new HashSet<>();
        Map<List<String>, Integer> alike = new HashMap<>();
        each("targets", row -> {
            boolean pseudonym = row.get("target_id").matches("held-[a-z2-7]{16}(-\\d+)?");
            if (row.get("disclosure").equals("withheld")) {
                withheld.add(row.get("target_id"));
                alike.merge(told(row), 1, Integer::sum);
            }
            if (pseudonym != row.get("disclosure").equals("withheld")) {
                bad(row, "disclosure " + row.get("disclosure") + " with id " + row.get("target_id"));
            }
        });
        each("targets", row -> {
            if (withheld.contains(row.get("target_id")) && alike.get(told(row)) < K) {
                bad(row, "a withheld server that shares what is told of it with " + (alike.get(told(row)) - 1) + " others, and not with " + (K - 1));
            }
        });
        for (Descriptor table : tables.values()) {
            if (table.position("target_id") < 0) {
                continue;
            }
            boolean exact = Set.of("targets", "servers").contains(table.name());
            each(table.name(), row -> {
                if (withheld.contains(row.get("target_id"))) {
                    table.fields().forEach(field -> cell(row, field.name(), exact));
                    if (UNTOLD.contains(table.name())) {
                        bad(row, "a row of a withheld server");
                    }
                }
            });
        }
        return withheld;
    }

    private static List<String> told(TableRow row) {
        return SHARED.stream().map(row::get).toList();
    }

    private void cell(TableRow row, String column, boolean exact) {
        String cell = row.get(column);
        boolean version = column.equals("version");
        if (cell.isEmpty()) {
            return;
        }
        if (column.endsWith("_text") || TELLING.contains(column) || version && exact) {
            bad(row, "a withheld server with " + column);
        } else if (!cell.matches(FORMS.getOrDefault(version ? "sdk_version" : column, "(?s).*"))) {
            bad(row, "a withheld server with an exact " + column);
        }
    }

    private void each(String table, Consumer<TableRow> rows) throws IOException {
        TableCheck.each(folder, tables.get(table), rows);
    }

    private void bad(TableRow row, String what) {
        problems.add(row.table().path(), row.number(), what);
    }
}
