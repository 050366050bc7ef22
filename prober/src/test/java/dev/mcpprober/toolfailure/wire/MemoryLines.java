package dev.mcpprober.toolfailure.wire;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** A server in memory: a function from each line it is sent to what it does at once. */
public final class MemoryLines implements Lines {
    private final Function<String, List<Arrival>> server;
    private final Deque<Arrival> arrived = new ArrayDeque<>();
    public final List<String> sent = new ArrayList<>();
    public boolean closed;

    public MemoryLines(Function<String, List<Arrival>> server) {
        this.server = server;
    }

    public static List<Arrival> lines(String... lines) {
        return List.of(lines).stream().<Arrival>map(Arrival.Line::new).toList();
    }

    /** From the server, unasked. */
    public void put(Arrival arrival) {
        arrived.add(arrival);
    }

    @Override
    public void send(String line) {
        sent.add(line);
        arrived.addAll(server.apply(line));
    }

    @Override
    public Arrival next(Duration limit) {
        return arrived.isEmpty() ? new Arrival.Nothing() : arrived.remove();
    }

    @Override
    public void endInput() {
    }

    @Override
    public void close() {
        closed = true;
    }
}
