package dev.mcpprober.cli.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to do about a server that could not be installed or started. Settings are named as the server names them, printable. */
public final class StartupAdvice {
    private static final int MAX_NAMES = 8;

    private StartupAdvice() {}

    /**
     * @param kind   a startup failure, or {@code install-} and an install outcome
     * @param detail of that failure, raw
     */
    public static String of(String kind, String detail) {
        return switch (kind) {
            case "needs-config" -> needs(detail);
            case "exit-silent", "exit-nonzero" -> "Start it by hand and see why it ends. If it wants an argument or a variable, give it: --arg VALUE,"
                    + " --env NAME=VALUE. The author: let the server say on stderr why it ends.";
            case "crash-traceback" -> "Catch this in the server, or declare the missing dependency. If it comes from a setting that is not there, name it: --env NAME=VALUE."
                    + " In the sandbox there is no network; a server should start without one and report the failure of a call.";
            case "interactive-prompt" -> "Take settings from arguments or the environment: nobody sits at a server's stdin.";
            case "hang-no-reply" -> "Answer initialize at once, before connecting anywhere (the sandbox has no network), and flush stdout after each message."
                    + " If it is only slow: --start-timeout SECONDS.";
            case "oom-killed" -> "Start within the sandbox's 512 MiB of memory.";
            case "bad-framing" -> "Write each message on one line of its own, end it with a line feed, flush, and send everything else to stderr.";
            case "bad-initialize-result" -> "Answer initialize with protocolVersion (a string), capabilities (an object) and serverInfo with name and version.";
            case "unsupported-version" -> "Answer initialize with the newest version that the server supports, out of those that are published.";
            case "install-not-found" -> "Check the name: npm:NAME, npm:@SCOPE/NAME, pypi:NAME, each with a version if you like (npm:@SCOPE/NAME@1.2.3, pypi:NAME==1.2.3)."
                    + " A folder or file needs a path that exists, e.g. ./NAME.";
            case "install-no-version-matches" -> "Leave the version out for the newest one, or name one that was published (before --as-of DATE, where you gave that).";
            case "install-unsupported-runtime" -> "Widen the versions of the runtime that the package says it runs on, if it does run on these.";
            case "install-build-failed" -> "Publish a wheel, or make the source build without tools beyond a plain image; the end of the log is in the bundle (--bundle DIR).";
            case "install-install-script-failed" -> "Make the install script work in a plain container, or do without it; the end of its log is in the bundle (--bundle DIR).";
            case "install-blocked-egress" -> "Ship what the install script downloads: only the package registry can be reached while installing.";
            case "install-no-entry-point" -> "Declare one program: \"bin\" in package.json, [project.scripts] in pyproject.toml.";
            case "install-too-large" -> "Make the package and what it depends on smaller; limits are in prober/docs/installing.md.";
            case "install-timeout" -> "Try --install-timeout SECONDS; see in the log what takes so long.";
            default -> "Start it by hand and see.";
        };
    }

    /** The detail is {@code NAME, NAME: what the server said}; {@code its API key} is a name that nobody can set. */
    private static String needs(String detail) {
        int colon = detail.indexOf(": ");
        List<String> names = Stream.of((colon < 0 ? detail : detail.substring(0, colon)).split(", ")).filter(name -> !name.isBlank() && !name.startsWith("its ")).toList();
        String variables = names.stream().filter(name -> name.matches("[A-Za-z_][A-Za-z0-9_]*")).limit(MAX_NAMES)
                .map(name -> "--env " + name + "=…").collect(Collectors.joining(" "));
        String arguments = names.stream().filter(name -> !name.matches("[A-Za-z_][A-Za-z0-9_]*")).limit(MAX_NAMES)
                .map(Quote::text).collect(Collectors.joining(", "));
        return "Give it what it asks for"
                + (variables.isEmpty() ? "" : ": " + variables + " (a placeholder will do; no secrets, it is kept in records)")
                + (arguments.isEmpty() ? "" : (variables.isEmpty() ? ": " : "; ") + "--arg for each of " + arguments)
                + ". The author: let the server start without it and report the lack when a tool is called.";
    }
}
