package dev.mcpprober.corpus.declared;

import dev.mcpprober.model.PackageUrl;
import java.util.List;
import java.util.Map;

/** A target that is named outright. */
final class ListedTarget {
    private ListedTarget() {}

    static void add(String name, String target, String place, Declarations into) {
        try {
            PackageUrl url = PackageUrl.parse(target);
            into.add(new Declaration(name, url.version().orElse(""), true, false, "", place, new Outcome.Kept(url, List.of(), Map.of())));
        } catch (IllegalArgumentException e) {
            into.malformed(place, e.getMessage());
        }
    }
}
