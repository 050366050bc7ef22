package dev.mcpprober.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a census that is killed and loses its engine again and again ends as one that nobody disturbed. Bounded, ends by itself, and
 * leaves nothing but the folder that it was given.
 */
public final class Soak {
    private static final String IMAGES = "mcp-prober/";
    private static final int SHOWN = 20;
    /** Or most of the time would go into servers that never answer. A host that is overrun gives each limit again. */
    private static final List<String> LIMITS = List.of("--start-timeout", "8", "--request-timeout", "5");

    private final SoakOptions options;
    private final Path home = Path.of(System.getProperty("prober.home", "prober")).toAbsolutePath().normalize();
    private final List<String> reasons = new ArrayList<>();
    private final List<String[]> table = new ArrayList<>();
    private final long began = System.nanoTime();
    private volatile OwnEngine engine;
    private volatile Census census;

    private Soak(SoakOptions options) {
        this.options = options;
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            System.err.println(SoakOptions.USAGE);
            return 0;
        }
        SoakOptions options;
        try {
            options = SoakOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("soak: " + e.getMessage() + "\n" + SoakOptions.USAGE);
            return 2;
        }
        Soak soak = new Soak(options);
        Thread hook = new Thread(soak::tidyUp, "soak-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            soak.all();
        } catch (IOException e) {
            System.err.println("soak: " + e.getMessage());
            return 3;
        } catch (InterruptedException e) {
            System.err.println("soak: interrupted");
            return 3;
        }
        soak.report();
        return soak.reasons.isEmpty() ? 0 : 1;
    }

    /** At the end, whatever brought it about. */
    private void tidyUp() {
        try {
            if (census != null) {
                census.end();
            }
            if (engine != null) {
                engine.close();
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("soak: not everything is tidied up: " + e.getMessage() + "; the next soak does it");
        }
    }

    private void say(String line) {
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        System.err.printf(Locale.ROOT, "soak: %3d:%02d %s%n", seconds / 60, seconds % 60, line);
    }

    private void all() throws IOException, InterruptedException {
        Files.createDirectories(options.to());
        Path jar = program();
        Path frame = SoakFrame.make(home, options.to().resolve("frame"), options.targets(), options.seed());
        say("an engine of our own");
        engine = OwnEngine.open(options.to().resolve("engine"), options.diskFulls() > 0);
        images(jar);
        Set<String> before = Remains.images(engine);

        Census undisturbed = census(jar, frame, "undisturbed");
        long start = System.nanoTime();
        undisturbed.toTheEnd();
        row("undisturbed run", minutes(start));
        judge(undisturbed, "undisturbed", before);
        Remains.removeImages(engine, before);

        Census disturbed = census(jar, frame, "disturbed");
        List<Disturbance> plan = Disturbance.plan(options.targets(), options.seed(), options.kills(), options.engineRestarts(), options.halts(),
                options.containerKills(), options.gatewayKills(), options.diskFulls());
        Chaos chaos = new Chaos(plan, disturbed, engine, this::say);
        Thread hand = new Thread(chaos, "chaos");
        hand.setDaemon(true);
        start = System.nanoTime();
        hand.start();
        disturbed.toTheEnd();
        hand.interrupt();
        hand.join();
        row("disturbed run", minutes(start));
        done(plan, chaos);
        row("starts of the census", Integer.toString(disturbed.starts()));
        row("of them census retry", Integer.toString(disturbed.retries()));
        row("stopped early by itself", Integer.toString(disturbed.stops()));
        judge(disturbed, "disturbed", before);
        compare();
    }

    /** A copy, so that all runs are by the same program whatever is built meanwhile. */
    private Path program() throws IOException {
        Path jar = options.to().resolve("program/mcp-prober.jar");
        if (!Files.exists(jar)) {
            Path lib = Files.createDirectories(jar.resolveSibling("lib"));
            try (Stream<Path> parts = Files.list(home.resolve("target/lib"))) {
                for (Path part : (Iterable<Path>) parts::iterator) {
                    Files.copy(part, lib.resolve(part.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.copy(home.resolve("target/mcp-prober.jar"), jar);
        }
        return jar;
    }

    private static String minutes(long start) {
        return String.format(Locale.ROOT, "%.1f min", (System.nanoTime() - start) / 60e9);
    }

    private Census census(Path jar, Path frame, String name) {
        List<String> more = new ArrayList<>(List.of("--profile", options.profile()));
        more.addAll(LIMITS);
        if (options.workers() > 0) {
            more.addAll(List.of("--workers", Integer.toString(options.workers())));
        }
        census = new Census(home, jar, frame, options.to().resolve(name), options.to().resolve(name + "-cache"), engine, more, this::say);
        return census;
    }

    /** Those of an earlier soak in this folder or of the machine's engine; what is missing then is made, and kept for the next soak. */
    private void images(Path jar) throws IOException, InterruptedException {
        Path kept = options.to().resolve("images.tar");
        List<String> names = Files.exists(kept) || !Shell.works("docker", "version") ? List.of() : tags("docker");
        if (Files.exists(kept)) {
            say("loading the images of an earlier soak");
            engine.docker("load", "-q", "-i", kept.toString());
        } else if (!names.isEmpty()) {
            say("copying " + names.size() + " images from this machine's engine");
            Shell.run("sh", "-c", "docker save " + String.join(" ", names) + " | docker -H " + engine.host() + " load");
        }
        List<String> before = tags("docker", "-H", engine.host());
        say("building the images that are missing");
        ProcessBuilder build = new ProcessBuilder(engine.beside(List.of(System.getProperty("java.home") + "/bin/java", "-Dprober.home=" + home, "-jar", jar.toString(),
                "images", "build"))).redirectErrorStream(true).redirectOutput(options.to().resolve("images.log").toFile());
        build.environment().putAll(engine.environment());
        if (build.start().waitFor() != 0) {
            throw new IOException("the images cannot be built; see " + options.to().resolve("images.log"));
        }
        List<String> all = tags("docker", "-H", engine.host());
        if (!Files.exists(kept) || !before.equals(all)) {
            Shell.run("sh", "-c", "docker -H " + engine.host() + " save -o " + kept + ".part " + String.join(" ", all) + " && mv " + kept + ".part " + kept);
        }
    }

    private static List<String> tags(String... docker) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(docker));
        command.addAll(List.of("images", "--format", "{{.Repository}}:{{.Tag}}"));
        return Shell.run(command.toArray(String[]::new)).lines().filter(name -> name.startsWith(IMAGES)).sorted().toList();
    }

    /** What must hold of each run by itself. */
    private void judge(Census run, String name, Set<String> before) throws IOException, InterruptedException {
        Map.Entry<Integer, String> verified = run.command("census", "verify", options.to().resolve(name).toString());
        row("census verify, " + name, verified.getKey() == 0 ? "sound" : "not sound");
        if (verified.getKey() != 0) {
            reasons.add("census verify of the " + name + " run:\n" + verified.getValue());
        }
        List<String> left = Remains.of(engine, before, List.of(options.to().resolve(name + "-cache/installs"), options.to().resolve(name + "/installs")));
        row("left on the engine, " + name, Integer.toString(left.size()));
        left.forEach(this::say);
        if (!left.isEmpty()) {
            reasons.add(left.size() + " left on the engine by the " + name + " run:\n    " + shown(left));
        }
    }

    private void done(List<Disturbance> plan, Chaos chaos) {
        Map<Disturbance.Kind, Long> asked = plan.stream().collect(Collectors.groupingBy(Disturbance::kind, Collectors.counting()));
        for (Disturbance.Kind kind : Disturbance.Kind.values()) {
            if (asked.containsKey(kind)) {
                row(kind.words, chaos.done().stream().filter(d -> d.kind() == kind).count() + " of " + asked.get(kind));
            }
        }
        if (chaos.failure() != null) {
            reasons.add("the disturbances broke off: " + chaos.failure().getMessage());
        } else if (chaos.done().size() < plan.size()) {
            reasons.add("only " + chaos.done().size() + " of " + plan.size() + " disturbances found something to disturb");
        }
    }

    private void compare() throws IOException {
        Outcome calm = Outcome.of(options.to().resolve("undisturbed"));
        Outcome rough = Outcome.of(options.to().resolve("disturbed"));
        row("targets", calm.targets().size() + " and " + rough.targets().size());
        row("verdict rows", calm.verdicts().size() + " and " + rough.verdicts().size());
        row("attempts", calm.attempts() + " and " + rough.attempts());
        row("faults, undisturbed", calm.faults().toString());
        row("faults, disturbed", rough.faults().toString());
        count("lost", Outcome.lost(calm.targets(), rough.targets()), Outcome.lost(calm.verdicts(), rough.verdicts()));
        count("not in the undisturbed run", Outcome.lost(rough.targets(), calm.targets()), Outcome.lost(rough.verdicts(), calm.verdicts()));
        count("twice", calm.twice(), rough.twice());
        count("wrong", Outcome.different(calm.targets(), rough.targets()), Outcome.different(calm.verdicts(), rough.verdicts()));
        count("contradictions within a run", calm.problems(), rough.problems());
    }

    private void count(String what, List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        row(what, Integer.toString(all.size()));
        if (!all.isEmpty()) {
            reasons.add(what + ": " + all.size() + "\n    " + shown(all));
        }
    }

    private static String shown(List<String> all) {
        String some = all.stream().limit(SHOWN).collect(Collectors.joining("\n    "));
        return all.size() > SHOWN ? some + "\n    and " + (all.size() - SHOWN) + " more" : some;
    }

    private void row(String what, String value) {
        table.add(new String[] {what, value});
        say(what + ": " + value);
    }

    private void report() {
        System.out.println("targets " + options.targets() + ", seed " + options.seed() + ", profile " + options.profile());
        StringBuilder csv = new StringBuilder("what,value\n");
        for (String[] row : table) {
            System.out.printf(Locale.ROOT, "  %-44s %s%n", row[0], row[1]);
            csv.append('"').append(row[0]).append("\",\"").append(row[1]).append("\"\n");
        }
        reasons.forEach(reason -> System.out.println("DIFFERS: " + reason));
        System.out.println(reasons.isEmpty() ? "the same: 0 lost, 0 twice, 0 wrong, 0 left" : "not the same: " + reasons.size() + " reasons");
        try {
            Files.writeString(options.to().resolve("outcome.csv"), csv);
        } catch (IOException e) {
            System.err.println("soak: " + e.getMessage());
        }
    }
}
