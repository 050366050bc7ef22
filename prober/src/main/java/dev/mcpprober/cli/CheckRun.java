package dev.mcpprober.cli;

import dev.mcpprober.cli.report.CheckResult;
import dev.mcpprober.cli.report.StartupAdvice;
import dev.mcpprober.cli.report.Witnesses;
import dev.mcpprober.dataset.Flaky;
import dev.mcpprober.dataset.Repeat;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.io.CpuPressure;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.local.LocalEngine;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.RepeatedPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One check from the install to the verdicts. Transcripts are left in {@code folder}. */
final class CheckRun {
    private final SessionOptions session;
    private final InstallOptions install;
    private final List<String> extraArguments;
    private final Map<String, String> environment;
    private final boolean withEffects;
    private final List<RuleSet> ruleSets;
    private final int times;
    private final Redactor redactor;
    private final Path folder;
    private final Consumer<String> say;

    /**
     * @param withEffects on this host too, call tools that may have effects with valid arguments
     * @param times       how often the sessions are gone through
     * @param say         gets lines for the user
     */
    CheckRun(SessionOptions session, InstallOptions install, List<String> extraArguments, Map<String, String> environment, boolean withEffects,
             List<RuleSet> ruleSets, int times, Redactor redactor, Path folder, Consumer<String> say) {
        this.session = session;
        this.install = install;
        this.extraArguments = extraArguments;
        this.environment = environment;
        this.withEffects = withEffects;
        this.ruleSets = ruleSets;
        this.times = times;
        this.redactor = redactor;
        this.folder = folder;
        this.say = say;
    }

    /**
     * @param sessions transcript files by session name, in the order run
     * @param record   empty for a command on this host
     * @param ran      what each session ran; empty when the package did not come to be installed
     */
    record Checked(CheckResult result, Map<String, Path> sessions, Optional<InstallRecord> record, Optional<SandboxSpec> ran) {}

    Checked command(String command) throws UserError, EngineException, IOException {
        List<String> argv = new ArrayList<>(CommandLineWords.split(command));
        argv.addAll(extraArguments);
        Before.canBeRun("--cmd", argv.get(0));
        say.accept("--cmd runs on this host without isolation; what the server does, it does for real");
        // A command of the user's runs as it would in the user's shell.
        Map<String, String> inherited = new HashMap<>(System.getenv());
        inherited.putAll(environment);
        SandboxSpec sandbox = new SandboxSpec("", argv, inherited, Path.of("").toAbsolutePath().toString(), SandboxPolicy.probe(), Map.of());
        ProbeSubject subject = new ProbeSubject(String.join(" ", argv), Digests.sha256(String.join("\0", argv)), "", sandbox, true, !withEffects);
        try (LocalEngine engine = new LocalEngine()) {
            return probed(engine, subject, new CheckResult.TargetNames(null, "command", String.join(" ", argv), null, SourceFile.of(argv)), Optional.empty());
        }
    }

    Checked target(String text) throws UserError, EngineException, IOException, InterruptedException {
        return target(new InstallRequest(CheckTarget.parse(text), extraArguments, install.asOf()));
    }

    Checked target(InstallRequest request) throws UserError, EngineException, IOException, InterruptedException {
        try (EngineStack stack = EngineStack.open(say)) {
            InstallRecord record = installed(stack, request);
            InstallRecord.Artefact artefact = record.artefact();
            CheckResult.TargetNames names = new CheckResult.TargetNames(artefact.purl().isEmpty() ? null : artefact.purl(),
                    request.target() instanceof Target.OnDisk ? "local" : artefact.registry().id(),
                    artefact.name().isEmpty() ? request.target().label() : artefact.name(), artefact.version().isEmpty() ? null : artefact.version(),
                    SourceFile.of(request.target(), artefact.registry()));
            if (record.program().isEmpty()) {
                CheckResult result = new CheckResult(names, Optional.of(summary(record)), Optional.empty(), ruleSets, List.of(), CheckResult.Repeats.NONE, Witnesses.none(), List.of());
                return new Checked(result, Map.of(), Optional.of(record), Optional.empty());
            }
            InstallRecord.Program program = record.program().get();
            SandboxSpec sandbox = new SandboxSpec(program.image(), program.entry().argv(), environment, program.workdir(), SandboxPolicy.probe(), Map.of());
            ProbeSubject subject = new ProbeSubject(names.purl() == null ? names.name() : names.purl(),
                    Digests.sha256(artefact.digest() + "\n" + String.join("\0", program.entry().argv())), program.image(), sandbox, false);
            return probed(stack.engine(), subject, names, Optional.of(record));
        }
    }

