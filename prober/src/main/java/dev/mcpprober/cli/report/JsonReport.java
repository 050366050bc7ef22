package dev.mcpprober.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.cli.gate.FindingKey;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.dataset.Flaky;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code check --format json}: the stable contract, {@code schemaVersion} 1. Everything but ASCII is escaped, so it is safe to show. */
final class JsonReport {
    static final int SCHEMA_VERSION = 1;
    private static final ObjectWriter WRITER = Json.mapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private JsonReport() {}

    static String write(CheckResult result, Gate gate) {
        try {
            // Jackson leaves DEL as it is; it is the one control character left in ASCII.
            return WRITER.writeValueAsString(tree(result, gate)).replace("\u007f", "\\u007f");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can be written", e);
        }
    }

    static ObjectNode tree(CheckResult result, Gate gate) {
        ObjectNode root = Json.object().put("schemaVersion", SCHEMA_VERSION);
        root.putObject("target").put("purl", result.target().purl()).put("registry", result.target().registry())
                .put("name", result.target().name()).put("version", result.target().version());
        install(root, result);
        session(root, result);
        ArrayNode versions = root.putArray("versions");
        result.observed().ifPresent(observed -> observed.offers().forEach(offer -> versions.addObject().put("offered", offer.offered())
                .put("answered", offer.answered()).put("met", offer.met()).put("session", offer.session())));
        root.put("startupFailure", result.startupFailure().orElse(null));
        result.observed().flatMap(TargetObservations::startup).ifPresent(failure -> {
            ObjectNode node = root.putObject("startup").put("detail", failure.detail()).put("session", failure.session())
                    .put("advice", StartupAdvice.of(failure.kind(), failure.detail()));
            failure.witness().forEach(node.putArray("witness")::add);
        });
        ArrayNode rules = root.putArray("rules");
        result.ruleLabels().forEach(rules::add);
        ArrayNode checks = root.putArray("checks");
        // Where one row of a check stands for the server, the others say that they do not.
        Set<String> represented = result.graded().stream().map(g -> g.observation().subject()).filter(Subject::primary).map(Subject::check).collect(Collectors.toSet());
        Set<Graded> flaky = Collections.newSetFromMap(new IdentityHashMap<>());
        result.repeats().flaky().forEach(differs -> flaky.add(differs.stands()));
        result.graded().forEach(graded -> {
            ObjectNode node = check(graded, gate, represented);
            if (flaky.contains(graded)) {
                node.put("flaky", true);
            }
            checks.add(node);
        });
        repeats(root, result.repeats());
        ObjectNode summary = root.putObject("summary");
        for (VerdictWord word : VerdictWord.values()) {
            summary.put(word.id(), result.count(word.id()));
        }
        ObjectNode verdict = root.putObject("gate").put("failOn", gate.failOn().name()).put("failed", gate.failed(result.graded(), result.startupFailure()));
        if (gate.hasBaseline()) {
            ObjectNode baseline = verdict.putObject("baseline");
            keys(baseline.putArray("known"), gate.known());
            keys(baseline.putArray("gone"), gate.gone());
            keys(baseline.putArray("notLookedFor"), gate.unseen());
        }
        ArrayNode transcripts = root.putArray("transcripts");
        result.transcripts().forEach(transcripts::add);
        return root;
    }

    private static void keys(ArrayNode array, Set<FindingKey> keys) {
        for (FindingKey key : keys) {
            array.addObject().put("rules", key.rules()).put("check", key.check()).put("era", key.era()).put("tool", key.tool())
                    .put("property", key.property()).put("observed", key.observed());
        }
    }

    private static void install(ObjectNode root, CheckResult result) {
        if (result.install().isEmpty()) {
            root.putNull("install");
            root.putNull("sdk");
            return;
        }
        CheckResult.InstallSummary install = result.install().get();
        ObjectNode node = root.putObject("install").put("outcome", install.outcome()).put("detail", install.detail())
                .put("imageDigest", install.imageDigest());
        ArrayNode entry = node.putArray("entryPoint");
        install.entryPoint().forEach(entry::add);
        node.put("seconds", Math.round(install.seconds() * 10) / 10.0).put("reused", install.reused());
        if (install.sdk().isPresent()) {
            CheckResult.Sdk sdk = install.sdk().get();
            root.putObject("sdk").put("family", sdk.family()).put("version", sdk.version()).put("evidence", sdk.evidence());
        } else {
            root.putNull("sdk");
        }
    }

    private static void session(ObjectNode root, CheckResult result) {
        ArrayNode eras = root.putArray("eras");
        result.observed().ifPresent(observed -> observed.eras().stream().sorted().map(Era::id).forEach(eras::add));
        if (result.observed().isEmpty()) {
            root.putNull("session");
            return;
        }
        TargetObservations.SessionSummary session = result.observed().get().session();
        ObjectNode node = root.putObject("session").put("handshake", session.handshake()).put("name", session.name())
                .put("offeredRevision", session.offeredRevision()).put("protocolVersion", session.protocolVersion());
        if (session.serverName() == null && session.serverVersion() == null) {
            node.putNull("serverInfo");
        } else {
            node.putObject("serverInfo").put("name", session.serverName()).put("version", session.serverVersion());
        }
        node.put("toolCount", session.toolCount());
    }

    /** {@code repeats}: how often the sessions were gone through and how the server started each time; {@code flaky}: what differed. */
    private static void repeats(ObjectNode root, CheckResult.Repeats repeats) {
        ArrayNode starts = root.putObject("repeats").put("times", repeats.times()).putArray("starts");
        repeats.starts().forEach(starts::add);
        ArrayNode array = root.putArray("flaky");
        for (Flaky flaky : repeats.flaky()) {
            Subject subject = flaky.stands().observation().subject();
            ObjectNode node = array.addObject().put("id", subject.check()).put("rules", flaky.stands().ruleSet()).put("era", subject.era().id())
                    .put("tool", subject.tool()).put("property", subject.property());
            flaky.words().forEach(node.putArray("verdicts")::add);
            ArrayNode witnesses = node.putArray("witnesses");
            witness(witnesses.addObject().put("repeat", 0), flaky.stands());
            witness(witnesses.addObject().put("repeat", flaky.repeat()), flaky.other());
        }
    }

    private static void witness(ObjectNode node, Graded graded) {
        Observation observation = graded.observation();
        node.put("verdict", graded.verdict().word()).put("observed", observation.observed()).put("session", observation.subject().session());
        observation.witness().forEach(node.putArray("witness")::add);
    }

    private static ObjectNode check(Graded graded, Gate gate, Set<String> represented) {
        Observation observation = graded.observation();
        Subject subject = observation.subject();
        ObjectNode node = Json.object().put("id", subject.check()).put("rules", graded.ruleSet()).put("session", subject.session())
                .put("revision", subject.revision()).put("tool", subject.tool()).put("property", subject.property());
        if (represented.contains(subject.check())) {
            node.put("primary", subject.primary());
        }
        node.put("observed", observation.observed());
        Observation.Reaction reaction = observation instanceof Observation.Reaction r ? r : null;
        node.put("code", reaction == null ? null : reaction.code());
        node.put("consequence", reaction == null ? null : reaction.consequence());
        node.put("verdict", graded.verdict().word()).put("note", graded.verdict().note()).put("level", graded.level())
                .put("requirement", graded.requirement()).put("citation", graded.citation()).put("fix", graded.fix())
                .put("detail", observation.detail());
        observation.witness().forEach(node.putArray("witness")::add);
        if (gate.isKnown(graded)) {
            node.put("baselined", true);
        }
        return node;
    }
}
