package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Networks whose only way is to the gateway, at the engine. */
final class InstallNetworks {
    /** Where the gateway's address on a network is asked for before it has joined: an address that nothing routes. */
    static final String NOWHERE = "203.0.113.1";
    private static final String GATEWAY_SUFFIX = "-gateway";
    private static final int FIRST_WITH_ISOLATED_MODE = 28;

    private InstallNetworks() {}

    static String gatewayName(String runId) {
        return "mcp-prober-" + runId + GATEWAY_SUFFIX;
    }

    /**
     * An internal network alone still reaches the host by the bridge's own address, so the bridge gets none.
     *
     * @return the network's id
     */
    static String create(DockerClient client, String name, Map<String, String> labels) throws EngineException {
        Map<String, String> options = new HashMap<>();
        options.put("com.docker.network.bridge.inhibit_ipv4", "true");
        String version = EngineCalls.call("ask the engine's version", () -> client.versionCmd().exec().getVersion());
        if (major(version) >= FIRST_WITH_ISOLATED_MODE) {
            options.clear();
            options.put("com.docker.network.bridge.gateway_mode_ipv4", "isolated");
        }
        return EngineCalls.whole("create network", () -> client.createNetworkCmd().withName(name).withDriver("bridge").withInternal(true)
                .withOptions(options).withLabels(labels).withCheckDuplicate(true).exec().getId());
    }

    static int major(String version) {
        String digits = String.valueOf(version).replaceFirst("^(\\d+).*$", "$1");
        return digits.matches("\\d{1,6}") ? Integer.parseInt(digits) : 0;
    }

    static void join(DockerClient client, String network, String gateway) throws EngineException {
        EngineCalls.call("connect the gateway", () -> client.connectToNetworkCmd().withNetworkId(network).withContainerId(gateway)
                .withContainerNetwork(new ContainerNetwork().withAliases(List.of(GatewayLog.ALIAS))).exec());
    }

    /** {@code a.b.c.d/n} */
    static String subnet(DockerClient client, String network) throws EngineException {
        Network found = inspect(client, network);
        return found.getIpam().getConfig().stream().map(Network.Ipam.Config::getSubnet).filter(s -> s.contains(".")).findFirst()
                .orElseThrow(() -> new EngineException(new Fault.EngineError("inspect network", "network " + found.getName() + " has no IPv4 addresses")));
    }

    /**
     * The name server for installs on {@code network}: the gateway, which knows no name but logs what is asked; an address that
     * leads nowhere on a network without one. Never the engine's choice: engines before 25 ask the host's resolver even for
     * containers of internal networks.
     */
    static String nameServer(DockerClient client, String network) throws EngineException {
        return inspect(client, network).getContainers().values().stream()
                .filter(c -> String.valueOf(c.getName()).endsWith(GATEWAY_SUFFIX))
                .map(c -> String.valueOf(c.getIpv4Address()).replaceFirst("/.*$", "")).findFirst().orElse(NOWHERE);
    }

    static Network inspect(DockerClient client, String network) throws EngineException {
        return EngineCalls.call("inspect network", () -> client.inspectNetworkCmd().withNetworkId(network).exec());
    }
}
