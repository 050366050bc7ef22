package dev.mcpprober.bench;

import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.sandbox.docker.EngineSetup;
import dev.mcpprober.sandbox.docker.ImageStore;
import dev.mcpprober.sandbox.docker.ProberHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Measures how fast the prober is, by interleaved runs and ratios, because machines are shared and times alone say little. Prints, and
 * asserts nothing. Bounded and ends by itself.
 */
public final class Bench {
    private static final List<String> PARTS = List.of("session", "throughput", "flood", "neighbour", "startup");
    private static final String USAGE = "usage: prober/bin/bench [--rounds N] [PART...]   N from 1 to 100 (default 10); parts: " + String.join(", ", PARTS);

    private Bench() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        int rounds = 10;
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--rounds") && i + 1 < arguments.length && arguments[i + 1].matches("[1-9]\\d?|100")) {
                rounds = Integer.parseInt(arguments[++i]);
            } else if (PARTS.contains(arguments[i])) {
                parts.add(arguments[i]);
            } else {
                System.err.println(USAGE);
                return arguments[i].equals("--help") ? 0 : 2;
            }
        }
        try {
            measure(rounds, parts.isEmpty() ? PARTS : parts);
            return 0;
        } catch (EngineException | IOException e) {
            System.err.println("bench: " + Printable.text(String.valueOf(e.getMessage()), 4000));
        } catch (InterruptedException e) {
            System.err.println("bench: interrupted");
        }
        return 3;
    }

    private static void measure(int rounds, List<String> parts) throws EngineException, IOException, InterruptedException {
        Report report = new Report(System.out);
        Path folder = Files.createTempDirectory("mcp-prober-bench");
        try {
            if (parts.contains("startup")) {
                new StartUpPart(ProberHome.folder(), report).run(rounds);
            }
            if (parts.stream().anyMatch(part -> !part.equals("startup"))) {
                onEngine(rounds, parts, folder, report);
            }
        } finally {
            delete(folder);
        }
    }

    private static void onEngine(int rounds, List<String> parts, Path folder, Report report) throws EngineException, IOException, InterruptedException {
        EngineSetup.require();
        String runId = "bench-" + UUID.randomUUID().toString().substring(0, 12);
        try (DockerEngine engine = DockerEngine.connect(runId);
                ImageStore images = ImageStore.open(line -> System.err.println("bench: " + Printable.text(line, 2000)))) {
            System.err.println("bench: installing " + Everything.PACKAGE);
            Everything server = Everything.install(engine, images, runId, folder.resolve("installs"));
            if (parts.contains("session")) {
                if (Commands.isThere("docker", "version")) {
                    new SessionPart(engine, server, folder, report).run(rounds);
                } else {
                    report.line("The session is left out: the docker command is missing (Debian 13: apt-get install docker-cli), and there is nothing to compare with.");
                }
            }
            if (parts.contains("throughput")) {
                new ThroughputPart(engine, server, folder, report).run(Math.max(12, 2 * rounds));
            }
            if (parts.contains("flood")) {
                new FloodPart(engine, server, folder, report).run();
            }
            if (parts.contains("neighbour")) {
                new NeighbourPart(engine, server, folder, report).run(rounds);
            }
            engine.awaitRemovals();
            engine.removeImage(server.program().image());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
