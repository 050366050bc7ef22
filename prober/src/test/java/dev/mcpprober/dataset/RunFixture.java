package dev.mcpprober.dataset;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.install.EntryPoint;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.model.WorkKey;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Verdict;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerWriter;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A run folder on disk in every state that a target can be in, with servers that say hostile things. */
public final class RunFixture {
    static final String EVIL = "=HYPERLINK(\"x\")\n\u001b[2J\u202Eevil,\"quoted\"<img src=x onerror=y></td></pre>\u0000";
    private static final String AT = "2026-11-30T12:00:00.000Z";

    final RunFolder folder;
    private final StringBuilder ledger = new StringBuilder();

    private RunFixture(Path path) {
        this.folder = new RunFolder(path);
    }

    public static RunFixture make(Path temp, String name) throws IOException {
        return make(temp, name, 0);
    }

    /** @param more servers {@code npm:@pubN/tool-server-N} that start, and do what {@code @scope/good} does */
    static RunFixture make(Path temp, String name, int more) throws IOException {
        Files.createDirectories(temp);
        Frame frame = FrameReader.read(Files.writeString(temp.resolve("frame.csv"), """
                target,args,env,note
                npm:@scope/good@1.0.0,,"{""TOKEN"":""s3cret-value""}",
                npm:silent@1.0.0,,,
                npm:gone@9.9.9,,,
                npm:flaky@1.0.0,"[""-x""]",,
                npm:never@1.0.0,,,
                broken row,,,
                npm:silent@1.0.0,,,
                pypi:modern==2.0,,,
                """ + java.util.stream.IntStream.range(0, more).mapToObj(i -> "npm:@pub" + i + "/tool-server-" + i + "@1.0.0,,,\n").collect(java.util.stream.Collectors.joining())));
        RunFixture fixture = new RunFixture(temp.resolve(name));
        RunFolder folder = fixture.folder;
        folder.writeInfo(new RunInfo(1, AT, "0.1.0", "/somewhere/frame.csv", frame.hash(), frame.rows().size(), 7, "full",
                Map.of("policy", "network=none"), Map.of("node", "sha256:aa"), Map.of("engine", "docker")));
        folder.writeFrame(frame.rows().stream().map(FrameRow::of).toList());
        fixture.log(new LedgerEvent.Opened(AT, "0.1.0", 1, Map.of()));
        for (String line : List.of("line-7", "line-8")) {
            fixture.log(new LedgerEvent.Excluded(AT, line, line.equals("line-7") ? "malformed" : "duplicate"));
        }
        fixture.started("pkg:npm/%40scope/good@1.0.0", "official-ts", true);
        fixture.started("pkg:pypi/modern@2.0", "official-py", false);
        for (int i = 0; i < more; i++) {
            fixture.started("pkg:npm/%40pub" + i + "/tool-server-" + i + "@1.0.0", i % 2 == 0 ? "official-ts" : "official-py", false);
        }
        fixture.startFailed("pkg:npm/silent@1.0.0");
        fixture.install("pkg:npm/gone@9.9.9", "not-found", null, Optional.empty());
        fixture.log(new LedgerEvent.Finished(AT, "pkg:npm/gone@9.9.9", "not-installed", "not-found", List.of()));
        String flaky = frame.eligible().get(3).id();
        fixture.install(flaky, "installed", "unknown", Optional.empty());
        fixture.log(new LedgerEvent.Started(AT, flaky, key(flaky, "legacy"), "f1-1", "legacy"),
                new LedgerEvent.Faulted(AT, flaky, key(flaky, "legacy"), "f1-1", "channel-lost", EVIL),
                new LedgerEvent.Closed(AT, "stopped on request"));
        Files.writeString(folder.ledger(), fixture.ledger);
        return fixture;
    }

    private static String key(String target, String session) {
        return WorkKey.of(target, session, Era.LEGACY, "", "", 0).hex();
    }

    private void log(LedgerEvent... events) {
        for (LedgerEvent event : events) {
            ledger.append(LedgerWriter.line(event));
        }
    }

