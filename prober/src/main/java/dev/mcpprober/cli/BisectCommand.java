package dev.mcpprober.cli;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.drift.Bisection;
import dev.mcpprober.dataset.drift.TreeChange;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Check;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober bisect TARGET --check ID --good DATE --bad DATE}. */
@Command(name = "bisect", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Find the day, and the release, with which a server's verdict changed, by installing it as of days and hours in between.")
final class BisectCommand implements Callable<Integer> {
    private static final String START = "start";
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "TARGET", description = "npm:NAME[@VERSION], pypi:NAME[==VERSION] or a package URL. With a version, only its dependencies move.")
    String target;

    @Option(names = "--check", paramLabel = "ID", defaultValue = START, description = "Check whose verdict changed; start: whether and how the server starts.")
    String check;

    @Option(names = "--good", required = true, paramLabel = "DATE", description = "Day on which it was well (YYYY-MM-DD).")
    String good;

    @Option(names = "--bad", required = true, paramLabel = "DATE", description = "Later day on which it was not.")
    String bad;

    @Option(names = "--rules", paramLabel = "ID|FILE", defaultValue = "spec", description = "Rule set.")
    String rules;

    @Option(names = "--arg", paramLabel = "ARG", description = "Extra argument for the server's entry point; may be repeated.")
    List<String> arguments = List.of();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable for the server; may be repeated.")
    Map<String, String> environment = Map.of();

    @Mixin SessionOptions session;

    @Override
    public Integer call() throws UserError, IOException, InterruptedException, EngineException {
        if (!check.equals(START) && Check.of(check).isEmpty()) {
            throw new UserError("--check: there is no check \"" + Printable.text(check, 100) + "\"; prober rules show spec lists them, start is how a server starts");
        }
        LocalDate first = InstallOptions.day("--good", good);
        LocalDate last = InstallOptions.day("--bad", bad);
        if (!first.isBefore(last)) {
            throw new UserError("--good " + first + " is not before --bad " + last);
        }
        session.requireUsable();
        Target parsed = CheckTarget.parse(target);
        if (environment.containsKey("")) {
            throw new UserError("--env: a name is missing before \"=\"");
        }
        List<RuleSet> sets = Rules.load(List.of(rules));
        if (!check.equals(START) && !sets.get(0).knows(check)) {
            throw new UserError("--check: rule set " + sets.get(0).id() + " has no rule for " + check);
        }
        if (check.equals(START)) {
            // One session shows how a server starts.
            session.profile = Profile.QUICK;
        }
        PrintWriter err = spec.commandLine().getErr();
        Bisection bisection = new Bisection(moment -> probe(parsed, moment, sets), line -> err.println("prober: " + Printable.text(line, 1000)));
        try {
            print(bisection.between(first, last));
            return ExitCode.DONE;
        } catch (Bisection.NoDifference e) {
            throw new UserError(Printable.text(e.getMessage(), 1000));
        } catch (Carried e) {
            throw e.engine;
        }
    }

    private void print(Bisection.Found found) {
        PrintWriter out = spec.commandLine().getOut();
        String what = check.equals(START) ? "how it starts" : check;
        out.println(Printable.text(what + ": " + found.before().value() + " as of " + Bisection.named(found.good()) + ", " + found.after().value() + " as of "
                + Bisection.named(found.bad()) + " (" + found.probed() + " points in time probed)", 1000));
        if (!found.before().version().equals(found.after().version())) {
            out.println(Printable.text("its own release: " + found.before().version() + " -> " + found.after().version(), 500));
        }
        if (found.changes().isEmpty()) {
            out.println("no installed release differs between the two: the cause is elsewhere, or it is not the same at each try");
        }
        List<TreeChange> suspects = Bisection.suspects(found.changes());
        suspects.forEach(change -> out.println(Printable.text((suspects.size() == 1 ? "the release: " : "one of: ") + change, 500)));
        found.changes().stream().filter(change -> !suspects.contains(change))
                .forEach(change -> out.println(Printable.text("  comes or goes with it: " + change, 500)));
    }

    /** An engine's failure on its way through code that knows no engines. */
    private static final class Carried extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient EngineException engine;

        Carried(EngineException engine) {
            super(engine);
            this.engine = engine;
        }
    }

    private Bisection.Seen probe(Target parsed, Instant moment, List<RuleSet> sets) throws IOException, InterruptedException {
        InstallOptions install = new InstallOptions();
        install.timeout = 300;
        Path folder = Files.createTempDirectory("mcp-prober-bisect");
        try {
            CheckRun.Checked checked = new CheckRun(session, install, arguments, environment, false, sets, 1, Redactor.of(CredentialRules.bundled()), folder, line -> { })
                    .target(InstallRequest.before(parsed, arguments, moment));
            List<String> tree = checked.record().map(InstallRecord::tree).orElse(List.of());
            String version = checked.record().map(record -> record.artefact().version()).orElse("");
            return new Bisection.Seen(value(checked), version, tree);
        } catch (EngineException e) {
            throw new Carried(e);
        } catch (UserError e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Folders.delete(folder);
        }
    }

    private String value(CheckRun.Checked checked) {
        String start = checked.result().startupFailure().orElse("started");
        if (check.equals(START) || !start.equals("started")) {
            return start;
        }
        Graded standing = Stand.standing(checked.result().graded()).get(check);
        return standing == null ? "no-verdict" : VerdictWord.of(standing.verdict()).id();
    }
}
