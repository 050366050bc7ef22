package dev.mcpprober.toolfailure.client;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;

/** Places where the key has no business, so that a user can be told why it was not seen. */
final class Stray {
    private Stray() {}

    static boolean in(ExactJson result) {
        if (result.member(ToolFailure.KEY).isPresent()) {
            return true;
        }
        if (result.member("structuredContent").flatMap(value -> value.member(ToolFailure.KEY)).isPresent()) {
            return true;
        }
        return result.member("content").filter(ExactJson.Arr.class::isInstance).map(ExactJson.Arr.class::cast)
                .map(blocks -> blocks.items().stream().anyMatch(Stray::inBlock)).orElse(false);
    }

    private static boolean inBlock(ExactJson block) {
        return block.member(ToolFailure.KEY).isPresent() || block.member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY)).isPresent();
    }
}
