package dev.mcpprober.sandbox.docker;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A second program with containers of its own, to be killed: prints the ids of what it has made, then waits. */
final class OtherProber implements AutoCloseable {
    private final Process process;
    final List<String> made = new ArrayList<>();

    /** Waits until everything is made. */
    OtherProber(String runId) throws Exception {
        // Whoever runs the tests in the background of a script has Ctrl-C ignored, and every process below inherits that.
        process = new ProcessBuilder("env", "--default-signal=INT", ProcessHandle.current().info().command().orElse("java"), "-cp", System.getProperty("java.class.path"),
                "-Dprober.test.image=" + Engines.image(), OtherProber.class.getName(), runId).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IllegalStateException("the other program ended");
            }
            made.add(line);
        }
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** @param args the run id */
    public static void main(String[] args) throws Exception {
        DockerEngine engine = DockerEngine.connect(args[0]);
        String network = engine.client().createNetworkCmd().withName("mcp-prober-" + args[0]).withInternal(true)
                .withLabels(engine.runLabels()).exec().getId();
        System.out.println(engine.create(Engines.spec("sleep", "1000")).id());
        for (String program : List.of("import time; time.sleep(1000)", "import os\nwhile True: os.write(1, b'flood')")) {
            var sandbox = engine.create(Engines.python(program));
            sandbox.start();
            System.out.println(sandbox.id());
        }
        System.out.println(network);
        System.out.println("ready");
        Thread.sleep(1_000_000);
    }
}
