package dev.mcpprober.dataset;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@code grade} derived otherwise than an earlier command did.
 *
 * @param parts observations first, then each rule set
 * @param file  every change, or null where nothing differs
 */
public record Changes(List<Part> parts, Path file) {
    public Changes {
        parts = List.copyOf(parts);
    }

    /**
     * @param after  extractor or rule set that derived it now
     * @param before the one that the folder's file was derived by; empty where there was none, or it was by rules of another extractor
     * @param same   observations, or verdicts on them, that are the same
     * @param groups largest first; no more than forty
     * @param left   groups that are not listed
     */
    public record Part(String after, String before, int same, int differing, List<Group> groups, int left) {
        public Part {
            groups = List.copyOf(groups);
        }
    }

    /**
     * Changes of one kind.
     *
     * @param before  {@code none} where there was no such observation or verdict
     * @param after   {@code none} where there is none any more
     * @param targets how many have any
     * @param some    the first of them
     */
    public record Group(String check, String before, String after, int count, int targets, List<String> some) {
        public Group {
            some = List.copyOf(some);
        }
    }
}
