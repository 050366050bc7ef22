package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a session does, as data. A changed script gets a new version: the version is part of the work key.
 *
 * @param id      e.g. {@code legacy-full}
 * @param version counts from 1
 * @param era     whose frames it sends; decides how server requests are met
 */
public record SessionScript(String id, int version, Era era, List<Step> steps) {
    public SessionScript {
        steps = List.copyOf(steps);
    }

    /** {@code id@version}. */
    public String label() {
        return id + "@" + version;
    }

    /** What the handshake of the legacy era offers; empty for a script of the modern one. */
    Optional<String> offered() {
        return steps.get(0) instanceof Step.Initialize initialize ? Optional.of(initialize.revision()) : Optional.empty();
    }

    /**
     * The handshake, the listing and the steps named, in the script's order; same id and version. Steps repeated only to get
     * there are marked as part of the handshake, so that they count for no check a second time.
     */
    public SessionScript only(List<String> stepIds) {
        return new SessionScript(id, version, era, steps.stream()
                .filter(step -> prepares(step) || stepIds.contains(step.id()))
                .map(step -> stepIds.contains(step.id()) ? step : asHandshake(step))
                .toList());
    }

    /** The same with the calls to all tools kept to {@code budget}, without those that were made before. */
    SessionScript within(ToolBudget budget, Set<String> done, Set<String> lostTools) {
        return new SessionScript(id, version, era, steps.stream()
                .map(step -> step instanceof Step.CallTools s ? new Step.CallTools(s.id(), s.probe(), budget, done, lostTools) : step).toList());
    }

    /** Budget of the calls to all tools, where the script makes them. */
    Optional<ToolBudget> budget() {
        return steps.stream().filter(Step.CallTools.class::isInstance).map(step -> ((Step.CallTools) step).budget()).findFirst();
    }

    private static boolean prepares(Step step) {
        return step instanceof Step.Initialize || step instanceof Step.Initialized || step instanceof Step.ListTools
                || step instanceof Step.Discover || step.probe().equals(Scripts.HANDSHAKE);
    }

    private static Step asHandshake(Step step) {
        if (step instanceof Step.Initialize s) {
            return new Step.Initialize(s.id(), Scripts.HANDSHAKE, s.revision());
        } else if (step instanceof Step.Discover s) {
            return new Step.Discover(s.id(), Scripts.HANDSHAKE, s.revision());
        } else if (step instanceof Step.ListTools s) {
            return new Step.ListTools(s.id(), Scripts.HANDSHAKE);
        }
        return step;
    }
}
