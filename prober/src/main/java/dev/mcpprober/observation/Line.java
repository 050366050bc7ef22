package dev.mcpprober.observation;

import dev.mcpprober.transcript.WireLine;

/**
 * A line of stdout with its place.
 *
 * @param terminated a line feed followed
 * @param truncated  we kept only its beginning, so {@code wire} says nothing about what it was
 */
record Line(int event, WireLine wire, boolean terminated, boolean truncated) {
    boolean readable() {
        return !truncated && !(wire.content() instanceof WireLine.Content.OverLimit);
    }
}
