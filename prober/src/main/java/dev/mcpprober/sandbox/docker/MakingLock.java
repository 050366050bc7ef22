package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one program of this machine at a time make an image. Of two that make the same one the first loses its name to the second, and its users
 * lose it. The operating system holds the lock, so it ends with the process however that dies.
 */
final class MakingLock implements AutoCloseable {
    private static final Map<String, ReentrantLock> OWN = new ConcurrentHashMap<>();

    private final ReentrantLock own;
    private final FileChannel channel;

    private MakingLock(ReentrantLock own, FileChannel channel) {
        this.own = own;
        this.channel = channel;
    }

    /**
     * Waits for whoever else makes this image.
     *
     * @param image   letters, digits, colon and dot
     * @param waiting runs once where another program has to be waited for
     */
    static MakingLock take(String image, Runnable waiting) throws EngineException {
        ReentrantLock own = OWN.computeIfAbsent(image, name -> new ReentrantLock());
        boolean taken = false;
        try {
            own.lockInterruptibly();
            taken = true;
            MakingLock lock = new MakingLock(own, channel(file(image), waiting));
            taken = false;
            return lock;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while another made image " + image), e);
        } finally {
            if (taken) {
                own.unlock();
            }
        }
    }

    /** The same for every program of the machine, whatever its cache folder. */
    static Path file(String image) {
        return Path.of(System.getProperty("java.io.tmpdir"), "mcp-prober-image-" + image.replace(':', '-') + ".lock");
    }

    /** Null where there can be no lock, as of another user's file: then both make the image, which mostly goes well. */
    private static FileChannel channel(Path file, Runnable waiting) throws InterruptedException {
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            if (channel.tryLock() == null) {
                waiting.run();
                channel.lock();
            }
            locked = true;
            return channel;
        } catch (FileLockInterruptionException | ClosedByInterruptException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            return null;
        } finally {
            if (channel != null && !locked) {
                close(channel);
            }
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock ends with the process.
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            close(channel);
        }
        own.unlock();
    }
}