    private void install(String target, String outcome, String family, Optional<InstallOutcome> caveat) throws IOException {
        boolean usable = outcome.equals("installed");
        InstallRecord record = new InstallRecord(
                new InstallRecord.Artefact(target, Registry.NPM, usable ? target : "", "", usable ? "1.0.0" : "", usable ? "sha512-abc==" : "", ""),
                usable ? new InstallOutcome.Installed("") : new InstallOutcome.NotFound(EVIL),
                usable ? Optional.of(new InstallRecord.Program("sha256:bb", new EntryPoint(List.of("node", EVIL), EVIL, List.of()), "/tmp",
                        new SdkAttribution(SdkFamily.of(family), "1.2.3", "low", "", EVIL), "node:22", "sha256:cc", "bootstrapped", "t", false, caveat))
                        : Optional.empty(),
                new InstallRecord.Scripts(List.of(), "", ""), new InstallRecord.Lock("", "", ""), List.of(EVIL),
                new InstallRecord.Traffic(List.of(), 0, List.of(EVIL), List.of(), true), 1.234, EVIL);
        byte[] bytes = InstallDocument.write(record);
        AtomicFiles.write(folder.install(target), bytes);
        String attempt = "i" + Digests.sha256(target).substring(0, 8) + "-1";
        log(new LedgerEvent.Started(AT, target, LedgerEvent.INSTALL, attempt, "install"),
                new LedgerEvent.Installed(AT, target, attempt, outcome, usable, Digests.sha256(bytes)));
    }

    private void started(String target, String family, boolean faultFirst) throws IOException {
        install(target, "installed", family, Optional.empty());
        String attempt = Digests.sha256(target).substring(0, 8);
        if (faultFirst) {
            log(new LedgerEvent.Started(AT, target, key(target, "legacy"), attempt + "-1", "legacy"),
                    new LedgerEvent.Faulted(AT, target, key(target, "legacy"), attempt + "-1", "engine-error", "busy"));
        }
        session(target, attempt + "-2", "legacy", 0);
        session(target, attempt + "-9", "discover", 0);
        log(new LedgerEvent.Finished(AT, target, "started", "two sessions", List.of(attempt + "-2", attempt + "-9")));
    }

    private void startFailed(String target) throws IOException {
        install(target, "installed", "hand-rolled", Optional.of(new InstallOutcome.BlockedEgress(List.of(EVIL), "", EVIL)));
        session(target, "ab12-1", "legacy", 3);
        log(new LedgerEvent.Finished(AT, target, "start-failed", "", List.of("ab12-1")));
    }

    private void session(String target, String attempt, String session, int status) throws IOException {
        TranscriptHeader header = new TranscriptHeader(attempt, key(target, session), target, session, session + "-full@1", Era.LEGACY, session.equals("discover") ? "2099-12-31" : "2025-11-25",
                List.of("node"), "sha256:bb", "network=none", "0.1.0", AT, 1, 2, 3);
        try (TranscriptWriter out = new TranscriptWriter(folder.transcript(attempt), header)) {
            out.write(new Event.Started(0, 0, List.of("node")));
            out.write(new Event.Received(1, 5_000_000, EVIL.getBytes(StandardCharsets.UTF_8), true, EVIL.length()));
            out.write(new Event.Totals(2, 9_000_000, 100, 20, 0));
            out.write(new Event.Terminated(3, 9_500_000, "exited", status));
            if (session.equals("legacy") && status == 0) {
                list(out);
            }
            out.finish();
        }
        log(new LedgerEvent.Started(AT, target, key(target, session), attempt, session),
                new LedgerEvent.Completed(AT, target, key(target, session), attempt, Digests.sha256(folder.transcript(attempt))));
    }

    /** Two tools, one of which says hostile things. */
    private static void list(TranscriptWriter out) throws IOException {
        String tools = Json.write(Json.object().put("jsonrpc", "2.0").put("id", 9).set("result", Json.object().set("tools", Json.mapper().createArrayNode()
                .add(Json.object().put("name", "get_a").put("description", "Is it pending?").set("annotations", Json.object().put("readOnlyHint", true)))
                .add(Json.object().put("name", "delete" + EVIL).put("description", EVIL + " is queued " + EVIL)
                        .set("inputSchema", Json.object().set("properties", Json.object().set(EVIL, Json.object())))))));
        out.write(new Event.StepBegan(4, 1, "list", "tools-list", Map.of()));
        out.write(new Event.Sent(5, 1, "list", "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}\n".getBytes(StandardCharsets.UTF_8)));
        out.write(new Event.Received(6, 1, tools.getBytes(StandardCharsets.UTF_8), true, tools.getBytes(StandardCharsets.UTF_8).length));
    }

