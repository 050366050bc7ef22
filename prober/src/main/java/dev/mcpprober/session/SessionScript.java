package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import java.util.List;

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

    /** The handshake of this script followed by the steps named, in the script's order; same id and version. */
    public SessionScript only(List<String> stepIds) {
        return new SessionScript(id, version, era, steps.stream()
                .filter(step -> step.probe().equals(Scripts.HANDSHAKE) || step instanceof Step.Initialize || step instanceof Step.ListTools
                        || step.id().equals(steps.get(0).id()) || stepIds.contains(step.id()))
                .toList());
    }
}
