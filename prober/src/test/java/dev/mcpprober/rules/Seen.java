package dev.mcpprober.rules;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Observations for tests, written short: {@code protocol-error -32602 +flag in-band-error}. */
final class Seen {
    static final RuleSet SPEC = load("spec");
    /** Every rule set that the program brings along. */
    static final List<RuleSet> BUNDLED = bundled();

    private Seen() {}

    static String resource(String path) {
        try (InputStream in = Seen.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        }
    }

    static RuleSet load(String id) {
        try {
            return RuleSetParser.parse(id + ".yaml", resource("/rules/" + id + ".yaml"));
        } catch (RuleSetException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static List<RuleSet> bundled() {
        try (Stream<Path> files = Files.list(Path.of(Seen.class.getResource("/rules/spec.yaml").toURI()).getParent())) {
            return files.map(file -> file.getFileName().toString()).sorted().map(name -> load(name.replaceFirst("\\.yaml$", ""))).toList();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("rule sets", e);
        }
    }

    /** A to E, as the requirements name the revisions. */
    static ProtocolRevision revision(char letter) {
        return ProtocolRevision.values()[letter - 'A'];
    }

    static Observation.Reaction of(String check, String revision, Era era, String seen) {
        Long code = null;
        Set<String> flags = new HashSet<>();
        String consequence = null;
        List<String> words = new ArrayList<>(List.of(seen.split(" ")));
        String observed = words.remove(0);
        for (String word : words) {
            if (word.startsWith("+")) {
                flags.add(word.substring(1));
            } else if (word.matches("-?\\d+")) {
                code = Long.valueOf(word);
            } else {
                consequence = word;
            }
        }
        return new Observation.Reaction(new Subject(check, era.id(), era, revision, null, null, true), observed, code, flags, consequence, "", List.of(1, 2));
    }

    static Observation.Reaction of(String check, char revision, String seen) {
        return of(check, revision(revision).date(), revision(revision).era(), seen);
    }

    static Observation.NotRun notRun(String check, String revision, Era era, String reason) {
        return new Observation.NotRun(new Subject(check, era.id(), era, revision, null, null, false), reason, "", List.of());
    }

    static Optional<Graded> grade(Observation observation, Set<Era> eras) {
        return grade(SPEC, observation, eras);
    }

    private static Optional<Graded> grade(RuleSet rules, Observation observation, Set<Era> eras) {
        return Grader.grade(rules, target(eras, List.of(observation))).stream().findFirst();
    }

    static Graded grade(Observation observation) {
        return grade(observation, Set.of(observation.subject().era())).orElseThrow(() -> new AssertionError("no verdict"));
    }

    static TargetObservations target(Set<Era> eras, List<Observation> observations) {
        return new TargetObservations(eras, new TargetObservations.SessionSummary(true, "legacy", "2025-11-25", "2025-11-25", "s", "1", 1),
                Optional.empty(), observations);
    }

    static String verdict(String check, char revision, String seen) {
        return verdict(SPEC, check, revision, seen);
    }

    static String verdict(RuleSet rules, String check, char revision, String seen) {
        Observation observation = of(check, revision, seen);
        return grade(rules, observation, Set.of(observation.subject().era())).orElseThrow(() -> new AssertionError("no verdict")).verdict().word();
    }
}
