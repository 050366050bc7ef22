package dev.mcpprober.session;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which session comes next for a target, given those that are done. A pure function: a resumed run asks it again with the
 * stored transcripts and gets the same answer.
 *
 * <p>A session whose server was lost half way is continued in a fresh process with the steps that are left, so that one fault
 * does not hide what the server does elsewhere.
 */
public final class SessionPlan {
    /** Processes that one script may use up on one target. */
    private static final int MAX_PARTS = 6;

    private SessionPlan() {}

    /** Empty when nothing more is to be run. */
    public static Optional<PlannedSession> next(Profile profile, List<SessionFacts> done) {
        Optional<PlannedSession> continuation = continuation(done);
        if (continuation.isPresent()) {
            return continuation;
        }
        return profile == Profile.QUICK ? quick(done) : full(done);
    }

    private static Optional<PlannedSession> continuation(List<SessionFacts> done) {
        if (done.isEmpty()) {
            return Optional.empty();
        }
        SessionFacts last = done.get(done.size() - 1);
        String base = last.name().replaceFirst("\\.\\d+$", "");
        List<SessionFacts> parts = done.stream().filter(f -> f.name().equals(base) || f.name().startsWith(base + ".")).toList();
        List<String> left = Scripts.byLabel(last.script()).steps().stream().map(Step::id)
                .filter(id -> parts.stream().allMatch(part -> part.remaining().contains(id))).toList();
        boolean progress = parts.size() < 2 || !parts.get(parts.size() - 2).remaining().equals(last.remaining());
        if (left.isEmpty() || !last.agreed() || !progress || parts.size() >= MAX_PARTS) {
            return Optional.empty();
        }
        return Optional.of(new PlannedSession(base + "." + (parts.size() + 1), Scripts.byLabel(last.script()).only(left)));
    }

    private static Optional<PlannedSession> quick(List<SessionFacts> done) {
        if (none(done, "legacy")) {
            return Optional.of(new PlannedSession("legacy", Scripts.LEGACY_QUICK));
        }
        return first(done, "legacy").agreed() || !none(done, "modern") ? Optional.empty()
                : Optional.of(new PlannedSession("modern", Scripts.MODERN_QUICK));
    }

    private static Optional<PlannedSession> full(List<SessionFacts> done) {
        if (none(done, "discover")) {
            return Optional.of(new PlannedSession("discover", Scripts.DISCOVER));
        }
        if (none(done, "legacy")) {
            return Optional.of(new PlannedSession("legacy", Scripts.LEGACY_FULL));
        }
        boolean legacy = first(done, "legacy").agreed();
        boolean modern = first(done, "discover").agreed();
        for (PlannedSession session : List.of(new PlannedSession("legacy-negative", Scripts.LEGACY_NEGATIVE),
                new PlannedSession("legacy-malformed", Scripts.LEGACY_MALFORMED), new PlannedSession("modern", Scripts.MODERN_FULL),
                new PlannedSession("modern-version", Scripts.MODERN_VERSION), new PlannedSession("modern-negative", Scripts.MODERN_NEGATIVE),
                new PlannedSession("modern-malformed", Scripts.MODERN_MALFORMED))) {
            boolean wanted = session.name().startsWith("legacy") ? legacy : modern;
            if (wanted && none(done, session.name())) {
                return Optional.of(session);
            }
        }
        return Optional.empty();
    }

    private static boolean none(List<SessionFacts> done, String name) {
        return done.stream().noneMatch(named(name));
    }

    private static SessionFacts first(List<SessionFacts> done, String name) {
        return done.stream().filter(named(name)).findFirst().orElseThrow();
    }

    private static Predicate<SessionFacts> named(String name) {
        return facts -> facts.name().equals(name);
    }
}
