package dev.mcpprober.cli;

import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.local.LocalEngine;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober check}: one server, installed, probed, graded and explained. */
@Command(name = "check", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Install one server, probe it and explain what it does.")
final class CheckCommand implements Callable<Integer> {
    /** Output formats. */
    enum Format { text, json }

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TARGET",
            description = "npm:NAME[@VERSION], pypi:NAME[==VERSION], a package URL, or a local folder, tarball or wheel.")
    String target;

    @Option(names = "--cmd", paramLabel = "COMMAND",
            description = "Instead of TARGET: a command run on this host WITHOUT isolation. Only for code that you trust.")
    String command;

    @Option(names = "--arg", paramLabel = "ARG", description = "Extra argument for the server's entry point; may be repeated.")
    List<String> extraArguments = new ArrayList<>();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable for the server; may be repeated. No secrets: it is kept in records.")
    Map<String, String> environment = Map.of();

    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}.")
    Format format = Format.text;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = "Rule sets to grade by.")
    List<String> rules = Rules.DEFAULT;

    @Option(names = "--transcript", paramLabel = "DIR", description = "Keep the transcripts of all sessions in this folder.")
    Path transcriptFolder;

    @Option(names = "--all", description = "Explain passed checks too (text format).")
    boolean explainAll;

    @Mixin SessionOptions session;

    @Mixin InstallOptions install;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        if ((target == null) == (command == null)) {
            throw new CommandLine.ParameterException(spec.commandLine(), "name either a TARGET or --cmd \"COMMAND\"");
        }
        if (environment.containsKey("")) {
            throw new UserError("--env: a name is missing before \"=\"");
        }
        if (transcriptFolder != null && (transcriptFolder.toString().isEmpty() || Files.exists(transcriptFolder) && !Files.isDirectory(transcriptFolder))) {
            throw new UserError("--transcript: \"" + Printable.text(transcriptFolder.toString(), 200) + "\" is not a folder");
        }
        List<RuleSet> ruleSets = Rules.load(rules);
        Path folder = transcriptFolder != null ? transcriptFolder : Files.createTempDirectory("mcp-prober-check");
        try {
            CheckResult result = command != null ? checkCommand(folder, ruleSets) : checkTarget(folder, ruleSets);
            PrintWriter out = spec.commandLine().getOut();
            if (format == Format.json) {
                out.println(JsonReport.write(result));
            } else {
                new TextReport(out, explainAll).print(result);
            }
            return result.count("fail") > 0 || result.startupFailure().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
        } finally {
            if (transcriptFolder == null) {
                deleteTree(folder);
            }
        }
    }

    private CheckResult checkCommand(Path folder, List<RuleSet> ruleSets) throws UserError, EngineException, IOException {
        List<String> argv = new ArrayList<>(CommandLineWords.split(command));
        argv.addAll(extraArguments);
        PrintWriter err = spec.commandLine().getErr();
        err.println("prober: --cmd runs on this host without isolation; what the server does, it does for real");
        // A command of the user's runs as it would in the user's shell.
        Map<String, String> inherited = new HashMap<>(System.getenv());
        inherited.putAll(environment);
        SandboxSpec sandbox = new SandboxSpec("", argv, inherited, Path.of("").toAbsolutePath().toString(), SandboxPolicy.probe(), Map.of());
        ProbeSubject subject = new ProbeSubject(String.join(" ", argv), Digests.sha256(String.join("\0", argv)), "", sandbox, true);
        try (LocalEngine engine = new LocalEngine()) {
            Map<String, Path> sessions = CheckSessions.run(new SessionRunner(engine, session.limits(), ProberVersion.get()), subject,
                    session.profile(), folder);
            return graded(new CheckResult.TargetNames(null, "command", String.join(" ", argv), null), Optional.empty(), sessions, ruleSets);
        }
    }

    private CheckResult checkTarget(Path folder, List<RuleSet> ruleSets) throws UserError, EngineException, IOException, InterruptedException {
        InstallRequest request = new InstallRequest(target(), extraArguments, install.asOf());
        PrintWriter err = spec.commandLine().getErr();
        try (EngineStack stack = EngineStack.open(line -> err.println("prober: " + Printable.text(line, 2000)))) {
            InstallRecord record = stack.installer(install.limits()).install(request);
            InstallRecord.Artefact artefact = record.artefact();
            CheckResult.TargetNames names = new CheckResult.TargetNames(artefact.purl().isEmpty() ? null : artefact.purl(),
                    request.target() instanceof Target.OnDisk ? "local" : artefact.registry().id(),
                    artefact.name().isEmpty() ? request.target().label() : artefact.name(), artefact.version().isEmpty() ? null : artefact.version());
            if (record.program().isEmpty()) {
                return new CheckResult(names, Optional.of(summary(record)), Optional.empty(), ruleSets.stream().map(RuleSet::label).toList(),
                        List.of(), Witnesses.none(), List.of());
            }
            InstallRecord.Program program = record.program().get();
            SandboxSpec sandbox = new SandboxSpec(program.image(), program.entry().argv(), environment, program.workdir(), SandboxPolicy.probe(), Map.of());
            ProbeSubject subject = new ProbeSubject(names.purl() == null ? names.name() : names.purl(),
                    Digests.sha256(artefact.digest() + "\n" + String.join("\0", program.entry().argv())), program.image(), sandbox, false);
            Map<String, Path> sessions = CheckSessions.run(new SessionRunner(stack.engine(), session.limits(), ProberVersion.get()), subject,
                    session.profile(), folder);
            return graded(names, Optional.of(summary(record)), sessions, ruleSets);
        }
    }

    private Target target() throws UserError {
        if (!PackageUrl.looksLikeOne(target)) {
            Optional<Path> named = path(target);
            if (named.isEmpty()) {
                throw new UserError("\"" + Printable.text(target, 200) + "\" is neither a file or folder here nor a registry target"
                        + " (npm:NAME[@VERSION], pypi:NAME[==VERSION], pkg:npm/…, pkg:pypi/…)");
            }
            return new Target.OnDisk(named.get());
        }
        try {
            return new Target.InRegistry(PackageUrl.parse(target));
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** Empty where there is nothing of that name; what the locale of this process cannot say is no name of a file here. */
    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text)).filter(path -> !text.isBlank() && Files.exists(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static CheckResult.InstallSummary summary(InstallRecord record) {
        Optional<CheckResult.Sdk> sdk = record.program().map(program -> new CheckResult.Sdk(program.sdk().family().id(),
                program.sdk().version().isEmpty() ? null : program.sdk().version(), program.sdk().evidence()));
        return new CheckResult.InstallSummary(record.outcome().kind(), record.outcome().detail(), record.program().map(InstallRecord.Program::image).orElse(null),
                record.program().map(program -> program.entry().argv()).orElse(List.of()), record.seconds(), sdk);
    }

    private CheckResult graded(CheckResult.TargetNames names, Optional<CheckResult.InstallSummary> install, Map<String, Path> sessions,
                               List<RuleSet> ruleSets) throws IOException {
        Extractor extractor = new Extractor();
        for (Path file : sessions.values()) {
            extractor.add(TranscriptReader.read(file));
        }
        TargetObservations observed = extractor.finish();
        List<Graded> graded = new ArrayList<>();
        ruleSets.forEach(set -> graded.addAll(Grader.grade(set, observed)));
        List<String> kept = transcriptFolder == null ? List.of()
                : sessions.values().stream().map(Path::toString).toList();
        return new CheckResult(names, install, Optional.of(observed), ruleSets.stream().map(RuleSet::label).toList(), graded,
                Witnesses.of(graded, observed.startup(), sessions), kept);
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
