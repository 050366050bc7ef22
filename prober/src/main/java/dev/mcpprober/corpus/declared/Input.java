package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One declared input (argument or variable) of a package: its value where nobody has to be asked for it. */
final class Input {
    private static final Pattern BRACED = Pattern.compile("\\{([^{}]+)}");

    private Input() {}

    static boolean required(JsonNode input) {
        return ServerJson.member(input, "isRequired", "is_required").asBoolean(false);
    }

    /** True also where a variable inside the value is a secret that is required. */
    static boolean secret(JsonNode input) {
        if (ServerJson.member(input, "isSecret", "is_secret").asBoolean(false)) {
            return true;
        }
        for (JsonNode variable : input.path("variables")) {
            if (secret(variable) && required(variable)) {
                return true;
            }
        }
        return false;
    }

    /** The fixed value, else the default; with its {@code {variables}} filled in. Empty where one of them has none. */
    static Optional<String> value(JsonNode input) {
        Optional<String> template = ServerJson.text(input, "value").or(() -> ServerJson.text(input, "default"));
        if (template.isEmpty()) {
            return Optional.empty();
        }
        JsonNode variables = input.path("variables");
        Matcher braces = BRACED.matcher(template.get());
        StringBuilder out = new StringBuilder();
        while (braces.find()) {
            JsonNode variable = variables.path(braces.group(1));
            if (variable.isMissingNode()) {
                // As the format says: braces that name no variable stay as they are.
                braces.appendReplacement(out, Matcher.quoteReplacement(braces.group()));
                continue;
            }
            Optional<String> value = ServerJson.text(variable, "value").or(() -> ServerJson.text(variable, "default"));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            braces.appendReplacement(out, Matcher.quoteReplacement(value.get()));
        }
        braces.appendTail(out);
        return Optional.of(out.toString());
    }

    /**
     * Adds an argument to the command line; nothing where it is optional and has no value.
     *
     * @return the name of the argument where a required value is missing
     */
    static Optional<String> append(JsonNode argument, List<String> args) {
        boolean named = ServerJson.text(argument, "type").orElse("").equals("named");
        String name = ServerJson.text(argument, "name").or(() -> ServerJson.text(argument, "valueHint", "value_hint")).orElse("?");
        Optional<String> value = value(argument);
        if (value.isPresent() && named && name.startsWith("--")) {
            args.add(name + "=" + value.get());
        } else if (value.isPresent()) {
            if (named) {
                args.add(name);
            }
            args.add(value.get());
        } else if (required(argument) && named && isSwitch(argument)) {
            args.add(name);
        } else if (required(argument)) {
            return Optional.of(name);
        }
        return Optional.empty();
    }

    /** A named argument of which nothing says that it takes a value. */
    private static boolean isSwitch(JsonNode argument) {
        return List.of("value", "default", "valueHint", "value_hint", "format", "choices", "placeholder", "variables").stream()
                .noneMatch(argument::has);
    }
}
