package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.disclosure.DisclosureException;
import dev.mcpprober.dataset.disclosure.Letters;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober dataset notify DIR --to OUT}. */
@Command(name = "notify", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Write a letter to each maintainer of a server with a finding that is held: what was sent, what came back, which text applies, what to change.")
final class NotifyCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Option(names = "--to", required = true, paramLabel = "OUT", description = "New folder for the letters and index.csv. Private.")
    Path to;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Option(names = "--from", paramLabel = "NAME", description = "Who writes, and where answers go.")
    String author = "the author of this study (put your name and address here)";

    @Mixin HoldOptions holds;

    @Mixin RedactionOptions redaction;

    @Override
    public Integer call() throws UserError, IOException {
        RunFolder run = RunArgument.open(folder);
        List<Path> letters;
        try {
            letters = Letters.write(run, Analysis.by(Rules.load(rules), redaction.redactor()), holds.request(null, false), author, to);
        } catch (DisclosureException e) {
            throw new UserError(e.getMessage());
        }
        letters.forEach(file -> spec.commandLine().getOut().println(Printable.text(file.toString())));
        spec.commandLine().getErr().println("prober: " + (letters.isEmpty() ? "no finding is held; there is nobody to write to"
                : (letters.size() - 1) + (letters.size() == 2 ? " letter" : " letters") + "; put what is answered into the file that you name with --disclosure"));
        return ExitCode.DONE;
    }
}
