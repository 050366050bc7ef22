package dev.mcpprober.cli;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.Shard;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober census retry DIR}: with the settings of the run. */
@Command(name = "retry", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Try again what faulted in a run, with the run's own settings; results are left alone.")
final class CensusRetryCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Option(names = "--workers", paramLabel = "N", description = "Targets at a time. Default: the number of processors.")
    Integer workers;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        RunInfo info = RunArgument.open(folder).readInfo();
        Path file = Path.of(info.frameFile());
        Frame frame = CensusRunCommand.read(file);
        Profile profile = Arrays.stream(Profile.values()).filter(p -> p.id().equals(info.profile())).findFirst()
                .orElseThrow(() -> new UserError(folder + ": profile " + info.profile() + " is not known to this version"));
        SessionOptions session = new SessionOptions();
        session.profile = profile;
        session.start = seconds(info, "start timeout ms");
        session.request = seconds(info, "request timeout ms");
        session.session = seconds(info, "session timeout ms");
        session.toolBudget = info.settings().getOrDefault("tool budget", "");
        String asOf = info.settings().getOrDefault("as of", "now");
        InstallOptions install = new InstallOptions();
        install.timeout = seconds(info, "install timeout ms");
        CensusJob job = new CensusJob(file, frame, Optional.ofNullable(info.settings().get(RunInfo.SHARD)).map(Shard::parse), profile, session.limits(), session.toolBudget(), install.limits(),
                asOf.equals("now") ? Optional.empty() : Optional.of(LocalDate.parse(asOf)), workers, Rules.load(rules),
                spec.commandLine().getOut(), spec.commandLine().getErr());
        return job.retry(folder);
    }

    private double seconds(RunInfo info, String name) throws UserError {
        String value = info.settings().get(name);
        if (value == null || !value.matches("\\d{1,9}")) {
            throw new UserError(folder + "/census.json: setting \"" + name + "\" is missing or no number");
        }
        return Duration.ofMillis(Long.parseLong(value)).toMillis() / 1000.0;
    }
}
