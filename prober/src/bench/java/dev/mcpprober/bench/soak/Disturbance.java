package dev.mcpprober.bench.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * One thing that is done to a census.
 *
 * @param kind    what is done
 * @param after   targets that are measured by then
 * @param delayMs waited after that, so that it falls anywhere into the work on the next ones
 * @param forMs   how long, for what takes time
 */
record Disturbance(Kind kind, int after, long delayMs, long forMs) {
    /** Of the run from which on nothing happens any more: what happens at the very end would find nobody at work. */
    private static final double LAST = 0.93;

    enum Kind {
        KILL("SIGKILL of the census"),
        ENGINE_STOP("engine stopped and started"),
        ENGINE_KILL("engine killed and started"),
        ENGINE_HALT("engine halted for a while"),
        CONTAINER_KILL("container of a server killed from outside"),
        GATEWAY_KILL("registry gateway killed"),
        DISK_FULL("engine's disk full for a while");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /** @param engineRestarts every second one is a crash of the engine */
    static List<Disturbance> plan(int targets, long seed, int kills, int engineRestarts, int halts, int containerKills, int gatewayKills, int diskFulls) {
        Random random = new Random(seed);
        List<Kind> kinds = new ArrayList<>();
        add(kinds, Kind.KILL, kills);
        for (int i = 0; i < engineRestarts; i++) {
            kinds.add(i % 2 == 0 ? Kind.ENGINE_STOP : Kind.ENGINE_KILL);
        }
        add(kinds, Kind.ENGINE_HALT, halts);
        add(kinds, Kind.CONTAINER_KILL, containerKills);
        add(kinds, Kind.GATEWAY_KILL, gatewayKills);
        add(kinds, Kind.DISK_FULL, diskFulls);
        List<Disturbance> plan = new ArrayList<>();
        for (Kind kind : kinds) {
            plan.add(new Disturbance(kind, random.nextInt(Math.max(1, (int) (targets * LAST))), random.nextInt(6000), 2000 + random.nextInt(18_000)));
        }
        plan.sort(Comparator.comparingInt(Disturbance::after).thenComparingLong(Disturbance::delayMs));
        return plan;
    }

    private static void add(List<Kind> kinds, Kind kind, int times) {
        for (int i = 0; i < times; i++) {
            kinds.add(kind);
        }
    }
}
