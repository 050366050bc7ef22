package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.ExactJson;
import java.util.Optional;

/** Lines of a reference server's log: one JSON object for each failure. */
final class LogLine {
    private LogLine() {}

    static Optional<String> id(String line) {
        return member(line, "correlationId");
    }

    static Optional<String> member(String line, String name) {
        return ExactJson.parse(line).flatMap(entry -> entry.member(name)).flatMap(ExactJson::asText);
    }

    /** The line has the failure's id, and speaks of the same failure. */
    static boolean matches(String line, ExactJson failure) {
        return same(line, failure, "correlationId") && same(line, failure, "class") && same(line, failure, "code");
    }

    private static boolean same(String line, ExactJson failure, String name) {
        return member(line, name).isPresent() && member(line, name).equals(failure.member(name).flatMap(ExactJson::asText));
    }
}
