package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.EngineStack;
import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.cli.InstallOptions;
import dev.mcpprober.cli.ProberVersion;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.toolfailure.client.SessionFailure;
import dev.mcpprober.toolfailure.demo.DemoReport;
import dev.mcpprober.toolfailure.demo.DemoTable;
import dev.mcpprober.toolfailure.demo.Passage;
import dev.mcpprober.toolfailure.demo.Row;
import dev.mcpprober.toolfailure.demo.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prober toolfailure demo}: both reference servers, every scenario, client and relay, in one table. */
@Command(name = "demo", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Install both reference servers, run every scenario through client and relay, and show what came of it.",
        footer = {"", "Exit codes: 0 every row is as it has to be; 1 one is not; 2 usage; 3 engine fault."})
final class DemoCommand implements Callable<Integer> {
    private static final int AT_A_TIME = 2;

    /** The reference servers and the era that each is talked to in. */
    private enum Server {
        TYPESCRIPT("tool-failure-ts", Era.MODERN), PYTHON("tool-failure-py", Era.LEGACY);

        private final String folder;
        private final Era era;

        Server(String folder, Era era) {
            this.folder = folder;
            this.era = era;
        }
    }

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--to", paramLabel = "DIR", description = "Folder for the report and the transcripts; files of an earlier demo in it are replaced."
            + " Default: results/runs/tool-failure-demo of this project.")
    Path folder;

    @Option(names = "--scenario", paramLabel = "ID", description = "Only this scenario of corpus/fixtures/tool-failure-scenarios.json; may be repeated.")
    List<String> only = List.of();

    @Mixin InstallOptions install;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        Path project = Path.of(System.getProperty("prober.home", "prober")).toAbsolutePath().normalize().getParent();
        Path to = folder == null ? project.resolve("results/runs/tool-failure-demo") : folder;
        if (Files.exists(to) && !Files.isDirectory(to)) {
            throw new UserError("--to: \"" + Printable.text(to.toString(), 200) + "\" is not a folder");
        }
        install.requireUsable();
        Path fixtures = project.resolve("corpus/fixtures");
        List<Scenario> scenarios = wanted(Scenario.read(fixtures.resolve("tool-failure-scenarios.json")));
        PrintWriter err = spec.commandLine().getErr();
        List<Row> rows = new ArrayList<>();
        List<String> servers = new ArrayList<>();
        try (EngineStack stack = EngineStack.open(this::say)) {
            for (Server server : Server.values()) {
                say("installing " + server.folder);
                InstallRecord record = stack.installer(install.limits())
                        .install(new InstallRequest(new Target.OnDisk(fixtures.resolve(server.folder)), List.of(), install.asOf()));
                InstallRecord.Program program = record.program().orElseThrow(() -> new IOException(server.folder + " cannot be installed: "
                        + record.outcome().kind() + " " + record.outcome().detail()));
                servers.add(server.folder + ": " + program.sdk().family().id() + " " + program.sdk().version() + ", " + server.era.id() + " era");
                rows.addAll(rows(stack, server, program, scenarios));
            }
        }
        write(to, rows, servers);
        PrintWriter out = spec.commandLine().getOut();
        DemoTable.lines(rows).forEach(out::println);
        long right = rows.stream().filter(Row::right).count();
        out.println();
        out.println(right + " of " + rows.size() + " rows are as they have to be");
        out.println("report  " + Printable.text(to.resolve("report.md").toString()));
        out.flush();
        err.flush();
        return right == rows.size() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private List<Scenario> wanted(List<Scenario> all) throws UserError {
        List<String> ids = all.stream().map(Scenario::id).toList();
        Optional<String> unknown = only.stream().filter(id -> !ids.contains(id)).findFirst();
        if (unknown.isPresent()) {
            throw new UserError("--scenario: no scenario \"" + Printable.text(unknown.get(), 100) + "\"; there are " + String.join(", ", ids));
        }
        return only.isEmpty() ? all : all.stream().filter(scenario -> only.contains(scenario.id())).toList();
    }

    private void say(String line) {
        spec.commandLine().getErr().println("prober: " + Printable.text(line, 2000));
    }

    private List<Row> rows(EngineStack stack, Server server, InstallRecord.Program program, List<Scenario> scenarios)
            throws IOException, InterruptedException {
        SandboxSpec sandbox = new SandboxSpec(program.image(), program.entry().argv(), Map.of(), program.workdir(), SandboxPolicy.probe(), Map.of());
        Passage.Starter starter = log -> ServerOptions.opener(stack.engine(), sandbox, log).open();
        ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<Row>> running = scenarios.stream().map(scenario -> workers.submit(() -> row(server, scenario, starter))).toList();
            List<Row> rows = new ArrayList<>();
            for (Future<Row> each : running) {
                rows.add(each.get());
            }
            return rows;
        } catch (ExecutionException e) {
            throw new IOException(server.folder + ": " + e.getCause().getMessage(), e.getCause());
        } finally {
            workers.shutdownNow();
        }
    }

    private Row row(Server server, Scenario scenario, Passage.Starter starter) throws SessionFailure, IOException, InterruptedException {
        Passage direct = Passage.run(scenario, server.era, false, starter, ProberVersion.get());
        Row row = Row.of(server.folder, scenario, direct, Passage.run(scenario, server.era, true, starter, ProberVersion.get()));
        say(server.folder + " " + scenario.id() + ": " + (row.right() ? "ok" : "WRONG: " + String.join("; ", row.problems())));
        return row;
    }

    private static void write(Path to, List<Row> rows, List<String> servers) throws IOException {
        String when = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        write(to.resolve("report.md"), DemoReport.markdown(rows, servers, ProberVersion.get(), when));
        write(to.resolve("rows.jsonl"), rows.stream().map(row -> row.json() + "\n").collect(Collectors.joining()));
        for (Row row : rows) {
            for (boolean relayed : new boolean[] {false, true}) {
                write(to.resolve("transcripts/" + row.server() + "/" + row.scenario().id() + (relayed ? "-relayed" : "") + ".jsonl"),
                        row.transcript(relayed).map(line -> line + "\n").collect(Collectors.joining()));
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        AtomicFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
