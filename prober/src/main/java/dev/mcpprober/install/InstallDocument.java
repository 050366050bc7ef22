package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JSON form of an {@link InstallRecord}: {@code installs/<target>.json}, {@code schemaVersion} 1. */
public final class InstallDocument {
    private static final int VERSION = 1;

    private InstallDocument() {}

    public static byte[] write(InstallRecord record) {
        ObjectNode root = Json.object();
        root.put("schemaVersion", VERSION);
        InstallRecord.Artefact artefact = record.artefact();
        root.put("target", artefact.target()).put("registry", artefact.registry().id()).put("purl", artefact.purl()).put("name", artefact.name())
                .put("version", artefact.version()).put("artefactDigest", artefact.digest()).put("asOf", artefact.asOf());
        outcome(root.putObject("outcome"), record.outcome());
        record.program().ifPresent(program -> program(root.putObject("program"), program));
        ObjectNode scripts = root.putObject("scripts");
        strings(scripts.putArray("packages"), record.scripts().packages());
        scripts.put("failed", record.scripts().failed()).put("withoutScripts", record.scripts().withoutScripts());
        root.putObject("lockfile").put("name", record.lock().name()).put("sha256", record.lock().sha256()).put("text", record.lock().text());
        strings(root.putArray("tree"), record.tree());
        root.put("treeDigest", record.treeDigest());
        traffic(root.putObject("gateway"), record.traffic());
        root.put("seconds", record.seconds());
        root.put("logTail", record.logTail());
        return (Json.write(root) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void outcome(ObjectNode node, InstallOutcome outcome) {
        node.put("kind", outcome.kind()).put("detail", outcome.detail());
        if (outcome instanceof InstallOutcome.BlockedEgress blocked) {
            strings(node.putArray("hosts"), blocked.hosts());
            node.put("package", blocked.packageName());
        } else if (outcome instanceof InstallOutcome.InstallScriptFailed failed) {
            node.put("package", failed.packageName());
        } else if (outcome instanceof InstallOutcome.TimedOut timedOut) {
            node.put("seconds", timedOut.seconds());
        }
    }

    private static void program(ObjectNode node, InstallRecord.Program program) {
        node.put("image", program.image());
        strings(node.putArray("argv"), program.entry().argv());
        node.put("reason", program.entry().reason());
        strings(node.putArray("candidates"), program.entry().candidates());
        node.put("workdir", program.workdir());
        SdkAttribution sdk = program.sdk();
        node.putObject("sdk").put("family", sdk.family().id()).put("version", sdk.version()).put("style", sdk.style()).put("base", sdk.base())
                .put("evidence", sdk.evidence());
        node.put("baseName", program.baseName()).put("baseImage", program.baseImage()).put("baseOrigin", program.baseOrigin())
                .put("installer", program.installer()).put("reused", program.reused());
        program.caveat().ifPresent(caveat -> outcome(node.putObject("caveat"), caveat));
    }

    private static void traffic(ObjectNode node, InstallRecord.Traffic traffic) {
        ArrayNode files = node.putArray("files");
        for (InstallRecord.Served served : traffic.files()) {
            files.addObject().put("name", served.name()).put("version", served.version()).put("file", served.file()).put("integrity", served.integrity())
                    .put("status", served.status()).put("bytes", served.bytes());
        }
        node.put("documents", traffic.documents());
        strings(node.putArray("blockedHosts"), traffic.blockedHosts());
        strings(node.putArray("refused"), traffic.refused());
        node.put("complete", traffic.complete());
    }

    private static void strings(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    /** @throws IOException when the bytes are not such a document, saying what is wrong with it */
    public static InstallRecord read(byte[] document) throws IOException {
        if (!(Json.parse(new String(document, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value) || !value.node().isObject()) {
            throw new IOException("not an install record: no JSON object");
        }
        JsonNode root = value.node();
        if (root.path("schemaVersion").asInt() != VERSION) {
            throw new IOException("an install record of schemaVersion " + root.path("schemaVersion").asText("none") + "; this prober reads " + VERSION);
        }
        try {
            return record(root);
        } catch (IllegalArgumentException e) {
            throw new IOException("not an install record: " + e.getMessage(), e);
        }
    }

    private static InstallRecord record(JsonNode root) {
        InstallRecord.Artefact artefact = new InstallRecord.Artefact(text(root, "target"), registry(text(root, "registry")), text(root, "purl"),
                text(root, "name"), text(root, "version"), text(root, "artefactDigest"), text(root, "asOf"));
        JsonNode scripts = root.path("scripts");
        JsonNode lock = root.path("lockfile");
        return new InstallRecord(artefact, outcome(root.path("outcome")), root.has("program") ? Optional.of(program(root.path("program"))) : Optional.empty(),
                new InstallRecord.Scripts(strings(scripts.path("packages")), text(scripts, "failed"), text(scripts, "withoutScripts")),
                new InstallRecord.Lock(text(lock, "name"), text(lock, "sha256"), text(lock, "text")), strings(root.path("tree")),
                traffic(root.path("gateway")), root.path("seconds").asDouble(), text(root, "logTail"));
    }

    private static Registry registry(String id) {
        for (Registry registry : Registry.values()) {
            if (registry.id().equals(id)) {
                return registry;
            }
        }
        throw new IllegalArgumentException("no such registry: " + id);
    }

    private static InstallOutcome outcome(JsonNode node) {
        return InstallOutcome.of(text(node, "kind"), text(node, "detail"), strings(node.path("hosts")), text(node, "package"), node.path("seconds").asLong());
    }

    private static InstallRecord.Program program(JsonNode node) {
        JsonNode sdk = node.path("sdk");
        return new InstallRecord.Program(text(node, "image"), new EntryPoint(strings(node.path("argv")), text(node, "reason"), strings(node.path("candidates"))),
                text(node, "workdir"), new SdkAttribution(SdkFamily.of(text(sdk, "family")), text(sdk, "version"), text(sdk, "style"), text(sdk, "base"),
                text(sdk, "evidence")), text(node, "baseName"), text(node, "baseImage"), text(node, "baseOrigin"), text(node, "installer"),
                node.path("reused").asBoolean(), node.has("caveat") ? Optional.of(outcome(node.path("caveat"))) : Optional.empty());
    }

    private static InstallRecord.Traffic traffic(JsonNode node) {
        List<InstallRecord.Served> files = new ArrayList<>();
        for (JsonNode file : node.path("files")) {
            files.add(new InstallRecord.Served(text(file, "name"), text(file, "version"), text(file, "file"), text(file, "integrity"),
                    file.path("status").asInt(), file.path("bytes").asLong()));
        }
        return new InstallRecord.Traffic(files, node.path("documents").asInt(), strings(node.path("blockedHosts")), strings(node.path("refused")),
                node.path("complete").asBoolean());
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    private static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
