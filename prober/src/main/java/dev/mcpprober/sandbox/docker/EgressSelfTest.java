package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Network;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tries to get out of an install network, by a program in a container on it, and fails closed: a network from which anything but
 * the gateway can be reached is a fault, and so is one from which the gateway cannot.
 *
 * @param image     the gateway's image, which holds the program
 * @param network   name or id of the install network
 * @param elsewhere the gateway's address on its outer network
 * @param names     names that must not be found
 */
record EgressSelfTest(DockerClient client, String image, String network, String elsewhere, List<String> names, Map<String, String> labels) {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    /** A port of the gateway that nothing listens on. */
    private static final int OTHER_PORT = 8080;
    /** A working default route would carry packets for these; RFC 5737 gives them to nobody. */
    private static final List<String> OUTSIDE = List.of("198.51.100.1:443", "203.0.113.1:443");

    void run() throws EngineException {
        // Something must listen on the host, or "cannot be reached" would prove nothing.
        try (ServerSocket host = new ServerSocket(0)) {
            Set<String> targets = new TreeSet<>(OUTSIDE);
            for (String address : hostAddresses()) {
                targets.add(address + ":" + host.getLocalPort());
            }
            targets.add(elsewhere + ":" + GatewayLog.NPM_PORT);
            List<String> argv = new ArrayList<>(List.of("perl", "/gateway/selftest.pl", "wait=" + GatewayLog.ALIAS + ":" + GatewayLog.NPM_PORT,
                    "wait=" + GatewayLog.ALIAS + ":" + GatewayLog.PYTHON_PORT, "try=" + GatewayLog.ALIAS + ":" + OTHER_PORT));
            targets.forEach(target -> argv.add("try=" + target));
            names.forEach(name -> argv.add("name=" + name));
            HelperRun.Output output = new HelperRun(image, argv, network, InstallNetworks.nameServer(client, network), labels).run(client, LIMIT);
            judge(output.output(), targets);
        } catch (IOException e) {
            throw new EngineException(new Fault.SandboxLeaks("the install network could not be tested: " + e.getMessage()), e);
        }
    }

    /** Every address of this host, and of the engine's other bridges where the engine is elsewhere. */
    private Set<String> hostAddresses() throws IOException, EngineException {
        Set<String> addresses = new TreeSet<>();
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(card.getInetAddresses())) {
                if (address instanceof Inet4Address && !address.isLoopbackAddress()) {
                    addresses.add(address.getHostAddress());
                }
            }
        }
        List<Network> networks = EngineCalls.call("list networks", () -> client.listNetworksCmd().exec());
        for (Network each : networks) {
            if (each.getIpam() != null && each.getIpam().getConfig() != null) {
                each.getIpam().getConfig().stream().map(Network.Ipam.Config::getGateway).filter(g -> g != null && g.contains("."))
                        .map(g -> g.replaceFirst("/.*$", "")).forEach(addresses::add);
            }
        }
        return addresses;
    }

    static void judge(String output, Set<String> targets) throws EngineException {
        List<String> leaks = new ArrayList<>();
        boolean done = false;
        int tried = 0;
        for (String line : output.lines().toList()) {
            String[] word = line.split(" ");
            boolean leak = switch (word[0]) {
                case "wait" -> !word[2].equals("connected");
                case "try" -> {
                    tried++;
                    yield word[1].startsWith(GatewayLog.ALIAS + ":") ? word[2].equals("connected") : reached(word[1], word[2]);
                }
                case "name" -> !word[2].equals("none");
                case "route" -> true;
                default -> false;
            };
            done |= line.equals("done");
            if (leak) {
                leaks.add(line);
            }
        }
        if (!done || tried != targets.size() + 1) {
            leaks.add("the test did not run to its end");
        }
        if (!leaks.isEmpty()) {
            throw new EngineException(new Fault.SandboxLeaks("the install network is not what it must be: " + String.join("; ", leaks)
                    + ". Nothing is installed before only the gateway can be reached from it"));
        }
    }

    /** A refusal is an answer. Silence from outside means that there is a way there, be it to nowhere. */
    private static boolean reached(String target, String state) {
        return state.equals("connected") || state.equals("refused") || OUTSIDE.contains(target) && state.equals("timeout");
    }
}
