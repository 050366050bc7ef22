package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Lines that tell somebody of every line that passes. */
final class TappedLines implements Lines {
    private final Lines inner;
    private final BiConsumer<Boolean, String> tap;

    /** @param tap gets true and the line for one that is sent, false and the line for one that came */
    TappedLines(Lines inner, BiConsumer<Boolean, String> tap) {
        this.inner = inner;
        this.tap = tap;
    }

    @Override
    public void send(String line) {
        tap.accept(true, line);
        inner.send(line);
    }

    @Override
    public Arrival next(Duration limit) throws IOException, InterruptedException {
        Arrival arrival = inner.next(limit);
        if (arrival instanceof Arrival.Line line) {
            tap.accept(false, line.text());
        }
        return arrival;
    }

    @Override
    public void endInput() {
        inner.endInput();
    }

    @Override
    public void close() {
        inner.close();
    }
}
