package dev.mcpprober.dataset;

import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.model.Era;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.traits.DeclaredTool;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One row of a run's frame, with the verdicts that stand for the server.
 *
 * @param version        installed version, else the one that the frame pins, else empty
 * @param reason         why it ended in that state; empty when it started
 * @param startupFailure see the column of this name
 * @param revision       negotiated, {@code other}, or empty
 * @param family         SDK family, or empty where nothing was installed
 * @param stands         rule set to check to verdict
 * @param tools          what the session that stands for the server lists
 * @param offers         versions that it was offered, as tables have them
 * @param repeats        for each repeat after the first rule set to check to the verdict that would stand by that repeat alone
 */
public record ServerVerdicts(FrameRow row, TargetState state, String version, String reason, String startupFailure, Set<Era> eras, String revision,
                             String family, String sdkVersion, Map<String, Map<String, Stand>> stands, List<DeclaredTool> tools, List<Offer> offers,
                             List<Map<String, Map<String, VerdictWord>>> repeats) {
    /** @param answered the version that it answered, {@code other}, or how the request was met where the answer names none */
    public record Offer(String offered, String answered) {}

    /** Without tools, offers and repeats. */
    public ServerVerdicts(FrameRow row, TargetState state, String version, String reason, String startupFailure, Set<Era> eras, String revision, String family,
                          String sdkVersion, Map<String, Map<String, Stand>> stands) {
        this(row, state, version, reason, startupFailure, eras, revision, family, sdkVersion, stands, List.of(), List.of(), List.of());
    }

    /** Derives a run anew, row by row in the order of the tables; nothing of a row is kept. */
    public static RunInfo each(RunFolder folder, Analysis analysis, Consumer<ServerVerdicts> rows) throws IOException {
        try (RunReader reader = new RunReader(folder, analysis.redactor())) {
            for (FrameRow row : reader.rows()) {
                rows.accept(of(Derived.of(reader, reader.history(row), analysis)));
            }
            return reader.info();
        }
    }

    static ServerVerdicts of(Derived derived) {
        Map<String, Map<String, Stand>> stands = new LinkedHashMap<>();
        derived.verdicts().keySet().forEach(ruleSet -> stands.put(ruleSet, Stand.of(derived, ruleSet)));
        FrameRow row = derived.history().row();
        String installed = derived.install().map(install -> install.artefact().version()).orElse("");
        return new ServerVerdicts(row, derived.state(), installed.isEmpty() ? row.version() : installed, derived.reason(), derived.startupFailure(),
                derived.observed() == null ? Set.of() : derived.observed().eras(), Tables.revision(derived.revision()), derived.family(),
                derived.install().flatMap(InstallRecord::program).map(program -> program.sdk().version()).orElse(""), stands, derived.tools(), offers(derived),
                derived.repeats().stream().map(repeat -> Stand.words(repeat, derived.verdicts().keySet())).toList());
    }

    private static List<Offer> offers(Derived derived) {
        return derived.observed() == null ? List.of() : derived.observed().offers().stream().map(offer -> {
            String answered = Tables.revision(offer.answered());
            return new Offer(offer.offered(), answered.isEmpty() ? offer.met() : answered);
        }).toList();
    }

    /** The same without verdicts, which are most of what it holds. */
    public ServerVerdicts withoutStands() {
        return new ServerVerdicts(row, state, version, reason, startupFailure, eras, revision, family, sdkVersion, Map.of());
    }

    /** The verdict that stands, or null where there is none. */
    public Stand stand(String ruleSet, String check) {
        return stands.getOrDefault(ruleSet, Map.of()).get(check);
    }
}
