package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.mcpprober.corpus.declared.Outcome.Dropped;
import dev.mcpprober.corpus.declared.Outcome.Kept;
import dev.mcpprober.corpus.declared.Outcome.Reason;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads one entry of the official registry's format, {@code {"server": {…}, "_meta": {…}}} or a bare {@code server.json}; camel and
 * snake case, as the format has had both.
 */
final class ServerJson {
    private static final String OFFICIAL = "io.modelcontextprotocol.registry/official";

    private ServerJson() {}

    /** @throws IllegalArgumentException saying why the entry is none */
    static Declaration read(JsonNode entry, String place) {
        JsonNode server = entry.path("server").isObject() ? entry.path("server") : entry;
        if (!server.path("name").isTextual() || server.path("name").textValue().isBlank()) {
            throw new IllegalArgumentException("no member \"name\" with a text");
        }
        JsonNode official = (entry.path("_meta").has(OFFICIAL) ? entry : server).path("_meta").path(OFFICIAL);
        String status = text(official, "status").or(() -> text(server, "status")).orElse("active");
        boolean latest = member(official, "isLatest", "is_latest").asBoolean(false);
        String date = text(official, "updatedAt", "updated_at").or(() -> text(official, "publishedAt", "published_at")).orElse("");
        String version = text(server, "version").or(() -> text(server.path("version_detail"), "version")).orElse("");
        return new Declaration(server.path("name").textValue(), version, status.equals("active"), latest, date, place, outcome(server));
    }

    private static Outcome outcome(JsonNode server) {
        JsonNode packages = server.path("packages");
        if (!packages.isArray() || packages.isEmpty()) {
            return new Dropped(Reason.NO_PACKAGE, server.path("remotes").isEmpty() ? "neither packages nor remotes" : "remotes only");
        }
        Dropped first = null;
        for (JsonNode pack : packages) {
            Outcome outcome = ofPackage(pack);
            if (outcome instanceof Kept) {
                return outcome;
            }
            // Of several packages the one that came farthest says what is missing.
            Dropped dropped = (Dropped) outcome;
            if (first == null || dropped.reason().ordinal() > first.reason().ordinal()) {
                first = dropped;
            }
        }
        return first;
    }

    private static Outcome ofPackage(JsonNode pack) {
        String type = text(pack, "registryType", "registry_type").or(() -> text(pack, "registry_name")).orElse("");
        Registry registry = type.equals("npm") ? Registry.NPM : type.equals("pypi") ? Registry.PYPI : null;
        if (registry == null) {
            return new Dropped(Reason.OTHER_REGISTRY, type.isEmpty() ? "no registry type" : type);
        }
        String transport = text(pack.path("transport"), "type").or(() -> text(pack, "transport")).orElse("stdio");
        if (!transport.equals("stdio")) {
            return new Dropped(Reason.NOT_STDIO, transport);
        }
        String identifier = text(pack, "identifier").or(() -> text(pack, "name")).orElse("");
        Optional<String> version = text(pack, "version").filter(v -> !v.equals("latest"));
        PackageUrl url;
        try {
            url = new PackageUrl(registry, identifier, version);
        } catch (IllegalArgumentException e) {
            return new Dropped(Reason.BAD_IDENTIFIER, e.getMessage());
        }
        return configured(pack, url);
    }

    private static Outcome configured(JsonNode pack, PackageUrl url) {
        Map<String, String> env = new TreeMap<>();
        for (JsonNode variable : member(pack, "environmentVariables", "environment_variables")) {
            String name = text(variable, "name").orElse("");
            Optional<String> value = Input.value(variable);
            if (value.isPresent() && name.matches("[A-Za-z_][A-Za-z0-9_]*") && value.get().indexOf('\0') < 0) {
                env.put(name, value.get());
            } else if (Input.required(variable)) {
                return new Dropped(Input.secret(variable) ? Reason.NEEDS_SECRET : Reason.NEEDS_VARIABLE, name);
            }
        }
        List<String> args = new ArrayList<>();
        for (JsonNode argument : member(pack, "packageArguments", "package_arguments")) {
            Optional<String> missing = Input.append(argument, args);
            if (missing.isPresent()) {
                return new Dropped(Input.secret(argument) ? Reason.NEEDS_SECRET : Reason.NEEDS_ARGUMENT, missing.get());
            }
        }
        if (args.stream().anyMatch(arg -> arg.indexOf('\0') >= 0)) {
            return new Dropped(Reason.NEEDS_ARGUMENT, "one that can be given: its value holds a NUL character");
        }
        return new Kept(url, args, env);
    }

    static JsonNode member(JsonNode node, String... names) {
        for (String name : names) {
            if (node.has(name)) {
                return node.get(name);
            }
        }
        return MissingNode.getInstance();
    }

    static Optional<String> text(JsonNode node, String... names) {
        JsonNode member = member(node, names);
        return member.isTextual() ? Optional.of(member.textValue()) : Optional.empty();
    }
}
