package dev.mcpprober.rules;

import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Consequence;
import dev.mcpprober.observation.Flag;
import dev.mcpprober.observation.Observed;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What can be observed. Rule files are checked against it, so that a rule that could never match is a mistake in the file.
 * Flags and consequences are read off the classes that name them, so that nothing can drift.
 */
final class Vocabulary {
    static final Set<String> FLAGS = constants(Flag.class);
    static final Set<String> CONSEQUENCES = constants(Consequence.class);

    private Vocabulary() {}

    /** Every value the check can be observed with, {@code not-run} left out; empty when there is no such check. */
    static Optional<Set<String>> observable(String check) {
        return Check.of(check).map(found -> found.observable().stream()
                .filter(value -> !value.equals(Observed.NOT_RUN)).collect(Collectors.toUnmodifiableSet()));
    }

    private static Set<String> constants(Class<?> holder) {
        return Arrays.stream(holder.getFields()).filter(field -> field.getType() == String.class).map(field -> {
            try {
                return (String) field.get(null);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(field + " is public and cannot be read", e);
            }
        }).collect(Collectors.toUnmodifiableSet());
    }
}
