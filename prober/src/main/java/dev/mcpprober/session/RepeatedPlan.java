package dev.mcpprober.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The session plan of one target, gone through as often as a run asks for: all sessions of repeat 0, then all of repeat 1, and so on,
 * so that some time lies between two tries at the same thing. Each repeat is planned by what came of its own sessions alone. One use.
 */
public final class RepeatedPlan {
    private final Profile profile;
    private final ToolBudget budget;
    private final int times;
    private final List<List<SessionFacts>> done = new ArrayList<>(List.of(new ArrayList<>()));

    /** @param times at least 1 */
    public RepeatedPlan(Profile profile, ToolBudget budget, int times) {
        if (times < 1) {
            throw new IllegalArgumentException("a plan is gone through at least once, not " + times + " times");
        }
        this.profile = profile;
        this.budget = budget;
        this.times = times;
    }

    /** The next session, under its name in the repeat that is under way; empty when nothing more is to be run. */
    public Optional<PlannedSession> next() {
        Optional<PlannedSession> next = SessionPlan.next(profile, budget, current());
        if (next.isEmpty() && repeat() + 1 < times) {
            done.add(new ArrayList<>());
            next = SessionPlan.next(profile, budget, current());
        }
        return next.map(session -> session.inRepeat(repeat()));
    }

    /** Takes what came of the session that {@link #next} gave last. */
    public void done(SessionFacts facts) {
        current().add(facts);
    }

    /** Number of the repeat that the last session given belongs to. */
    public int repeat() {
        return done.size() - 1;
    }

    /** Whether a session follows {@code session} if the server behaves in it. */
    public boolean anotherIsLikely(PlannedSession session) {
        List<SessionFacts> hoped = new ArrayList<>(current());
        hoped.add(new SessionFacts(session.planName(), session.script().label(), true, true, List.of()));
        return repeat() + 1 < times || SessionPlan.next(profile, budget, hoped).isPresent();
    }

    /** What came of the sessions of the repeat that stands for the server. */
    public List<SessionFacts> standing() {
        return List.copyOf(done.get(0));
    }

    private List<SessionFacts> current() {
        return done.get(repeat());
    }
}
