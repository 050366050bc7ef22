package dev.mcpprober.dataset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a release shows of servers that it does not name. All their rows stand under a pseudonym, since any row that named one would give away
 * the others; of each row stays what says what servers do, and nothing that says which server it is: no names, texts, digests, sizes or
 * exact times, no tools, witnesses or transcripts, and of several equal observations one.
 */
public final class Veil {
    /** Names every server. */
    public static final Veil NONE = new Veil(Map.of());

    /** Table to the columns that stay; a table that is not here gives no rows of a withheld server. */
    private static final Map<String, Set<String>> KEPT = Map.of(
            "targets", Set.of("run_id", "disclosure", "registry", "state", "reason", "install_outcome", "startup_failure", "eras", "revision", "sdk_family", "sdk_version"),
            "attempts", Set.of("kind", "session", "started_at", "outcome", "fault", "counts"),
            "sessions", Set.of("session", "repeat", "script", "era", "offered_revision", "revision", "started_at"),
            "versions", Set.of("offered", "answered", "met", "session"),
            "observations", Set.of("repeat", "extractor", "check", "session", "era", "revision", "primary", "observed", "code", "consequence", "flags"),
            "verdicts", Set.of("repeat", "rule_set", "check", "revision", "primary", "verdict", "level"),
            "attribution", Set.of("family", "version"));

    /**
     * What a server is known by beside what it does.
     *
     * @param registry   or empty where it is withheld too, as are the others
     * @param family     SDK family
     * @param sdkVersion major and minor version
     * @param revision   negotiated
     * @param eras       parted by semicolons
     */
    public record Traits(String registry, String family, String sdkVersion, String revision, String eras) {}

    /** @param name pseudonym */
    public record Cover(String name, Traits traits) {}

    private final Map<String, Cover> covers;

    /** @param covers target to what is shown in its place */
    public Veil(Map<String, Cover> covers) {
        this.covers = Map.copyOf(covers);
    }

    public boolean covers(String target) {
        return covers.containsKey(target);
    }

    /** What may be told of a withheld server; empty for one that is named. Groups of servers that are counted together are made by it, too. */
    public Optional<Traits> told(String target) {
        return Optional.ofNullable(covers.get(target)).map(Cover::traits);
    }

    public int size() {
        return covers.size();
    }

    /** The id under which a target is published. */
    public String name(String target) {
        Cover cover = covers.get(target);
        return cover == null ? target : cover.name();
    }

    /** The row of the convenience view as it is published. */
    Row view(Row row, String target) {
        Cover cover = covers.get(target);
        if (cover == null) {
            return row;
        }
        row.clear("version").clear("registry").clear("sdk_family").clear("sdk_version").clear("revision").set("target_id", cover.name());
        Traits traits = cover.traits();
        return row.set("registry", traits.registry()).set("sdk_family", traits.family()).set("sdk_version", traits.sdkVersion()).set("revision", traits.revision());
    }

    Sheet sheet(String target) {
        return new Sheet(covers.get(target));
    }

    /** The rows of one target, table by table; observations come before their verdicts. */
    static final class Sheet {
        private final Cover cover;
        private final Map<String, String> attempts = new HashMap<>();
        private final Map<String, String> observations = new HashMap<>();

        private Sheet(Cover cover) {
            this.cover = cover;
        }

        List<Row> rows(TableSchema schema, List<Row> rows) {
            if (cover == null) {
                return rows;
            }
            Set<String> kept = KEPT.get(schema.name());
            // What versions are answered to an offer is the revision, and more.
            if (kept == null || schema.name().equals("attribution") && cover.traits().family().isEmpty() || schema.name().equals("versions") && cover.traits().revision().isEmpty()) {
                return List.of();
            }
            List<Row> out = new ArrayList<>();
            for (Row row : schema.name().equals("observations") ? few(rows) : rows) {
                Row veiled = row.only(kept).set("target_id", cover.name());
                if (schema.name().equals("verdicts") && !observations.containsKey(row.get("observation"))) {
                    continue;
                }
                renamed(schema.name(), row, veiled);
                out.add(veiled);
            }
            return out;
        }

        private void renamed(String table, Row row, Row veiled) {
            Traits traits = cover.traits();
            switch (table) {
                case "targets" -> {
                    veiled.set("disclosure", Tables.WITHHELD).clear("registry").clear("sdk_family").clear("sdk_version").clear("revision").clear("eras");
                    veiled.set("registry", traits.registry()).set("sdk_family", traits.family()).set("sdk_version", traits.sdkVersion()).set("revision", traits.revision())
                            .set("eras", traits.eras());
                }
                case "attempts" -> veiled.set("attempt", attempt(row)).set("started_at", month(row.get("started_at")));
                case "sessions" -> veiled.set("attempt", attempt(row)).set("started_at", month(row.get("started_at")));
                case "observations", "verdicts" -> veiled.set("observation", observations.get(row.get("observation")));
                case "attribution" -> veiled.clear("version").set("version", traits.sdkVersion());
                default -> { }
            }
            if (traits.revision().isEmpty() && List.of("sessions", "observations", "verdicts").contains(table)) {
                veiled.clear("revision");
            }
        }

        /** In the order in which they come; the real ones are digests of what was measured. */
        private String attempt(Row row) {
            return attempts.computeIfAbsent(row.get("attempt"), id -> String.format(Locale.ROOT, "a%04d", attempts.size() + 1));
        }

        private static String month(String instant) {
            return instant.length() < 7 ? instant : instant.substring(0, 7) + "-01T00:00:00Z";
        }

        /** How many tools and arguments were tried tells servers apart: of equal observations one stays, and none beside a primary one. */
        private List<Row> few(List<Row> rows) {
            Set<List<String>> primary = new HashSet<>();
            rows.stream().filter(row -> row.get("primary").equals("true")).forEach(row -> primary.add(List.of(row.get("check"), row.get("era"))));
            Set<List<String>> seen = new HashSet<>();
            List<Row> out = new ArrayList<>();
            for (Row row : rows) {
                if (!row.get("repeat").equals("0")) {
                    continue;
                }
                boolean beside = row.get("primary").equals("false") && primary.contains(List.of(row.get("check"), row.get("era")));
                List<String> what = List.of(row.get("check"), row.get("era"), row.get("revision"), row.get("primary"), row.get("observed"), row.get("code"),
                        row.get("consequence"), row.get("flags"));
                if (!beside && seen.add(what)) {
                    observations.put(row.get("observation"), String.format(Locale.ROOT, "o%05d", observations.size() + 1));
                    out.add(row);
                }
            }
            return out;
        }
    }
}
