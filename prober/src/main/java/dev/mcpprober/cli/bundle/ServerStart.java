package dev.mcpprober.cli.bundle;

import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerRunCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How a script starts the server: the recorded entry point, in the same sandbox where there was one. */
final class ServerStart {
    private final String shell;
    private final String display;

    private ServerStart(String shell, String display) {
        this.shell = shell;
        this.display = display;
    }

    /** Functions {@code server}, {@code terminate} and {@code stop_container}. */
    String shell() {
        return shell;
    }

    /** The command in one line, for a reader; quoted so that a shell takes it. */
    String display() {
        return display;
    }

    /**
     * @param fixed variables that are set to a value that is no secret
     * @param given names of variables whose values the user gave; a script takes them from the environment that it is run in
     */
    static ServerStart command(SandboxSpec ran, Map<String, String> fixed, Set<String> given) {
        List<String> words = new ArrayList<>(List.of("env"));
        new TreeMap<>(fixed).forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(ran.argv());
        String line = words.stream().map(Shell::quotePath).collect(Collectors.joining(" "));
        String start = "  cd " + Shell.quotePath(ran.workdir()) + " || exit 127\n  exec " + line + "\n";
        return new ServerStart(wanted(given) + functions(start, "kill -TERM \"$(cat \"$work/pid\")\"", ":"), line);
    }

    /** @param hint how somebody without the image gets a server to try */
    static ServerStart image(SandboxSpec ran, Set<String> given, String hint) {
        List<String> words = DockerRunCommand.of(ran, given);
        String line = Shell.quote(words.subList(0, 2)) + " --name \"$name\" " + Shell.quote(words.subList(2, words.size()));
        String check = wanted(given) + "if [ -z \"${SERVER:-}\" ] && ! docker image inspect " + Shell.quote(ran.image()) + " >/dev/null 2>&1; then\n"
                + "  echo " + Shell.quote("the image is not on this machine, or there is no docker. " + Shell.comment(hint)) + "\n  rm -rf \"$work\"\n  exit 2\nfi\n";
        return new ServerStart(check + functions("  exec " + line + "\n", "docker kill -s TERM \"$name\" >/dev/null 2>&1 || kill -TERM \"$(cat \"$work/pid\")\"",
                "if [ -z \"${SERVER:-}\" ]; then docker rm -f \"$name\" >/dev/null 2>&1; fi"), Shell.quote(words));
    }

    /** What the server was given is the user's own, and no part of a bundle that goes to others. */
    private static String wanted(Set<String> given) {
        return new TreeSet<>(given).stream().filter(name -> name.matches("[A-Za-z_][A-Za-z0-9_]*")).map(name -> ": \"${" + name
                + "?set it to what the server is to be started with}\"\nexport " + name + "\n").collect(Collectors.joining());
    }

    private static String functions(String start, String terminate, String stop) {
        return "server() {\n  if [ -n \"${SERVER:-}\" ]; then exec sh -c \"$SERVER\"; fi\n" + start + "}\n"
                + "terminate() { echo 'sent SIGTERM'; " + terminate + "; }\nstop_container() { " + stop + "; }\n";
    }
}
