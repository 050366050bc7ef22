package dev.mcpprober.cli.bundle;

import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerRunCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    /** @param environment what the user gave besides the environment that was there */
    static ServerStart command(SandboxSpec ran, Map<String, String> environment) {
        List<String> words = new ArrayList<>();
        if (!environment.isEmpty()) {
            words.add("env");
            new TreeMap<>(environment).forEach((name, value) -> words.add(name + "=" + value));
        }
        words.addAll(ran.argv());
        String line = Shell.quote(words);
        String start = "  cd " + Shell.quote(ran.workdir()) + " || exit 127\n  exec " + line + "\n";
        return new ServerStart(functions(start, "kill -TERM \"$(cat \"$work/pid\")\"", ":"), line);
    }

    /** @param hint how somebody without the image gets a server to try */
    static ServerStart image(SandboxSpec ran, String hint) {
        List<String> words = DockerRunCommand.of(ran);
        String line = Shell.quote(words.subList(0, 2)) + " --name \"$name\" " + Shell.quote(words.subList(2, words.size()));
        String check = "if [ -z \"${SERVER:-}\" ] && ! docker image inspect " + Shell.quote(ran.image()) + " >/dev/null 2>&1; then\n"
                + "  echo " + Shell.quote("the image is not on this machine, or there is no docker. " + Shell.comment(hint)) + "\n  rm -rf \"$work\"\n  exit 2\nfi\n";
        return new ServerStart(check + functions("  exec " + line + "\n", "docker kill -s TERM \"$name\" >/dev/null 2>&1 || kill -TERM \"$(cat \"$work/pid\")\"",
                "if [ -z \"${SERVER:-}\" ]; then docker rm -f \"$name\" >/dev/null 2>&1; fi"), Shell.quote(words));
    }

    private static String functions(String start, String terminate, String stop) {
        return "server() {\n  if [ -n \"${SERVER:-}\" ]; then exec sh -c \"$SERVER\"; fi\n" + start + "}\n"
                + "terminate() { echo 'sent SIGTERM'; " + terminate + "; }\nstop_container() { " + stop + "; }\n";
    }
}
