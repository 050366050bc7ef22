package dev.mcpprober.dataset.release;

import java.util.List;

/** Cells as one number of 64 bits, so that the keys of millions of rows fit into memory (FNV-1a). */
final class Keys {
    private static final long BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Keys() {}

    static long of(String... cells) {
        return of(List.of(cells));
    }

    static long of(List<String> cells) {
        long hash = BASIS;
        for (String cell : cells) {
            for (int i = 0; i < cell.length(); i++) {
                hash = (hash ^ cell.charAt(i)) * PRIME;
            }
            // No cell holds this sign, so that where one cell ends counts.
            hash = (hash ^ 0xFFFF) * PRIME;
        }
        return hash;
    }
}
