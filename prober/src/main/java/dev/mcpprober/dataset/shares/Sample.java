package dev.mcpprober.dataset.shares;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Veil;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.TargetState;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is counted of one server; small, so that a whole run fits into memory.
 *
 * @param rank     order in which one server is taken of each publisher
 * @param family   {@code unknown} where nothing says
 * @param sdk      family and exact version as table targets has it, or {@code unknown} for it
 * @param revision {@code none} where none was agreed on
 * @param words    rule set to check to the verdict that stands
 * @param observed check to the value observed, for questions that were put
 * @param consequences check to what came of bad arguments, of those checks; {@code none} where they were not accepted
 * @param answers  version offered to what came of it
 * @param failing  rule sets with a check that fails under the revision of the row, or before one was agreed on
 */
record Sample(String publisher, String rank, TargetState state, String startupFailure, String registry, String family, String sdk, String revision,
              Map<String, Map<String, VerdictWord>> words, Map<String, String> observed, Map<String, String> consequences, Map<String, String> answers,
              Set<String> failing) {

    static Sample of(ServerVerdicts server) {
        Map<String, Map<String, VerdictWord>> words = new LinkedHashMap<>();
        Map<String, String> observed = new LinkedHashMap<>();
        Map<String, String> consequences = new LinkedHashMap<>();
        Set<String> failing = new HashSet<>();
        server.stands().forEach((ruleSet, stands) -> {
            if (stands.values().stream().anyMatch(stand -> stand.failsUnder(server.revision()))) {
                failing.add(ruleSet);
            }
            Map<String, VerdictWord> byCheck = words.computeIfAbsent(ruleSet, key -> new LinkedHashMap<>());
            stands.forEach((check, stand) -> {
                byCheck.put(check.intern(), stand.word());
                if (!stand.observed().equals("not-run")) {
                    observed.putIfAbsent(check.intern(), stand.observed().intern());
                    consequences.putIfAbsent(check.intern(), stand.consequence().isEmpty() ? Shares.NONE : stand.consequence().intern());
                }
            });
        });
        Map<String, String> answers = new LinkedHashMap<>();
        server.offers().forEach(offer -> answers.put(offer.offered().intern(), offer.answered().intern()));
        String registry = server.row().registry();
        String family = server.family().isEmpty() ? SdkFamily.UNKNOWN.id() : server.family();
        return new Sample(publisher(server), Digests.sha256(server.row().target()), server.state(), server.startupFailure(), registry,
                family, family + " " + (server.sdkVersion().isEmpty() ? "unknown" : Printable.cell(server.sdkVersion(), Integer.MAX_VALUE)), server.revision().isEmpty() ? "none" : server.revision(), words, observed,
                consequences, answers, failing);
    }

    /** The same server with what may be told of it; what may not is empty, and so is the exact version always. */
    Sample as(Veil.Traits told) {
        return new Sample(publisher, rank, state, startupFailure, told.registry(), told.family(), "", told.revision(), words, observed, consequences, answers, failing);
    }

    static String publisher(ServerVerdicts server) {
        String registry = server.row().registry();
        return registry.equals(Registry.LOCAL.id()) ? server.row().target() : Publishers.of(registry, server.row().name());
    }

    boolean started() {
        return state == TargetState.STARTED;
    }

    VerdictWord word(String ruleSet, String check) {
        return words.getOrDefault(ruleSet, Map.of()).get(check);
    }

    /** True for a verdict that says something of the server: pass, fail, warn or divergent. */
    static boolean decides(VerdictWord word) {
        return word == VerdictWord.PASS || word == VerdictWord.FAIL || word == VerdictWord.WARN || word == VerdictWord.DIVERGENT;
    }
}
