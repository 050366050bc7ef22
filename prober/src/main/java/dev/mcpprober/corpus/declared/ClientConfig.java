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
    private static final Set<String> WITH_WORD = Set.of("-p", "--package", "--from", "--spec", "--with", "--python", "-c", "--index", "--index-url");

    private ClientConfig() {}

    static void read(String name, JsonNode server, String place, Declarations into) {
        String problem = problem(server);
        if (problem.isEmpty()) {
            into.add(new Declaration(name, "", !server.path("disabled").asBoolean(false), false, "", place, outcome(server)));
        } else {
            into.malformed(place, problem);
        }
    }

    /** Empty where there is none. */
    private static String problem(JsonNode server) {
        if (!server.isObject()) {
            return "not an object";
        }
        for (JsonNode word : server.path("args")) {
            if (!word.isValueNode() || word.isNull() || word.asText().indexOf('\0') >= 0) {
                return "args: holds what no argument of a program can be";
            }
        }
        for (JsonNode value : server.path("env")) {
            if (value.isContainerNode()) {
                return "env: holds what no variable can be";
            }
        }
        return server.hasNonNull("args") && !server.get("args").isArray() ? "args: not an array of strings" : "";
    }

    /** A path of npx or uvx may hold spaces; any other command with spaces is one with its first arguments. */
    private static List<String> words(String command) {
        String last = command.replaceFirst("(?s)^.*[/\\\\]", "").replaceFirst("\\.(exe|cmd)$", "");
        return NPX.contains(last) || UVX.contains(last) ? List.of(command) : List.of(command.split("\\s+"));
    }

    private static Outcome outcome(JsonNode server) {
        if (!server.path("command").isTextual()) {
            return new Dropped(Reason.NO_PACKAGE, server.has("url") ? "a remote endpoint" : "no command");
        }
        List<String> words = new ArrayList<>(words(server.path("command").textValue().strip()));
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
            if (variable.getKey().matches("[A-Za-z_][A-Za-z0-9_]*") && !variable.getValue().isNull()) {
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
            if (Set.of("-p", "--package", "--from", "--spec").contains(option) && at + 1 < words.size()) {
                named = words.get(at + 1);
            } else if (option.matches("(?s)--(package|from|spec)=.*")) {
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
