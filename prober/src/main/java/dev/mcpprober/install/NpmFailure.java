package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why npm ended with a failure, from its own {@code --json} answer. A script's failure has its exit status (or signal) for a code;
 * what scripts print never decides a class.
 *
 * @param code    npm's error code or the script's status; empty when npm gave no answer
 * @param summary npm's words
 */
record NpmFailure(String code, String summary) {
    private static final Set<String> UNREACHABLE = Set.of("ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ERR_SOCKET_TIMEOUT",
            "EHOSTUNREACH", "ENETUNREACH", "EPIPE", "FETCH_ERROR", "EINTEGRITY");
    private static final int MAX_SAID = 600;
    private static final Pattern PATH_LINE = Pattern.compile("(?m)^npm error path (/srv/app/node_modules/\\S+)$");

    static NpmFailure read(String stdout) {
        int start = stdout.indexOf("\n{") >= 0 && !stdout.startsWith("{") ? stdout.indexOf("\n{") + 1 : 0;
        int end = stdout.lastIndexOf("}");
        if (end > start && Json.parse(stdout.substring(start, end + 1)) instanceof Json.Parsed.Value value) {
            JsonNode error = value.node().path("error");
            return new NpmFailure(error.path("code").asText(""), cut(error.path("summary").asText("")) + detail(error));
        }
        return new NpmFailure("", "");
    }

    private static String detail(JsonNode error) {
        String detail = error.path("detail").asText("");
        return detail.isEmpty() ? "" : " (" + cut(detail) + ")";
    }

    private static String cut(String text) {
        return text.length() > MAX_SAID ? text.substring(0, MAX_SAID) + "…" : text;
    }

    boolean ofScript() {
        return code.matches("\\d{1,3}|SIG[A-Z0-9]+|ELIFECYCLE");
    }

    /** npm wanted to clone a dependency. */
    boolean wantsGit() {
        return code.equals("ENOENT") && summary.startsWith("An unknown git error occurred");
    }

    /** The package whose script failed, from npm's own line about it: a folder below node_modules; empty when it does not say. */
    static Optional<String> folderOfScript(String log) {
        Matcher matcher = PATH_LINE.matcher(log);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /**
     * The class of a failure that is no script's.
     *
     * @param blocked hosts that were tried while npm ran
     * @throws EngineException when the registry could not be reached or failed
     */
    InstallOutcome classify(List<String> blocked, boolean registryFailed) throws EngineException {
        boolean server = code.matches("E5\\d\\d") || code.equals("E429");
        if (!blocked.isEmpty() && (UNREACHABLE.contains(code) || code.matches("E4\\d\\d|ENOENT|\\d*"))) {
            return new InstallOutcome.BlockedEgress(blocked, "", "a dependency is not in a registry: " + said());
        }
        if (server || UNREACHABLE.contains(code) || registryFailed) {
            throw new EngineException(new Fault.RegistryUnreachable("npm through the gateway: " + said()));
        }
        return switch (code) {
            case "E401", "E403" -> throw new EngineException(new Fault.RegistryUnreachable("the npm registry or the gateway refused: " + said()));
            case "E404" -> new InstallOutcome.NoVersionMatches("a dependency is not in the registry: " + said());
            case "ETARGET", "ENOVERSIONS", "ERESOLVE" -> new InstallOutcome.NoVersionMatches(said());
            case "EBADPLATFORM", "EBADENGINE", "ENOTSUP" -> new InstallOutcome.UnsupportedRuntime(said());
            default -> new InstallOutcome.BuildFailed(code.isEmpty() ? "npm ended without an answer" : said());
        };
    }

    String said() {
        return code + (summary.isEmpty() ? "" : ": " + summary);
    }
}
