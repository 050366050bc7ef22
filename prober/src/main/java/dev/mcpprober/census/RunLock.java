package dev.mcpprober.census;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a run folder for one process. The operating system holds the lock, so it ends with the process however that dies;
 * the process id in the file is for the message alone.
 */
final class RunLock implements AutoCloseable {
    private final FileChannel channel;

    private RunLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws RunRefused when another process, or another part of this one, holds the folder */
    static RunLock take(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw new RunRefused("run folder " + file.getParent() + " is in use by process " + holder(file)
                        + ". Wait until it ends, or choose another folder.");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            taken = true;
            return new RunLock(channel);
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String holder(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        return text.matches("\\d{1,10}") ? text : "(unknown)";
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
