package dev.mcpprober.sandbox.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.mcpprober.sandbox.EngineException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What the engine itself says while it runs the containers of one run: who was killed for memory or by somebody's signal, whether the engine
 * was gone meanwhile, and how long it or this machine stood still. A container's state tells none of that, and none of that is the server's
 * doing. Listens on a connection of its own that lives as long as the engine does.
 */
final class EngineWatch implements AutoCloseable {
    /** An answer that takes longer is a standstill; on a busy machine one takes up to some hundred milliseconds. */
    static final Duration STANDSTILL = Duration.ofSeconds(2);
    private static final Duration ASK_EVERY = Duration.ofMillis(500);
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final Duration REMEMBERED = Duration.ofMinutes(30);
    /** Everything that the engine still remembers, so that nothing is missed before the first event is awaited. */
    private static final String BEGINNING = "1";

    private final EngineAddress engine;
    private final String path;
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();
    private final EngineClock clock = new EngineClock();
    private final Deque<Standstill> standstills = new ArrayDeque<>();
    private final JsonMapper json = JsonMapper.builder().build();
    private volatile SocketChannel channel;
    private volatile boolean closed;
    /** {@link System#nanoTime()} of the question that waits for its answer, or of the last answer. */
    private volatile long askedAt = System.nanoTime();

    private record Standstill(long from, long to) {}

    private EngineWatch(EngineAddress engine, String runId) {
        this.engine = engine;
        String filters = "{\"type\":[\"container\"],\"event\":[\"start\",\"oom\",\"kill\",\"die\"],\"label\":[\"" + RunOwner.RUN_LABEL + "=" + runId + "\"]}";
        this.path = "/events?since=" + BEGINNING + "&filters=" + URLEncoder.encode(filters, StandardCharsets.UTF_8);
    }

    static EngineWatch of(EngineAddress engine, String runId) throws EngineException {
        EngineWatch watch = new EngineWatch(engine, runId);
        RawExchange first = RawExchange.get(engine, watch.path, "events");
        watch.channel = first.channel();
        background("engine-events", () -> watch.listen(first));
        background("engine-answers", watch::ask);
        return watch;
    }

    private static void background(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** From before the container starts, so that none of its events is missed. */
    Account follow(String container) {
        return accounts.computeIfAbsent(container, id -> new Account());
    }

    void forget(String container) {
        accounts.remove(container);
    }

    EngineClock clock() {
        return clock;
    }

    private void listen(RawExchange first) {
        RawExchange exchange = first;
        while (!closed) {
            try {
                if (exchange == null) {
                    exchange = RawExchange.get(engine, path, "events");
                }
                channel = exchange.channel();
                read(exchange);
            } catch (EngineException | IOException e) {
                // Not there, or no more: looked for again below.
            }
            if (exchange != null) {
                RawExchange.closeQuietly(exchange.channel());
                exchange = null;
            }
            // What ended meanwhile ended unseen; what is followed from now on is not meant.
            List.copyOf(accounts.values()).forEach(Account::lose);
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    private void read(RawExchange exchange) throws IOException {
        byte[] early = new byte[exchange.early().remaining()];
        exchange.early().get(early);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new SequenceInputStream(new ByteArrayInputStream(early), Channels.newInputStream(exchange.channel())), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                Instant heard = Instant.now();
                JsonNode event = json.readTree(line);
                if (event.path("timeNano").canConvertToLong()) {
                    clock.heard(Instant.EPOCH.plusNanos(event.path("timeNano").asLong()), heard);
                }
                Account account = accounts.get(event.path("id").asText(event.at("/Actor/ID").asText()));
                if (account != null) {
                    account.take(event.path("Action").asText(event.path("status").asText()), event.at("/Actor/Attributes/signal").asText());
                }
            }
        }
    }

    private void ask() {
        while (!closed) {
            long began = System.nanoTime();
            try {
                RawExchange.closeQuietly(RawExchange.get(engine, "/_ping", "ping").channel());
            } catch (EngineException e) {
                // Whoever uses it learns that it is not there.
            }
            answered(askedAt, System.nanoTime());
            LockSupport.parkNanos(ASK_EVERY.toNanos() - (System.nanoTime() - began));
        }
    }

    /** An answer that came late stood still; so did this program where the question itself came late. */
    private synchronized void answered(long from, long now) {
        if (now - from - ASK_EVERY.toNanos() > STANDSTILL.toNanos()) {
            standstills.addLast(new Standstill(from, now));
        }
        while (!standstills.isEmpty() && now - standstills.getFirst().to() > REMEMBERED.toNanos()) {
            standstills.removeFirst();
        }
        askedAt = now;
    }

    /** How much of the time since {@code since} ({@link System#nanoTime()}) the engine or this machine stood still. */
    synchronized Duration heldUp(long since) {
        long now = System.nanoTime();
        long sum = now - askedAt - ASK_EVERY.toNanos() > STANDSTILL.toNanos() ? now - Math.max(since, askedAt) : 0;
        for (Standstill standstill : standstills) {
            sum += Math.max(0, standstill.to() - Math.max(since, standstill.from()));
        }
        return Duration.ofNanos(sum);
    }

    @Override
    public void close() {
        closed = true;
        RawExchange.closeQuietly(channel);
    }

    /** What the engine says of one container. */
    static final class Account {
        private boolean oom;
        private boolean died;
        private boolean lost;
        private String signal = "";

        private synchronized void take(String action, String sent) {
            oom |= action.equals("oom");
            died |= action.equals("die");
            if (action.equals("kill")) {
                signal = sent.isEmpty() ? "?" : sent;
            }
            notifyAll();
        }

        private synchronized void lose() {
            lost = true;
            notifyAll();
        }

        synchronized boolean oom() {
            return oom;
        }

        /** The engine was gone for a while since the container began to be followed. */
        synchronized boolean lost() {
            return lost;
        }

        /** Number of a signal that was sent through the engine; empty for none. */
        synchronized String signal() {
            return signal;
        }

        /** Waits until the engine tells the container's end, or until nothing more will be told. A signal is told before the end that it brings. */
        void awaitDeath(Duration limit) throws InterruptedException {
            await(limit, () -> died);
        }

        /** Waits for an event that on a busy machine comes late, up to some 200 ms after the end. */
        boolean awaitOom(Duration limit) throws InterruptedException {
            await(limit, () -> oom || !signal.isEmpty());
            return oom();
        }

        private synchronized void await(Duration limit, BooleanSupplier enough) throws InterruptedException {
            long end = System.nanoTime() + limit.toNanos();
            for (long left = limit.toNanos(); left > 0 && !lost && !enough.getAsBoolean(); left = end - System.nanoTime()) {
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        }
    }
}