    /** Observations that depend on the transcripts alone: a status other than 0 is a failed start. */
    static TargetObservations extract(List<Transcript> transcripts) {
        TranscriptHeader header = transcripts.get(0).header();
        boolean failed = transcripts.stream().flatMap(t -> t.events().stream()).anyMatch(e -> e instanceof Event.Terminated t && t.status() != 0);
        List<Observation> observations = new ArrayList<>();
        String revision = failed ? "" : header.target().contains("modern") ? EVIL : "2025-06-18";
        observations.add(new Observation.Reaction(subject("server-initialize", revision, null, false), failed ? "exited" : "result", failed ? 3L : null,
                Set.of(), null, EVIL, List.of(0, 1)));
        if (!failed) {
            observations.add(new Observation.Reaction(subject("tools-call-unknown", revision, EVIL, true), "protocol-error", -32601L,
                    Set.of("no-code", "late"), null, EVIL, List.of(1)));
            observations.add(new Observation.Reaction(subject("tools-call-wrong-type", revision, "a", true), "result", null, Set.of(),
                    header.target().contains("modern") ? "in-band-error" : null, "", List.of(1)));
            observations.add(new Observation.Reaction(subject("tools-call-wrong-type", revision, "b", false), "success", null, Set.of(), "silent-execution", "", List.of(1)));
            observations.add(new Observation.Finding(subject("stdout-utf8", revision, null, false), "conforms", Set.of(), "", List.of()));
            observations.add(new Observation.NotRun(subject("discover", revision, null, false), "tools capability not declared", "", List.of()));
        }
        Optional<TargetObservations.StartupFailure> startup = failed
                ? Optional.of(new TargetObservations.StartupFailure("exit-nonzero", "3", "legacy", List.of(3))) : Optional.empty();
        return new TargetObservations(failed ? Set.of() : Set.of(Era.MODERN, Era.LEGACY),
                new TargetObservations.SessionSummary(!failed, "legacy", "2025-11-25", failed ? null : revision, EVIL, "+1", failed ? null : 2), startup, observations,
                failed ? List.of() : List.of(new TargetObservations.Offer("legacy", "2025-11-25", revision, "result")));
    }

    private static Subject subject(String check, String revision, String tool, boolean primary) {
        return new Subject(check, "legacy", Era.LEGACY, revision, tool, tool == null ? null : "-p", primary);
    }

    static Analysis.Extraction extraction() {
        List<Transcript> transcripts = new ArrayList<>();
        return new Analysis.Extraction() {
            @Override
            public void add(Transcript transcript) {
                transcripts.add(transcript);
            }

            @Override
            public TargetObservations finish() {
                return extract(transcripts);
            }
        };
    }

    static Analysis analysis() {
        return new Analysis("fake@1", RunFixture::extraction, List.of(judge("spec@1"), judge("other@2")));
    }

    private static Judge judge(String label) {
        return new Judge() {
            @Override
            public String label() {
                return label;
            }

            @Override
            public List<Graded> grade(TargetObservations target) {
                return target.observations().stream().map(o -> new Graded(o, label, verdict(o), "must", "do it", "tools#x", "")).toList();
            }

            private Verdict verdict(Observation observation) {
                return switch (observation.observed()) {
                    case "result", "conforms" -> new Verdict.Pass("fine");
                    case "not-run" -> new Verdict.NotRun("not put");
                    case "protocol-error" -> new Verdict.Divergent(EVIL);
                    default -> new Verdict.Fail("bad");
                };
            }

            @Override
            public List<RuleText> rules() {
                return List.of(new RuleText("tools-call-unknown", ProtocolRevision.V2025_06_18, "must", "-32602", "tools#errors", "=why"),
                        new RuleText("ping", ProtocolRevision.V2025_06_18, "must", "answer", "ping", ""),
                        new RuleText("ping", ProtocolRevision.V2024_11_05, "must", "answer", "ping", ""));
            }
        };
    }
}
