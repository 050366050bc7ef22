package dev.mcpprober.toolfailure.client;

import dev.mcpprober.toolfailure.ExactJson;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Calls a tool and follows {@link Dispatch}: sends again where that says so, when it says so, and no oftener. */
public final class ReferenceClient {
    /** How often a wait looks at the clock, which may be set meanwhile. */
    private static final long SLICE_MS = 250;
    /** By how much a wait may outlast what it was meant to, before the clock is taken to have stood still. */
    private static final long SLACK_MS = 5_000;

    /**
     * @param understands false for a client that knows nothing of the extension
     * @param trusts      the user trusts the server's annotations
     */
    public record Stance(boolean understands, boolean trusts, RetryLimits limits) {}

    private final ClientSession session;
    private final Stance stance;
    private final ClientClock clock;

    public ReferenceClient(ClientSession session, Stance stance, ClientClock clock) {
        this.session = session;
        this.stance = stance;
        this.clock = clock;
    }

    /** @param arguments sent as they are, numbers as written */
    public Trail call(String tool, ExactJson.Obj arguments) throws IOException, InterruptedException {
        String members = "\"name\":" + ClientFrames.quote(tool) + ",\"arguments\":" + arguments.json();
        List<Trail.Try> tries = new ArrayList<>();
        while (true) {
            ClientSession.Exchange exchange = session.request("tools/call", members);
            Situation situation = new Situation(stance.understands(), session.hints(tool), stance.trusts(), session.revision(), clock.wallMillis(),
                    tries.size() + 1, stance.limits());
            Decision decision = Dispatch.decide(exchange.answer(), situation);
            long began = clock.nanos();
            Optional<Decision> broken = decision.action() == Decision.Action.RETRY ? waitUntil(decision, situation.now()) : Optional.empty();
            long waited = decision.action() == Decision.Action.RETRY ? (clock.nanos() - began) / 1_000_000 : 0;
            tries.add(new Trail.Try(exchange.sent(), exchange.answer(), broken.orElse(decision), waited));
            if (decision.action() != Decision.Action.RETRY || broken.isPresent()) {
                return new Trail(tries);
            }
        }
    }

    /** Waits; a decision that replaces {@code retry} where the clock cannot be relied on, else empty. */
    private Optional<Decision> waitUntil(Decision retry, long now) throws IOException, InterruptedException {
        long last = now;
        long end = clock.nanos() + Duration.ofMillis(Math.max(0, retry.notBefore() - now) + SLACK_MS).toNanos();
        while (last < retry.notBefore()) {
            clock.sleep(Math.min(SLICE_MS, retry.notBefore() - last));
            session.idle();
            long next = clock.wallMillis();
            if (next < last || clock.nanos() > end) {
                return Optional.of(new Decision(Decision.Action.TRY_LATER, Ground.CLOCK_WENT_BACK, Ground.CLOCK_WENT_BACK.statement(), 0,
                        note(retry.notes(), next < last ? "client clock: set back by " + (last - next) + " ms while waiting" : "client clock: stood still while waiting")));
            }
            last = next;
        }
        return Optional.empty();
    }

    private static List<String> note(List<String> notes, String one) {
        List<String> all = new ArrayList<>(notes);
        all.add(one);
        return all;
    }
}
