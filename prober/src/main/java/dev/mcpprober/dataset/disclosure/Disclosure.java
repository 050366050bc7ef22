package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.ServerFindings;
import dev.mcpprober.dataset.Severities;
import dev.mcpprober.dataset.Veil;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which servers of a run may not be named yet, and what is published in their place.
 *
 * @param facts for the provenance of a release: by which severities, on which day, how many are withheld
 */
public record Disclosure(Veil veil, NameScan names, Map<String, String> facts) {
    public static final Disclosure NONE = new Disclosure(Veil.NONE, NameScan.NONE, Map.of());

    /**
     * What is asked for.
     *
     * @param file     {@code disclosure.csv}, or null
     * @param holdDays from the day of the run, for findings that the file says nothing of
     * @param today    day on which it is decided
     * @param key      of the study, or null
     * @param cover    withhold further servers, where too few are withheld to hide among each other
     */
    public record Request(Path file, int holdDays, LocalDate today, Path key, boolean cover) {}

    /** A server with a finding that carries a severity, and what the policies say of it. {@code until} is null for one without an end. */
    record Decision(ServerFindings server, List<ServerFindings.Found> held, LocalDate until) {
        boolean withheld() {
            return until == null || !held.isEmpty();
        }
    }

    /** Decides for every row of a run. */
    static List<Decision> decide(RunFolder run, Analysis analysis, Request request) throws IOException, DisclosureException {
        Severities severities = Severities.bundled();
        Policies policies = request.file() == null ? Policies.none() : Policies.read(request.file(), severities);
        LocalDate end = LocalDate.parse(run.readInfo().createdAt().substring(0, 10)).plusDays(request.holdDays());
        policies.require(String.valueOf(request.file()), run.readFrame());
        List<Decision> out = new ArrayList<>();
        ServerFindings.each(run, analysis, severities, server -> out.add(decide(server, policies, end, request.today())));
        return out;
    }

    private static Decision decide(ServerFindings server, Policies policies, LocalDate end, LocalDate today) {
        List<ServerFindings.Found> held = new ArrayList<>();
        LocalDate until = LocalDate.MIN;
        for (ServerFindings.Found found : server.findings()) {
            Policies.Policy policy = policies.of(server.row(), List.of(found.check(), found.severity().id())).orElse(new Policies.Policy("withheld-until", end, 0));
            if (policy.holds(today)) {
                held.add(found);
                until = policy.until() == null || until == null ? null : policy.until().isAfter(until) ? policy.until() : until;
            }
        }
        // A maintainer, or the researcher, may want a server withheld whatever was found.
        Optional<Policies.Policy> whole = policies.of(server.row(), List.of()).filter(policy -> policy.holds(today));
        boolean asked = whole.isPresent() && whole.get().line() > 0;
        return new Decision(server, held, asked && held.isEmpty() ? null : until);
    }

    /**
     * @throws DisclosureException when there is no key and one is needed, when a line of the file is wrong, or when the withheld servers cannot
     *                             be made alike
     */
    public static Disclosure of(RunFolder run, Analysis analysis, Request request) throws IOException, DisclosureException {
        StudyKey key = request.key() == null ? null : StudyKey.read(request.key()); // a wrong one is told where it is not needed yet, too
        List<Decision> all = decide(run, analysis, request);
        List<ServerFindings> withheld = new ArrayList<>(all.stream().filter(Decision::withheld).map(Decision::server).toList());
        Map<String, String> facts = facts(request, run.readInfo());
        if (withheld.isEmpty()) {
            return new Disclosure(Veil.NONE, NameScan.NONE, facts);
        }
        if (key == null) {
            throw new DisclosureException(withheld.size() + (withheld.size() == 1 ? " server has a finding" : " servers have findings")
                    + " that may not be named yet; they are published under pseudonyms, and for these a key is needed: " + StudyKey.HOW);
        }
        Set<String> packages = new HashSet<>(withheld.stream().map(server -> packageOf(server.row())).toList());
        // Another row of the same package would say which one it is.
        all.stream().map(Decision::server).filter(server -> packages.contains(packageOf(server.row())) && !withheld.contains(server)).forEach(withheld::add);
        int found = withheld.size();
        if (request.cover()) {
            cover(all, withheld, key);
        }
        Optional<List<Veil.Traits>> traits = Anonymity.coarsened(withheld.stream().map(Disclosure::member).toList());
        if (traits.isEmpty()) {
            throw new DisclosureException("withheld servers hide among each other, and fewer than " + Anonymity.K + " are alike in what has to stay of them (" + withheld.size()
                    + " are withheld in all)" + (request.cover() ? ", with all that this run has to cover them: measure a larger frame, agree on naming them (--disclosure),"
                    : ": --cover withholds as many others as are needed;") + " or wait until they may be named");
        }
        Map<String, Veil.Cover> covers = new HashMap<>();
        Map<String, Integer> rows = new HashMap<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < withheld.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingInt(i -> withheld.get(i).row().line()));
        for (int i : order) {
            FrameRow row = withheld.get(i).row();
            String pseudonym = "held-" + key.pseudonym(packageOf(row));
            int number = rows.merge(pseudonym, 1, Integer::sum);
            covers.put(row.target(), new Veil.Cover(number == 1 ? pseudonym : pseudonym + "-" + number, traits.get().get(i)));
        }
        facts.put("withheld", Integer.toString(withheld.size()));
        facts.put("withheld_as_cover", Integer.toString(withheld.size() - found));
        return new Disclosure(new Veil(covers), NameScan.of(withheld, all.stream().map(Decision::server).filter(server -> !withheld.contains(server)).toList()), facts);
    }

    private static Map<String, String> facts(Request request, RunInfo info) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("disclosure", Severities.bundled().label() + ", held " + request.holdDays() + " days from " + info.createdAt().substring(0, 10) + ", k " + Anonymity.K);
        facts.put("disclosure_date", request.today().toString());
        facts.put("withheld", "0");
        return facts;
    }

    /** Adds servers of each state and set of eras that is short, in an order that the key alone gives. */
    private static void cover(List<Decision> all, List<ServerFindings> withheld, StudyKey key) {
        for (List<String> kind : withheld.stream().map(server -> member(server).fixed()).distinct().toList()) {
            long there = withheld.stream().filter(server -> member(server).fixed().equals(kind)).count();
            all.stream().map(Decision::server).filter(server -> member(server).fixed().equals(kind) && !withheld.contains(server))
                    .sorted(Comparator.comparing(server -> key.pseudonym("cover " + server.row().target()))).limit(Math.max(0, Anonymity.K - there)).forEach(withheld::add);
        }
    }

    private static Anonymity.Member member(ServerFindings server) {
        return new Anonymity.Member(server.traits(), server.end());
    }

    /** Without a version, so that a server keeps its pseudonym from one run to the next. */
    static String packageOf(FrameRow row) {
        boolean local = !row.registry().equals("npm") && !row.registry().equals("pypi");
        return local ? "local:" + row.label() : PackageUrl.parse(row.registry() + ":" + row.name()).purl();
    }
}
