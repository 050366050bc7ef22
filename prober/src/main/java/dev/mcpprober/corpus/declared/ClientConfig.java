package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.corpus.declared.Outcome.Dropped;
import dev.mcpprober.corpus.declared.Outcome.Kept;
import dev.mcpprober.corpus.declared.Outcome.Reason;
import dev.mcpprober.model.PackageUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The {@code mcpServers} of a client's settings: commands of npx and uvx name a package, others cannot be installed. */
final class ClientConfig {
    private static final Set<String> NPX = Set.of("npx", "bunx", "pnpx");
    private static final Set<String> UVX = Set.of("uvx", "pipx");
    /** Options of npx and uvx that take the next word. */
    private static final Set<String> WITH_WORD = Set.of("-p", "--package", "--from", "--with", "--python", "-c", "--index", "--index-url");

    private ClientConfig() {}

    static void read(JsonNode servers, String file, Declarations into) {
        servers.fields().forEachRemaining(field -> {
            String place = file + " server " + field.getKey();
            if (field.getValue().isObject()) {
                into.add(new Declaration(field.getKey(), "", !field.getValue().path("disabled").asBoolean(false), false, "", place, outcome(field.getValue())));
            } else {
                into.malformed(place, "not an object");
            }
        });
    }

    private static Outcome outcome(JsonNode server) {
        if (!server.path("command").isTextual()) {
            return new Dropped(Reason.NO_PACKAGE, server.has("url") ? "a remote endpoint" : "no command");
        }
        List<String> words = new ArrayList<>(List.of(server.path("command").textValue().strip().split("\\s+")));
        server.path("args").forEach(word -> words.add(word.asText()));
        if (words.size() > 2 && words.get(0).equals("cmd") && words.get(1).equalsIgnoreCase("/c")) {
            words.subList(0, 2).clear();
        }
        if (words.size() > 3 && words.get(0).equals("uv") && words.get(1).equals("tool") && words.get(2).equals("run")) {
            words.subList(0, 3).clear();
            words.add(0, "uvx");
        }
        String command = words.get(0).replaceFirst("^.*[/\\\\]", "").replaceFirst("\\.(exe|cmd)$", "");
        boolean npm = NPX.contains(command);
        if (!npm && !UVX.contains(command)) {
            return new Dropped(Reason.OTHER_REGISTRY, "started by " + command);
        }
        Map<String, String> env = new HashMap<>();
        server.path("env").fields().forEachRemaining(variable -> {
            if (variable.getKey().matches("[A-Za-z_][A-Za-z0-9_]*")) {
                env.put(variable.getKey(), variable.getValue().asText().replace("\0", ""));
            }
        });
        return packaged(npm, command.equals("pipx") ? words.subList(Math.min(2, words.size()), words.size()) : words.subList(1, words.size()), env);
    }

    private static Outcome packaged(boolean npm, List<String> words, Map<String, String> env) {
        String named = null;
        int at = 0;
        while (at < words.size() && words.get(at).startsWith("-")) {
            String option = words.get(at);
            if (Set.of("-p", "--package", "--from").contains(option) && at + 1 < words.size()) {
                named = words.get(at + 1);
            } else if (option.startsWith("--package=") || option.startsWith("--from=")) {
                named = option.substring(option.indexOf('=') + 1);
            }
            at += WITH_WORD.contains(option) ? 2 : 1;
        }
        if (at >= words.size()) {
            return new Dropped(Reason.BAD_IDENTIFIER, "no package after its options");
        }
        String text = named == null ? words.get(at) : named;
        String versioned = npm ? text.replaceFirst("@latest$", "") : text.contains("==") ? text : text.replaceFirst("@latest$", "").replaceFirst("@", "==");
        try {
            return new Kept(PackageUrl.parse((npm ? "npm:" : "pypi:") + versioned), words.subList(at + 1, words.size()), env);
        } catch (IllegalArgumentException e) {
            return new Dropped(Reason.BAD_IDENTIFIER, e.getMessage());
        }
    }
}
