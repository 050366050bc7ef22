package dev.mcpprober.cli;

import dev.mcpprober.census.RunMerge;
import dev.mcpprober.census.RunRefused;
import dev.mcpprober.census.Verification;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober census merge PART… --to DIR}. */
@Command(name = "merge", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Make one run of all shards of a frame (census run --shard I/N); the shards stay as they are.")
final class CensusMergeCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "PART", description = "Run folder of a shard; all of them, in any order.")
    List<Path> parts;

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "Run folder to make.")
    Path folder;

    @Override
    public Integer call() throws UserError, IOException {
        for (Path part : parts) {
            RunArgument.open("PART", part);
        }
        Before.folderCanBeWritten("--to", folder);
        Verification verification;
        try {
            verification = Verification.of(RunMerge.merge(parts, folder, Clock.systemUTC()));
        } catch (RunRefused e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
        PrintWriter out = spec.commandLine().getOut();
        verification.problems().forEach(problem -> out.println("problem: " + Printable.text(problem, 600)));
        out.println(verification.coverage().frame() + " targets, " + verification.coverage().unmeasured() + " of them unmeasured, in "
                + Printable.text(folder.toString()));
        return verification.sound() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
