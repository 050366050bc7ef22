package dev.mcpprober.dataset.shares;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.Judge;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Veil;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Every share of a run: of what ends rows have, of verdicts, of what was observed; over all servers and by kind of server. */
public final class Shares {
    static final String NONE = "none";
    private static final String SDK_VERSION = "sdk_version";
    private static final Set<String> BY_VERSION = Set.of("no-fail", "observed");
    private static final List<VerdictWord> DECIDING = List.of(VerdictWord.PASS, VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT);
    private static final Map<String, Function<Sample, String>> DIMENSIONS = dimensions();

    private final List<Sample> servers = new ArrayList<>();
    private final List<ShareLine> lines = new ArrayList<>();

    public Shares() {}

    /** Each gives the group of a server; an empty one where that may not be told. */
    private static Map<String, Function<Sample, String>> dimensions() {
        Map<String, Function<Sample, String>> out = new TreeMap<>();
        out.put("all", server -> "all");
        out.put("registry", Sample::registry);
        out.put("revision", Sample::revision);
        out.put("sdk_family", Sample::family);
        // Families stand apart from exact versions: a version says nothing without its family.
        out.put(SDK_VERSION, Sample::sdk);
        out.put("sdk_family_revision", server -> server.family().isEmpty() || server.revision().isEmpty() ? "" : server.family() + " " + server.revision());
        return out;
    }

    /** Names of the dimensions by which servers are grouped. */
    public static List<String> groupings() {
        return List.copyOf(DIMENSIONS.keySet());
    }

    /** Derives a run anew and counts it. */
    public static List<ShareLine> of(RunFolder run, Analysis analysis) throws IOException {
        return of(run, analysis, server -> { });
    }

    /**
     * Derives a run anew and counts it.
     *
     * @param also sees each server
     */
    public static List<ShareLine> of(RunFolder run, Analysis analysis, Consumer<ServerVerdicts> also) throws IOException {
        Shares shares = new Shares();
        ServerVerdicts.each(run, analysis, server -> {
            shares.add(server);
            also.accept(server);
        });
        return shares.finish(analysis.judges().stream().map(Judge::label).toList());
    }

    /** Counts a row of the frame. */
    public void add(ServerVerdicts server) {
        add(server, Optional.empty());
    }

    /**
     * Counts a row of the frame.
     *
     * @param told of a withheld server, what may be told of it: it is counted in no group that would tell more, as the difference between the group
     *             and its servers with a name is what the withheld ones do
     */
    public void add(ServerVerdicts server, Optional<Veil.Traits> told) {
        if (server.state().measured()) {
            Sample sample = Sample.of(server);
            servers.add(told.map(sample::as).orElse(sample));
        }
    }

    /** Every share of what was added, under these rule sets. */
    public List<ShareLine> finish(List<String> ruleSets) {
        for (TargetState state : TargetState.values()) {
            if (state.measured()) {
                share(new ShareLine.Figure("state", NONE, NONE, state.id()), server -> true, server -> server.state() == state);
            }
        }
        for (String failure : values(Sample::startupFailure)) {
            share(new ShareLine.Figure("startup-failure", NONE, NONE, failure), server -> true, server -> server.startupFailure().equals(failure));
        }
        partition("answered", Sample::answers);
        partition("consequence", Sample::consequences);
        partition("observed", Sample::observed);
        for (String ruleSet : ruleSets) {
            verdicts(ruleSet);
        }
        return List.copyOf(lines);
    }

    /** What servers that started did at each question that was put to them; a question at which all did nothing to tell of is left out. */
    private void partition(String figure, Function<Sample, Map<String, String>> answers) {
        Map<String, TreeSet<String>> seen = new TreeMap<>();
        servers.stream().filter(Sample::started)
                .forEach(server -> answers.apply(server).forEach((question, value) -> seen.computeIfAbsent(question, key -> new TreeSet<>()).add(value)));
        seen.values().removeIf(values -> values.equals(Set.of(NONE)));
        if (figure.equals("observed")) {
            // The share that every report begins with is told where it is 0, too.
            seen.computeIfPresent("tools-call-unknown", (question, values) -> {
                values.add("tool-error");
                return values;
            });
        }
        seen.forEach((question, values) -> values.forEach(value -> share(new ShareLine.Figure(figure, NONE, question, value),
                server -> server.started() && answers.apply(server).containsKey(question), server -> answers.apply(server).get(question).equals(value))));
    }

    private void verdicts(String ruleSet) {
        TreeSet<String> checks = new TreeSet<>();
        servers.stream().filter(Sample::started).forEach(server -> checks.addAll(server.words().getOrDefault(ruleSet, Map.of()).keySet()));
        if (checks.isEmpty()) {
            return;
        }
        share(new ShareLine.Figure("no-fail", ruleSet, NONE, "no-fail"), Sample::started,
                server -> !server.failing().contains(ruleSet));
        for (String check : checks) {
            Predicate<Sample> decided = server -> server.started() && Sample.decides(server.word(ruleSet, check));
            share(new ShareLine.Figure("decided", ruleSet, check, "decided"), Sample::started, decided);
            for (VerdictWord word : DECIDING) {
                share(new ShareLine.Figure("verdict", ruleSet, check, word.id()), decided, server -> server.word(ruleSet, check) == word);
            }
        }
    }

    private TreeSet<String> values(Function<Sample, String> of) {
        TreeSet<String> out = new TreeSet<>();
        servers.stream().map(of).filter(value -> !value.isEmpty()).forEach(out::add);
        return out;
    }

    private void share(ShareLine.Figure figure, Predicate<Sample> counted, Predicate<Sample> hit) {
        boolean beforeStart = figure.figure().equals("state") || figure.figure().equals("startup-failure");
        DIMENSIONS.forEach((name, dimension) -> {
            // What did not start has no revision, and often no family; exact versions are many, and for behaviour, not for each verdict.
            if (beforeStart && !name.equals("all") && !name.equals("registry") || name.equals(SDK_VERSION) && !BY_VERSION.contains(figure.figure())) {
                return;
            }
            Map<String, Counted> groups = new TreeMap<>();
            for (Sample server : servers) {
                String group = dimension.apply(server);
                if (!group.isEmpty() && counted.test(server)) {
                    groups.computeIfAbsent(group, key -> new Counted()).add(server, hit.test(server));
                }
            }
            groups.forEach((value, group) -> lines.add(group.line(figure, new ShareLine.Group(name, value))));
        });
    }

    /** One group of servers while it is counted. */
    private static final class Counted {
        private final Map<String, int[]> publishers = new TreeMap<>();
        private final Map<String, Sample> first = new TreeMap<>();
        private final Map<String, Boolean> firstHit = new TreeMap<>();

        void add(Sample server, boolean hit) {
            int[] counts = publishers.computeIfAbsent(server.publisher(), key -> new int[2]);
            counts[0] += hit ? 1 : 0;
            counts[1]++;
            Sample before = first.get(server.publisher());
            if (before == null || server.rank().compareTo(before.rank()) < 0) {
                first.put(server.publisher(), server);
                firstHit.put(server.publisher(), hit);
            }
        }

        ShareLine line(ShareLine.Figure figure, ShareLine.Group group) {
            List<Proportion> clusters = publishers.values().stream().map(counts -> new Proportion(counts[0], counts[1])).toList();
            int hits = (int) firstHit.values().stream().filter(hit -> hit).count();
            return new ShareLine(figure, group, new ClusteredShare(clusters), new Proportion(hits, publishers.size()));
        }
    }
}
