package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A server as it looks from behind a {@link Relay}, within this process. */
public final class RelayedLines implements Lines {
    /** Where a client counts from 1 too, equal ids would not show whether they were changed and changed back. */
    private static final long FAR_FROM_THE_CLIENTS = 7_000;

    private final Lines server;
    private final Consumer<String> notes;
    private final Relay relay = new Relay(FAR_FROM_THE_CLIENTS);
    private final Deque<Arrival> arrived = new ArrayDeque<>();

    /** @param notes gets what the relay logs, raw */
    public RelayedLines(Lines server, Consumer<String> notes) {
        this.server = server;
        this.notes = notes;
    }

    @Override
    public void send(String line) {
        carry(relay.fromClient(line));
    }

    @Override
    public Arrival next(Duration limit) throws IOException, InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        while (arrived.isEmpty()) {
            Arrival arrival = server.next(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
            if (arrival instanceof Arrival.Line line) {
                carry(relay.fromServer(line.text()));
            } else if (arrival instanceof Arrival.Unreadable unreadable) {
                notes.accept("dropped a line of the server: " + unreadable.why());
            } else if (arrival instanceof Arrival.Ended ended) {
                carry(relay.serverEnded(ended.how()));
                arrived.add(ended);
            } else {
                return arrival;
            }
        }
        return arrived.remove();
    }

    private void carry(List<Relay.Output> outputs) {
        for (Relay.Output output : outputs) {
            if (output instanceof Relay.Output.ToServer line) {
                server.send(line.line());
            } else if (output instanceof Relay.Output.ToClient line) {
                arrived.add(new Arrival.Line(line.line()));
            } else if (output instanceof Relay.Output.Note note) {
                notes.accept(note.text());
            }
        }
    }

    @Override
    public void endInput() {
        server.endInput();
    }

    @Override
    public void close() {
        server.close();
    }
}
