package dev.mcpprober.sandbox;

import java.util.Map;

/** One install's network. Close it after the sandbox on it is removed. */
public interface InstallNetwork extends AutoCloseable {
    /** The network's name, for {@link SandboxPolicy#install(String)}. */
    String name();

    /** Value for npm's {@code registry}, e.g. {@code http://gw:4873/}. */
    String npmRegistry();

    /** Value for pip's {@code index-url} and uv's default index, e.g. {@code http://gw:3141/simple/}; its host must be trusted for http. */
    String pythonIndex();

    /** Proxy variables under which programs that respect them name the host that they are not allowed to reach. */
    Map<String, String> environment();

    /** What was fetched and tried on this network since {@link RegistryAccess#open()}. */
    GatewayEvidence evidence() throws EngineException;

    /** Gives the network back. Never throws. */
    @Override
    void close();
}
