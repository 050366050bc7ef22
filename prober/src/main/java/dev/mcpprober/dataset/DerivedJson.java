package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Observations and verdicts of one target as one JSON object each, texts raw and whole. */
final class DerivedJson {
    private DerivedJson() {}

    static ObjectNode observations(Derived derived) {
        TargetObservations observed = derived.observed();
        ObjectNode node = Json.object().put("target", derived.history().row().target());
        strings(node.putArray("eras"), observed.eras().stream().sorted().map(Era::id).toList());
        node.set("session", Json.mapper().valueToTree(observed.session()));
        node.set("startup", observed.startup().<ObjectNode>map(startup -> Json.mapper().valueToTree(startup)).orElse(null));
        Map<Observation, String> names = derived.names();
        ArrayNode array = node.putArray("observations");
        derived.all().forEach(repeat -> repeat.observed().observations().forEach(observation -> array.add(observation(names.get(observation), observation))));
        return node;
    }

    private static ObjectNode observation(String name, Observation observation) {
        Subject subject = observation.subject();
        ObjectNode node = Json.object().put("observation", name).put("check", subject.check()).put("session", subject.session())
                .put("era", subject.era().id()).put("revision", subject.revision()).put("tool", subject.tool())
                .put("property", subject.property()).put("primary", subject.primary()).put("observed", observation.observed());
        if (observation instanceof Observation.Reaction reaction) {
            node.put("code", reaction.code()).put("consequence", reaction.consequence());
            strings(node.putArray("flags"), new TreeSet<>(reaction.flags()));
        } else if (observation instanceof Observation.Finding finding) {
            strings(node.putArray("flags"), new TreeSet<>(finding.flags()));
        } else if (observation instanceof Observation.NotRun notRun) {
            node.put("reason", notRun.reason());
        }
        ArrayNode witness = node.put("detail", observation.detail()).putArray("witness");
        observation.witness().forEach(witness::add);
        return node;
    }

    /** @param extractor that made the observations, which the verdicts name by number */
    static ObjectNode verdicts(Derived derived, String ruleSet, String extractor) {
        ObjectNode node = Json.object().put("target", derived.history().row().target()).put("extractor", extractor);
        Map<Observation, String> names = derived.names();
        ArrayNode array = node.putArray("verdicts");
        for (Graded graded : derived.all().stream().flatMap(repeat -> repeat.graded().stream()).filter(graded -> graded.ruleSet().equals(ruleSet)).toList()) {
            array.addObject().put("observation", names.get(graded.observation())).put("check", graded.observation().subject().check())
                    .put("verdict", graded.verdict().word()).put("level", graded.level()).put("note", graded.verdict().note())
                    .put("requirement", graded.requirement()).put("citation", graded.citation()).put("fix", graded.fix());
        }
        return node;
    }

    private static void strings(ArrayNode array, Collection<String> values) {
        values.forEach(array::add);
    }
}
