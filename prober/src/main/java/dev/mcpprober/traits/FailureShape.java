package dev.mcpprober.traits;

import dev.mcpprober.traits.LookAlikes.Found;
import java.util.List;

/**
 * What a failed call would be called in the proposal's baseline vocabulary: a description, no verdict.
 *
 * @param shape one of {@link ShapeRules#SHAPES}
 * @param rule  id of the rule that decided; {@code conflict} and the ids where rules of one group disagree; {@code no-rule} where none spoke
 * @param alike what the failure carries already
 */
public record FailureShape(FailedCall call, String shape, String rule, List<Found> alike) {
    public FailureShape {
        alike = List.copyOf(alike);
    }

    /** Each as {@code kind@place}, sorted, once. */
    public List<String> lookAlikes() {
        return alike.stream().map(found -> found.kind() + "@" + found.place()).distinct().sorted().toList();
    }

    /** The keys behind them, raw. */
    public List<String> keys() {
        return alike.stream().map(Found::key).filter(key -> !key.isEmpty()).distinct().sorted().toList();
    }
}
