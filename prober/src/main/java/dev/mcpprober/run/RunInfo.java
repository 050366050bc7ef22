package dev.mcpprober.run;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code census.json}: what a run measures and under which conditions. Written once.
 *
 * @param frameFile  absolute path of the frame, for {@code retry}
 * @param frameHash  see {@link dev.mcpprober.corpus.Frame#hash()}
 * @param frameRows  rows of the frame, excluded ones included
 * @param seed       of everything that is drawn
 * @param profile    {@code quick} or {@code full}
 * @param settings   what must not change within a run: policy, limits, date of resolution …; part of what is measured
 * @param images     name to digest, as they were when the run began
 * @param host       facts about this machine and its engine
 */
public record RunInfo(int formatVersion, String createdAt, String proberVersion, String frameFile, String frameHash, int frameRows,
                      long seed, String profile, Map<String, String> settings, Map<String, String> images, Map<String, String> host) {
    public static final int FORMAT_VERSION = 1;
    /** Setting of a run over one part of its frame, like {@code 2/8}; {@code frameRows} are then those of the part. */
    public static final String SHARD = "shard";
    /** Setting of a run that goes through the plan of each target several times: how often. */
    public static final String REPEATS = "repeats";

    public RunInfo {
        // Ordered, so that census.json reads well and is the same for equal content.
        settings = new TreeMap<>(settings);
        images = new TreeMap<>(images);
        host = new TreeMap<>(host);
    }

    /** The same over the whole frame. */
    public RunInfo withoutShard() {
        TreeMap<String, String> whole = new TreeMap<>(settings);
        whole.remove(SHARD);
        return new RunInfo(formatVersion, createdAt, proberVersion, frameFile, frameHash, frameRows, seed, profile, whole, images, host);
    }

    /** How often each target's plan is gone through. */
    public int repeats() {
        return Integer.parseInt(settings.getOrDefault(REPEATS, "1"));
    }

    /** Why work that {@code wanted} describes may not go on in a run that this describes; empty when it may. */
    public Optional<String> refusal(RunInfo wanted) {
        if (!frameHash.equals(wanted.frameHash)) {
            return Optional.of("it holds the census of another frame (" + frameRows + " rows, " + frameHash.substring(0, 12)
                    + "; asked for: " + wanted.frameRows + " rows, " + wanted.frameHash.substring(0, 12) + ")");
        }
        if (!proberVersion.equals(wanted.proberVersion)) {
            return Optional.of("it was made by mcp-prober " + proberVersion + ", this is " + wanted.proberVersion
                    + "; results of two versions do not mix");
        }
        if (!profile.equals(wanted.profile)) {
            return Optional.of("it was made with profile " + profile + ", asked for: " + wanted.profile);
        }
        if (seed != wanted.seed) {
            return Optional.of("it was made with seed " + seed + ", asked for: " + wanted.seed);
        }
        TreeMap<String, String> both = new TreeMap<>(settings);
        both.putAll(wanted.settings);
        for (String name : both.keySet()) {
            String here = settings.getOrDefault(name, "unset");
            String there = wanted.settings.getOrDefault(name, "unset");
            if (!here.equals(there)) {
                return Optional.of("it was made with " + name + " " + here + ", asked for: " + there);
            }
        }
        return Optional.empty();
    }
}
