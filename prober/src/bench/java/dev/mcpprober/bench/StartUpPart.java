package dev.mcpprober.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a user waits for before anything happens. */
final class StartUpPart {
    private static final String ECHO = "python3 -c \"import sys,json\n"
            + "for l in sys.stdin:\n"
            + " m=json.loads(l)\n"
            + " if 'id' in m: print(json.dumps({'jsonrpc':'2.0','id':m['id'],'error':{'code':-32601,'message':'no'}}),flush=True)\"";

    private final Path launcher;
    private final Report report;

    StartUpPart(Path home, Report report) {
        this.launcher = home.resolve("bin/prober");
        this.report = report;
    }

    private static ProcessBuilder java() {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version");
    }

    private ProcessBuilder prober(String... arguments) {
        ProcessBuilder command = new ProcessBuilder(launcher.toString());
        command.command().addAll(List.of(arguments));
        // No engine can be asked, nor set up.
        command.environment().put("DOCKER_HOST", "unix:///nonexistent");
        command.environment().put("PROBER_NO_ENGINE_SETUP", "1");
        return command;
    }

    void run(int rounds) throws IOException, InterruptedException {
        double[] version = new double[rounds];
        double[] help = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            double java = Commands.seconds(java(), List.of(0));
            double prober = Commands.seconds(prober("--help"), List.of(0)); // the first round builds what is missing
            if (round >= 0) {
                version[round] = java;
                help[round] = prober;
            }
        }
        report.part("Start-up, " + rounds + " interleaved rounds, median [least .. most]");
        report.time("prober --help", new Samples(help));
        report.time("java -version", new Samples(version));
        report.line("  %-34s %7.2f    target: 0.4 s on an idle machine, whatever java -version takes", "prober --help / java -version",
                new Samples(help).over(new Samples(version)).median());
        if (Commands.isThere("python3", "-c", "")) {
            report.line("  check --cmd with no engine: %.1f s, exit status as with one",
                    Commands.seconds(prober("check", "--profile", "quick", "--cmd", ECHO), List.of(0, 1)));
        } else {
            report.line("  check --cmd with no engine: left out, there is no python3 to answer it");
        }
    }
}
