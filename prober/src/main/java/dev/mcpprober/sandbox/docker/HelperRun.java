package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.StreamType;
import com.github.dockerjava.api.model.WaitResponse;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One short program of our own in a container, run to its end: questions to a client in an image, and attempts to get out of a
 * network. As tightly held as a server.
 *
 * @param network a network's name, or {@code none}
 * @param dns     address of the name server, empty for the engine's choice
 */
record HelperRun(String image, List<String> argv, String network, String dns, Map<String, String> labels) {
    private static final int MAX_OUTPUT = 1 << 20;
    private static final long MEMORY = 256L << 20;

    HelperRun {
        argv = List.copyOf(argv);
        labels = Map.copyOf(labels);
    }

    /** @param output what the program wrote to standard output, at most 1 MiB */
    record Output(int status, String output) {}

    Output run(DockerClient client, Duration limit) throws EngineException {
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode(network)
                .withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withInit(true)
                .withPidsLimit(128L)
                .withMemory(MEMORY).withMemorySwap(MEMORY)
                .withTmpFs(Map.of("/tmp", "rw,nosuid,nodev,size=64m,mode=1777"));
        if (!dns.isEmpty()) {
            host.withDns(dns).withDnsSearch(".").withDnsOptions(List.of("timeout:1", "attempts:1"));
        }
        CreateContainerResponse created = EngineCalls.whole("create", () -> client.createContainerCmd(image)
                .withEntrypoint(argv.subList(0, 1)).withCmd(argv.subList(1, argv.size()))
                .withEnv("HOME=/tmp").withWorkingDir("/tmp").withLabels(labels).withHostConfig(host).exec());
        String id = created.getId();
        try {
            Exit exit = new Exit();
            EngineCalls.call("start", () -> client.startContainerCmd(id).exec());
            EngineCalls.call("wait", () -> client.waitContainerCmd(id).exec(exit));
            if (!exit.awaitCompletion(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EngineException(new Fault.EngineError("run " + argv.get(0), "no end within " + limit.toSeconds() + " s"));
            }
            LogLines log = new LogLines(StreamType.STDOUT, MAX_OUTPUT);
            EngineCalls.call("read the log", () -> client.logContainerCmd(id).withStdOut(true).exec(log));
            log.awaitCompletion(limit.toMillis(), TimeUnit.MILLISECONDS);
            return new Output(exit.status, log.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while " + argv.get(0) + " ran"), e);
        } finally {
            Reaper.removeContainer(client, id);
        }
    }

    private static final class Exit extends ResultCallback.Adapter<WaitResponse> {
        private volatile int status = -1;

        @Override
        public void onNext(WaitResponse response) {
            status = response.getStatusCode();
        }
    }
}
