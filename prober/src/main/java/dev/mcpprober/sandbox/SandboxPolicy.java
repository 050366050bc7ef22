package dev.mcpprober.sandbox;

import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of a sandbox. Immutable; {@link #canonical()} is what work keys hash.
 *
 * @param network       {@code none}, or the name of an internal network
 * @param memoryBytes   memory and swap together
 * @param cpus          processors, fractions allowed
 * @param pids          processes and threads
 * @param readOnlyRoot  true where nothing but the tmpfs mounts may be written
 * @param user          uid:gid
 * @param tmpfs         mount point to mount options
 * @param runtime       OCI runtime, empty for the engine's default
 */
public record SandboxPolicy(String network, long memoryBytes, double cpus, int pids, boolean readOnlyRoot, String user,
                            Map<String, String> tmpfs, String runtime) {
    public static final String NO_NETWORK = "none";
    private static final long MIB = 1 << 20;

    public SandboxPolicy {
        tmpfs = Map.copyOf(tmpfs);
    }

    /**
     * No network, nothing writable but small temporary folders: what a server is probed under. They may hold programs, as they may on a
     * user's machine: some packages unpack native code there, and would else fail for our reason.
     */
    public static SandboxPolicy probe() {
        return new SandboxPolicy(NO_NETWORK, 512 * MIB, 1, 256, true, "10001:10001",
                Map.of("/tmp", "rw,nosuid,nodev,exec,size=64m,mode=1777",
                        "/home/mcp", "rw,nosuid,nodev,exec,size=64m,uid=10001,gid=10001,mode=0700"), "");
    }

    /** One neighbour, the registry gateway on {@code network}; the root file system is writable and thrown away or committed. */
    public static SandboxPolicy install(String network) {
        return new SandboxPolicy(network, 1536 * MIB, 2, 512, false, "10001:10001",
                Map.of("/tmp", "rw,nosuid,nodev,exec,size=768m,mode=1777",
                        "/home/mcp", "rw,nosuid,nodev,exec,size=512m,uid=10001,gid=10001,mode=0700",
                        // Every user may write here in the images; what is not /srv/app must not get into what is kept.
                        "/var/tmp", "rw,nosuid,nodev,size=64m,mode=1777",
                        "/run/lock", "rw,nosuid,nodev,size=1m,mode=1777"), "");
    }

    /** One line, the same for equal policies, in a fixed order. */
    public String canonical() {
        return "network=" + (network.equals(NO_NETWORK) ? NO_NETWORK : "internal") + " memory=" + memoryBytes + " cpus=" + cpus + " pids=" + pids
                + " readonly=" + readOnlyRoot + " user=" + user + " tmpfs=" + new TreeMap<>(tmpfs) + " runtime=" + runtime
                + " caps=none no-new-privileges seccomp=default";
    }
}
