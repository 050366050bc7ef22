package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.SessionName;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
            session(Scripts.LEGACY_TOOLS), session(Scripts.LEGACY_NEGATIVE), session(Scripts.LEGACY_MALFORMED), session(Scripts.LEGACY_MALFORMED_CUT),
            session(Scripts.LEGACY_MALFORMED_FOREIGN), session(Scripts.LEGACY_BATCH), session(Scripts.offering(Scripts.UNKNOWN_VERSION)),
            new PlannedSession("modern", Scripts.MODERN_FULL), session(Scripts.MODERN_TOOLS), session(Scripts.MODERN_VERSION), session(Scripts.MODERN_NEGATIVE),
            session(Scripts.MODERN_MALFORMED), session(Scripts.MODERN_MALFORMED_CUT), session(Scripts.MODERN_MALFORMED_FOREIGN),
            session(Scripts.MODERN_META), session(Scripts.MODERN_LISTS));

    private SessionPlan() {}

    private static PlannedSession session(SessionScript script) {
        return new PlannedSession(script.id(), script);
    }

    /**
     * Empty when nothing more is to be run.
     *
     * @param budget of the calls to all tools, which the full profile makes
     */
    public static Optional<PlannedSession> next(Profile profile, ToolBudget budget, List<SessionFacts> done) {
        return continuation(budget, done)
                .or(() -> profile.quick() ? quick(done) : full(budget, done))
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

    private static Optional<PlannedSession> continuation(ToolBudget budget, List<SessionFacts> done) {
        if (done.isEmpty()) {
            return Optional.empty();
        }
        SessionFacts last = done.get(done.size() - 1);
        String base = new SessionName(last.name(), 0).base();
        List<SessionFacts> parts = done.stream().filter(f -> f.name().equals(base) || f.name().startsWith(base + ".")).toList();
        List<String> left = Scripts.byLabel(last.script()).steps().stream().map(Step::id)
                .filter(id -> parts.stream().allMatch(part -> part.remaining().contains(id))).toList();
        boolean progress = parts.size() < 2 || !parts.get(parts.size() - 2).remaining().equals(last.remaining()) || !last.calls().made().isEmpty();
        if (left.isEmpty() || !last.agreed() || !progress || parts.size() >= MAX_PARTS) {
            return Optional.empty();
        }
        SessionScript rest = Scripts.byLabel(last.script()).only(left);
        String name = base + "." + (parts.size() + 1);
        return Optional.of(rest.budget().isEmpty() ? new PlannedSession(name, rest) : new PlannedSession(name, rest(rest, budget, parts), budget.label()));
    }

    /** What is left of the calls to all tools and of their time, when each of {@code parts} ended in the call it made last. */
    private static SessionScript rest(SessionScript script, ToolBudget budget, List<SessionFacts> parts) {
        Set<String> made = parts.stream().flatMap(part -> part.calls().made().stream()).collect(Collectors.toSet());
        Set<String> lost = parts.stream().map(part -> part.calls().made()).filter(calls -> !calls.isEmpty())
                .map(calls -> ToolProgram.toolOf(calls.get(calls.size() - 1))).collect(Collectors.toSet());
        long spent = parts.stream().mapToLong(part -> part.calls().nanos()).sum();
        Duration left = budget.time().minusNanos(spent);
        return script.within(new ToolBudget(budget.tools(), left.isNegative() ? Duration.ZERO : left), made, lost);
    }

    private static Optional<PlannedSession> quick(List<SessionFacts> done) {
        if (none(done, "legacy")) {
            return Optional.of(new PlannedSession("legacy", Scripts.LEGACY_QUICK));
        }
        return first(done, "legacy").agreed() || !none(done, "modern") ? Optional.empty()
                : Optional.of(new PlannedSession("modern", Scripts.MODERN_QUICK));
    }

    private static Optional<PlannedSession> full(ToolBudget budget, List<SessionFacts> done) {
        if (none(done, "discover")) {
            return Optional.of(new PlannedSession("discover", Scripts.DISCOVER));
        }
        if (none(done, "legacy")) {
            return Optional.of(new PlannedSession("legacy", Scripts.LEGACY_FULL));
        }
        boolean legacy = first(done, "legacy").agreed();
        boolean modern = first(done, "discover").agreed();
        for (PlannedSession session : FULL) {
            boolean wanted = (session.script().era() == Era.LEGACY ? legacy : modern) && (budget.tools() > 0 || session.script().budget().isEmpty());
            if (wanted && none(done, session.name())) {
                return Optional.of(session.script().budget().isEmpty() ? session : tools(session, budget));
            }
        }
        return Optional.empty();
    }

    private static PlannedSession tools(PlannedSession session, ToolBudget budget) {
        return new PlannedSession(session.name(), session.script().within(budget, Set.of(), Set.of()), budget.label());
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
