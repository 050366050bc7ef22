package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /** What follows the main session of each era, named after the scripts. */
    private static final List<PlannedSession> FULL = List.of(
            session(Scripts.LEGACY_NEGATIVE), session(Scripts.LEGACY_MALFORMED), session(Scripts.LEGACY_MALFORMED_CUT),
            session(Scripts.LEGACY_MALFORMED_FOREIGN), session(Scripts.LEGACY_BATCH), session(Scripts.offering(Scripts.UNKNOWN_VERSION)),
            new PlannedSession("modern", Scripts.MODERN_FULL), session(Scripts.MODERN_VERSION), session(Scripts.MODERN_NEGATIVE),
            session(Scripts.MODERN_MALFORMED), session(Scripts.MODERN_MALFORMED_CUT), session(Scripts.MODERN_MALFORMED_FOREIGN),
            session(Scripts.MODERN_META), session(Scripts.MODERN_LISTS));

    private SessionPlan() {}

    private static PlannedSession session(SessionScript script) {
        return new PlannedSession(script.id(), script);
    }

    /** Empty when nothing more is to be run. */
    public static Optional<PlannedSession> next(Profile profile, List<SessionFacts> done) {
        return continuation(done)
                .or(() -> profile.quick() ? quick(done) : full(done))
                .or(() -> profile.versions() ? versions(done) : Optional.empty());
    }

    /** A revision that another session offered needs no further one. */
    private static Optional<PlannedSession> versions(List<SessionFacts> done) {
        if (done.stream().noneMatch(facts -> facts.name().equals("legacy") && facts.agreed())) {
            return Optional.empty();
        }
        Set<String> offered = new HashSet<>();
        done.forEach(facts -> Scripts.byLabel(facts.script()).offered().ifPresent(offered::add));
        return Scripts.VERSIONS.stream().filter(script -> !offered.contains(script.offered().orElseThrow())).findFirst()
                .map(script -> new PlannedSession(script.id(), script));
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
        for (PlannedSession session : FULL) {
            boolean wanted = session.script().era() == Era.LEGACY ? legacy : modern;
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
