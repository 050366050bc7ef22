package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.relay.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what a server sent into a relay with what came out of it. */
final class RelayWatch {
    /** A response as far as a relay must keep it: error or result, and the object, to the digit. */
    private record Kept(boolean error, Optional<ExactJson> failure) {}

    private RelayWatch() {}

    static List<String> problems(Passage passage) {
        List<Kept> in = responses(passage, true);
        List<Kept> out = responses(passage, false);
        List<String> problems = new ArrayList<>();
        if (in.size() != out.size()) {
            problems.add("the server sent " + in.size() + " responses, the client got " + out.size());
        }
        for (int i = 0; i < Math.min(in.size(), out.size()); i++) {
            if (!in.get(i).equals(out.get(i))) {
                problems.add("response " + (i + 1) + " came out of the relay as " + words(out.get(i)) + ", and went in as " + words(in.get(i)));
            }
        }
        Set<Optional<ExactJson>> ids = requestIds(passage, false);
        if (requestIds(passage, true).stream().anyMatch(ids::contains)) {
            problems.add("a request has the client's id behind the relay too, so that nothing was tried");
        }
        long marked = passage.lines().stream().filter(line -> !line.server() && !line.sent() && marked(line.line())).count();
        if (marked != passage.lines().stream().filter(line -> line.server() && !line.sent() && result(line.line()).isPresent()).count()) {
            problems.add("the relay put its own key into _meta of " + marked + " results and not of all, so that nothing was tried");
        }
        return problems;
    }

    private static List<Kept> responses(Passage passage, boolean server) {
        return passage.lines().stream().filter(line -> line.server() == server && !line.sent()).map(line -> ExactJson.parse(line.line()).orElseThrow())
                .filter(message -> message.member("method").isEmpty())
                .map(message -> new Kept(message.member("error").isPresent(),
                        message.member("result").flatMap(result -> result.member("_meta")).flatMap(meta -> meta.member(ToolFailure.KEY))))
                .toList();
    }

    private static Set<Optional<ExactJson>> requestIds(Passage passage, boolean server) {
        return passage.lines().stream().filter(line -> line.server() == server && line.sent()).map(line -> ExactJson.parse(line.line()).orElseThrow())
                .filter(frame -> frame.member("id").isPresent()).map(frame -> frame.member("id")).collect(Collectors.toSet());
    }

    private static Optional<ExactJson> result(String line) {
        return ExactJson.parse(line).flatMap(message -> message.member("result"));
    }

    private static boolean marked(String line) {
        return result(line).flatMap(result -> result.member("_meta")).flatMap(meta -> meta.member(Relay.MARK)).isPresent();
    }

    private static String words(Kept kept) {
        return (kept.error() ? "a protocol error" : "a result") + kept.failure().map(failure -> " with " + failure.brief(300)).orElse(" without the key");
    }
}