    private InstallRecord installed(EngineStack stack, InstallRequest request) throws UserError, EngineException, IOException, InterruptedException {
        say.accept("installing " + request.target().label() + " in a sandbox (or finding the image of an earlier install)");
        try (Heartbeat alive = new Heartbeat("installing", say)) {
            return stack.installer(install.limits(), redactor).install(request);
        }
    }

    private Map<String, Path> sessions(SandboxEngine engine, ProbeSubject subject) throws UserError, EngineException, IOException {
        SessionRunner runner = new SessionRunner(engine, session.limits(), ProberVersion.get(), redactor, CpuPressure::now);
        try (Heartbeat alive = new Heartbeat("probing", say)) {
            return CheckSessions.run(runner, subject, new RepeatedPlan(session.profile(), session.toolBudget(), times), folder);
        }
    }

    private Checked probed(SandboxEngine engine, ProbeSubject subject, CheckResult.TargetNames names, Optional<InstallRecord> record)
            throws UserError, EngineException, IOException {
        Map<String, Path> sessions = sessions(engine, subject);
        List<Repeat> repeats = repeats(sessions);
        Repeat standing = repeats.get(0);
        List<Flaky> flaky = Flaky.of(repeats);
        List<Graded> shown = new ArrayList<>(standing.graded());
        flaky.forEach(differs -> shown.add(differs.other()));
        List<String> starts = repeats.stream().map(repeat -> repeat.observed().startup().map(TargetObservations.StartupFailure::kind).orElse("started")).toList();
        CheckResult result = new CheckResult(names, record.map(CheckRun::summary), Optional.of(standing.observed()), ruleSets, standing.graded(),
                new CheckResult.Repeats(starts, flaky), Witnesses.of(shown, standing.observed().startup(), sessions), List.of());
        return new Checked(result, sessions, record, Optional.of(subject.spec()));
    }

    private List<Repeat> repeats(Map<String, Path> sessions) throws IOException {
        TreeMap<Integer, Extractor> extractors = new TreeMap<>();
        for (Map.Entry<String, Path> session : sessions.entrySet()) {
            extractors.computeIfAbsent(SessionName.of(session.getKey()).repeat(), key -> new Extractor()).add(TranscriptReader.read(session.getValue()));
        }
        List<Repeat> repeats = new ArrayList<>();
        extractors.forEach((number, extractor) -> {
            TargetObservations observed = extractor.finish();
            List<Graded> graded = new ArrayList<>();
            ruleSets.forEach(set -> Grader.grade(set, observed).forEach(row -> graded.add(advised(row, observed.startup()))));
            repeats.add(new Repeat(number, observed, graded));
        });
        return repeats;
    }

    /** A handshake that failed because the server did not start is mended where the start is; what a rule says of handshakes leads astray. */
    private static Graded advised(Graded row, Optional<TargetObservations.StartupFailure> startup) {
        boolean opening = Set.of(Check.SERVER_INITIALIZE.id(), Check.DISCOVER.id()).contains(row.observation().subject().check());
        return !opening || row.fix().isEmpty() ? row : startup.filter(failure -> failure.session().equals(row.observation().subject().session()))
                .map(failure -> new Graded(row.observation(), row.ruleSet(), row.verdict(), row.level(), row.requirement(), row.citation(),
                        StartupAdvice.of(failure.kind(), failure.detail())))
                .orElse(row);
    }

    private static CheckResult.InstallSummary summary(InstallRecord record) {
        Optional<CheckResult.Sdk> sdk = record.program().map(program -> new CheckResult.Sdk(program.sdk().family().id(),
                program.sdk().version().isEmpty() ? null : program.sdk().version(), program.sdk().evidence()));
        return new CheckResult.InstallSummary(record.outcome().kind(), record.outcome().detail(), record.program().map(InstallRecord.Program::image).orElse(null),
                record.program().map(program -> program.entry().argv()).orElse(List.of()), record.seconds(),
                record.program().map(InstallRecord.Program::reused).orElse(false), sdk);
    }
}
