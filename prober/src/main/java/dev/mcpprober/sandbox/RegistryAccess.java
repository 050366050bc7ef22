package dev.mcpprober.sandbox;

/**
 * The way of installs to the registries: a gateway that serves packages and nothing else. Safe for use by many threads.
 *
 * <p>Whoever makes one has proven before that nothing but the gateway can be reached from such a network
 * ({@link dev.mcpprober.model.Fault.SandboxLeaks} otherwise).
 */
public interface RegistryAccess extends AutoCloseable {
    /** A network of one's own, with the gateway as its only neighbour, so that two installs at a time never meet. */
    InstallNetwork open() throws EngineException;

    /** Registries and gateway image in one line, for provenance; no passwords. */
    String describe();

    /** Removes the gateway and its networks; the cache stays. Never throws. */
    @Override
    void close();
}
