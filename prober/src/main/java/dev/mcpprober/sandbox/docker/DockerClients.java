package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import java.time.Duration;

/** Connections to the engine through docker-java. No API version is asked for: unversioned paths are what every engine accepts. */
final class DockerClients {
    private static final int CONNECTIONS = 64;

    private DockerClients() {}

    /** @param answerLimit for one answer to begin or go on; null for none, as builds and pulls need */
    static DockerClient connect(EngineAddress engine, Duration answerLimit) {
        DefaultDockerClientConfig config = DefaultDockerClientConfig.createDefaultConfigBuilder()
                .withDockerHost(engine.uri().toString()).withDockerTlsVerify(false).build();
        ZerodepDockerHttpClient.Builder transport = new ZerodepDockerHttpClient.Builder()
                .dockerHost(config.getDockerHost()).maxConnections(CONNECTIONS).connectionTimeout(Duration.ofSeconds(10));
        if (answerLimit != null) {
            transport.responseTimeout(answerLimit);
        }
        return DockerClientImpl.getInstance(config, transport.build());
    }
}
