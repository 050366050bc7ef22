package dev.mcpprober.cli;

import dev.mcpprober.cli.bundle.Bundle;
import dev.mcpprober.cli.bundle.BundleSource;
import dev.mcpprober.cli.explain.CheckWords;
import dev.mcpprober.cli.explain.RuleJson;
import dev.mcpprober.cli.explain.RuleText;
import dev.mcpprober.cli.report.CheckResult;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Check;
import dev.mcpprober.redaction.Known;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober check}: one server, installed, probed, graded and explained. */
@Command(name = "check", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Install one server, probe it and explain what it does.")
final class CheckCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TARGET",
            description = "npm:NAME[@VERSION], pypi:NAME[==VERSION], a package URL, or a local folder, tarball or wheel.")
    String target;

    @Option(names = "--cmd", paramLabel = "COMMAND",
            description = "Instead of TARGET: a command run on this host WITHOUT isolation. Only for code that you trust.")
    String command;

    @Option(names = "--with-effects", description = "With --cmd: also make valid calls of tools that may have effects (not declared read-only, named like one that writes).")
    boolean withEffects;

    @Option(names = "--arg", paramLabel = "ARG", description = "Extra argument for the server's entry point; may be repeated.")
    List<String> extraArguments = new ArrayList<>();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable for the server; may be repeated. Its value is taken out of all that is kept, but the engine sees it: give a placeholder, no real secret.")
    Map<String, String> environment = Map.of();

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Option(names = "--explain", paramLabel = "CHECK-ID", description = "Only explain what a check does, why, and by which text; needs no TARGET.")
    String explained;

    @Option(names = "--transcript", paramLabel = "DIR", description = "Keep the transcripts of all sessions in this folder.")
    Path transcriptFolder;

    @Option(names = "--bundle", paramLabel = "DIR", description = "Write all evidence to this new folder, with a script for each finding that shows it without this program.")
    Path bundle;

    @Mixin ReportOptions report;

    @Mixin SessionOptions session;

    @Mixin RepeatOption repeat;

    @Mixin InstallOptions install;

    @Mixin RedactionOptions redaction;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        if (explained != null) {
            return explain();
        }
        if ((target == null) == (command == null)) {
            throw new CommandLine.ParameterException(spec.commandLine(), "name either a TARGET or --cmd \"COMMAND\"");
        }
        if (withEffects && command == null) {
            throw new UserError("--with-effects: only --cmd spares tools; in a sandbox every tool is called");
        }
        if (command != null && install.asOf().isPresent()) {
            throw new UserError("--as-of: nothing is installed with --cmd");
        }
        if (environment.containsKey("")) {
            throw new UserError("--env: a name is missing before \"=\"");
        }
        session.requireUsable();
        install.requireUsable();
        canBeKept();
        report.readBaseline();
        List<RuleSet> ruleSets = Rules.load(rules);
        PrintWriter err = spec.commandLine().getErr();
        Path folder = transcriptFolder != null ? transcriptFolder : Files.createTempDirectory("mcp-prober-check");
        try {
            CheckRun run = new CheckRun(session, install, extraArguments, environment, withEffects, ruleSets, repeat.times(), redaction.redactor(), folder,
                    line -> err.println("prober: " + Printable.text(line, 2000)));
            CheckRun.Checked checked = command != null ? run.command(command) : run.target(target);
            Optional<Path> kept = transcriptFolder != null ? Optional.of(folder) : Optional.ofNullable(bundle).map(to -> to.resolve("transcripts"));
            CheckResult result = kept.map(place -> checked.result().keeping(checked.sessions().values().stream()
                    .map(file -> place.resolve(file.getFileName()).toString()).toList())).orElse(checked.result());
            int status = report.write(result, spec.commandLine().getOut());
            if (bundle != null) {
                bundle(checked, line -> err.println("prober: " + Printable.text(line, 2000)));
            }
            return status;
        } finally {
            if (transcriptFolder == null) {
                Folders.delete(folder);
            }
        }
    }

    /** Said at once: to install and probe a server and then not to know where to is a loss of minutes. */
    private void canBeKept() throws UserError, IOException {
        if (transcriptFolder != null) {
            if (transcriptFolder.toString().isEmpty()) {
                throw new UserError("--transcript: \"\" is not a folder");
            }
            Before.folderCanBeWritten("--transcript", transcriptFolder);
        }
        if (bundle != null) {
            Bundle.requireFree(bundle);
            Before.canBeWritten("--bundle", bundle);
        }
        report.canBeKept();
    }

    private void bundle(CheckRun.Checked checked, Consumer<String> say) throws UserError, IOException, InterruptedException {
        Bundle.Written written = Bundle.write(bundle, new BundleSource(checked.result(), report.gate(checked.result()), checked.sessions(), checked.record(),
                checked.ran(), environment, spec.commandLine().getParseResult().originalArgs(),
                redaction.redactor().knowing(Known.variables(environment)), ProberVersion.get(), Clock.systemUTC().instant().toString()), say);
        written.others().forEach(line -> say.accept("bundle: " + line));
        say.accept("bundle " + bundle + ": " + written.findings() + (written.findings() == 1 ? " finding, " : " findings, ") + written.reproduced()
                + " shown again by their scripts when they were tried");
    }

    private int explain() throws UserError, IOException {
        Optional<Check> check = Check.of(explained);
        if (check.isEmpty()) {
            throw new UserError("--explain: there is no check \"" + Printable.text(explained, 100) + "\"; near to it: " + String.join(", ", CheckWords.near(explained)) + "; prober rules show spec has them all");
        }
        List<RuleSet> sets = Rules.load(rules);
        PrintWriter out = spec.commandLine().getOut();
        switch (report.format) {
            case json -> out.println(RuleJson.check(check.get(), sets));
            case text -> {
                RuleText.check(check.get(), sets).forEach(out::println);
                List<String> more = new ArrayList<>();
                for (RuleSet set : Rules.load(Rules.BUNDLED)) {
                    if (set.knows(explained) && sets.stream().noneMatch(chosen -> chosen.id().equals(set.id()))) {
                        more.add(set.id());
                    }
                }
                if (!more.isEmpty()) {
                    out.println();
                    out.println("also in: --rules " + String.join(",", more));
                }
            }
            default -> throw new UserError("--explain is written as text or json, not as " + report.format);
        }
        return ExitCode.DONE;
    }
}
