package dev.mcpprober.bench.soak;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is asked of a soak.
 *
 * @param targets  rows of the frame, but for one that cannot be read
 * @param seed     of the frame, and of the moments of all disturbances
 * @param workers  of the census; 0 leaves it to the census
 * @param to       folder of frame, runs and outcome; an undisturbed run of the same program and frame that is in there already counts
 */
record SoakOptions(int targets, int kills, int engineRestarts, int halts, int containerKills, int gatewayKills, int diskFulls, long seed, String profile, int workers, Path to) {
    static final String USAGE = """
            usage: prober/bin/soak [--targets N] [--kills N] [--engine-restarts N] [--engine-halts N] [--container-kills N] [--gateway-kills N]
                                   [--disk-fulls N] [--seed N] [--profile quick|full] [--workers N] [--to DIR]
              Runs a census of N generated targets (300) undisturbed and again with SIGKILLs of the census (20) and restarts of its engine (3) at random
              moments, and compares. The engine is one of its own: root is needed, and nobody else's engine is disturbed. Exit status: 0 the same
              verdicts, nothing lost, twice or left; 1 something differs; 2 usage; 3 it could not be carried out.""";

    private static final Set<String> NUMBERS = Set.of("--targets", "--kills", "--engine-restarts", "--engine-halts", "--container-kills", "--gateway-kills",
            "--disk-fulls", "--seed", "--workers");

    /** @throws IllegalArgumentException naming the argument that is wrong */
    static SoakOptions parse(String[] arguments) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i];
            if (!NUMBERS.contains(name) && !name.equals("--profile") && !name.equals("--to")) {
                throw new IllegalArgumentException(name + " is no option");
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            if (NUMBERS.contains(name) && !arguments[i + 1].matches("\\d{1,6}")) {
                throw new IllegalArgumentException(name + ": " + arguments[i + 1] + " is no whole number up to 999999");
            }
            given.put(name, arguments[i + 1]);
        }
        String profile = given.getOrDefault("--profile", "quick");
        if (!Set.of("quick", "full").contains(profile)) {
            throw new IllegalArgumentException("--profile: quick or full");
        }
        int targets = number(given, "--targets", 300);
        if (targets < 10 || targets > 5000) {
            throw new IllegalArgumentException("--targets: from 10 to 5000");
        }
        return new SoakOptions(targets, number(given, "--kills", 20), number(given, "--engine-restarts", 3), number(given, "--engine-halts", 0),
                number(given, "--container-kills", 0), number(given, "--gateway-kills", 0), number(given, "--disk-fulls", 0), number(given, "--seed", 1), profile,
                number(given, "--workers", 0), Path.of(given.getOrDefault("--to", "soak-run")).toAbsolutePath().normalize());
    }

    private static int number(Map<String, String> given, String name, int otherwise) {
        return Integer.parseInt(given.getOrDefault(name, Integer.toString(otherwise)));
    }
}
