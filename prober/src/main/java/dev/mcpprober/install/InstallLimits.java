package dev.mcpprober.install;

import java.time.Duration;

/**
 * What an install may take.
 *
 * @param time        for resolving and installing together; committing the image is not counted
 * @param memoryBytes of the container, its temporary folder included
 * @param cpus        of the container
 * @param pids        processes and threads of the container
 * @param treeBytes   of everything installed; also watched while it is written
 * @param treeFiles   files and folders of everything installed
 * @param localBytes  of a folder or file of this machine that is copied in
 * @param localFiles  files of a folder of this machine
 * @param logBytes    of the log that a record keeps, from its end
 */
public record InstallLimits(Duration time, long memoryBytes, double cpus, int pids, long treeBytes, int treeFiles, long localBytes, int localFiles,
                            int logBytes) {
    private static final long MIB = 1L << 20;

    public static InstallLimits standard() {
        return new InstallLimits(Duration.ofSeconds(300), 1536 * MIB, 2, 512, 2048 * MIB, 150_000, 256 * MIB, 30_000, 8 << 10);
    }

    public InstallLimits withTime(Duration other) {
        return new InstallLimits(other, memoryBytes, cpus, pids, treeBytes, treeFiles, localBytes, localFiles, logBytes);
    }

    public InstallLimits withTree(long bytes, int files) {
        return new InstallLimits(time, memoryBytes, cpus, pids, bytes, files, localBytes, localFiles, logBytes);
    }
}
