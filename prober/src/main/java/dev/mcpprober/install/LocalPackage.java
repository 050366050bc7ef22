package dev.mcpprober.install;

import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Registry;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A package of this machine, copied aside so that it cannot change while it is installed. Close it to remove the copy.
 *
 * @param registry whose rules it is installed by: npm or PyPI
 * @param staged   a folder that holds the package alone
 * @param name     of the package's file or folder in there
 * @param folder   it is a folder, not an archive
 * @param digest   {@code sha256:…} of the file; for a folder of every path, executable bit and content
 */
record LocalPackage(Registry registry, Path staged, String name, boolean folder, String digest) implements AutoCloseable {
    /** Made anew by an install, or of no use to it, as the checkout of this program that a build has (recheck.md). */
    private static final Set<String> LEFT_OUT = Set.of("node_modules", ".mcp-prober", ".git", ".hg", ".svn", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache",
            ".pytest_cache", ".ruff_cache");

    /** Why a path cannot be installed, as an outcome. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient InstallOutcome outcome;

        Refused(InstallOutcome outcome) {
            super(outcome.detail());
            this.outcome = outcome;
        }

        InstallOutcome outcome() {
            return outcome;
        }
    }

    /**
     * Whose rules the package at a path is installed by.
     *
     * @throws Refused where there is none
     */
    static Registry kind(Path path) throws IOException, Refused {
        if (!Files.exists(path)) {
            throw new Refused(new InstallOutcome.NotFound("no such folder or file on this machine: " + path));
        }
        if (!Files.isReadable(path)) {
            throw new Refused(new InstallOutcome.NotFound("cannot be read (permission): " + path));
        }
        Path real = path.toRealPath();
        if (!Files.isDirectory(path) && Files.size(real) == 0) {
            throw new Refused(new InstallOutcome.NotFound(path + " is no package: it is empty"));
        }
        return Files.isDirectory(path) ? folderKind(real) : fileKind(real);
    }

    /** @throws IOException when this machine fails, e.g. for want of space; an unreadable package is {@link Refused} */
    static LocalPackage stage(Path path, InstallLimits limits) throws IOException, Refused {
        Registry registry = kind(path);
        boolean folder = Files.isDirectory(path);
        Path real = path.toRealPath();
        Path staged = Files.createTempDirectory("mcp-prober-local-");
        boolean done = false;
        try {
            String name = folder ? "package" : real.getFileName().toString();
            String digest = folder ? copyFolder(real, staged.resolve(name), limits) : copyFile(real, staged.resolve(name), limits);
            done = true;
            return new LocalPackage(registry, staged, name, folder, digest);
        } finally {
            if (!done) {
                delete(staged);
            }
        }
    }

    private static Registry folderKind(Path folder) throws Refused {
        boolean npm = Files.isRegularFile(folder.resolve("package.json"));
        boolean python = Files.isRegularFile(folder.resolve("pyproject.toml")) || Files.isRegularFile(folder.resolve("setup.py"));
        if (npm == python) {
            throw new Refused(new InstallOutcome.NotFound(npm ? folder + " has both a package.json and a Python project: name the package's archive (.tgz, .whl, .tar.gz)"
                    : folder + " is no package: no package.json, pyproject.toml or setup.py in it"));
        }
        return npm ? Registry.NPM : Registry.PYPI;
    }

    private static Registry fileKind(Path file) throws Refused {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".tgz")) {
            return Registry.NPM;
        }
        if (name.endsWith(".whl") || name.endsWith(".tar.gz") || name.endsWith(".zip")) {
            return Registry.PYPI;
        }
        throw new Refused(new InstallOutcome.NotFound(file + " is no package: a folder, an npm tarball (.tgz), a wheel (.whl) or a source distribution (.tar.gz) is"));
    }

    private static String copyFile(Path from, Path to, InstallLimits limits) throws IOException, Refused {
        if (Files.size(from) > limits.localBytes()) {
            throw tooLarge(from, limits);
        }
        Files.copy(from, to);
        return "sha256:" + Digests.sha256(to);
    }

    private static Refused tooLarge(Path path, InstallLimits limits) {
        return new Refused(new InstallOutcome.TooLarge(path + " holds more than " + (limits.localBytes() >> 20) + " MiB or " + limits.localFiles() + " files"));
    }

    private static String copyFolder(Path from, Path to, InstallLimits limits) throws IOException, Refused {
        Copier copier = new Copier(from, to, limits);
        try {
            Files.walkFileTree(from, copier);
        } catch (AccessDeniedException e) {
            throw new Refused(new InstallOutcome.NotFound("cannot be read (permission): " + e.getFile()));
        }
        if (copier.over) {
            throw tooLarge(from, limits);
        }
        StringBuilder all = new StringBuilder();
        copier.digests.forEach((path, digest) -> all.append(path).append('\0').append(digest).append('\n'));
        return "sha256:" + Digests.sha256(all.toString());
    }

    /** The path inside a sandbox once {@link #staged} is copied to {@code target}. */
    String inside(String target) {
        return target + "/" + name;
    }

    @Override
    public void close() {
        delete(staged);
    }

    private static void delete(Path folder) {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            // In the system's temporary folder, which is somebody's to clean.
        }
    }

    private static final class Copier extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Path to;
        private final InstallLimits limits;
        private final Map<String, String> digests = new TreeMap<>();
        private long bytes;
        private boolean over;

        Copier(Path from, Path to, InstallLimits limits) {
            this.from = from;
            this.to = to;
            this.limits = limits;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            if (!folder.equals(from) && LEFT_OUT.contains(folder.getFileName().toString())) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            String path = from.relativize(file).toString();
            Path copy = to.resolve(path);
            if (attributes.isSymbolicLink()) {
                Path target = Files.readSymbolicLink(file);
                if (!target.isAbsolute() && file.getParent().resolve(target).normalize().startsWith(from)) {
                    Files.createSymbolicLink(copy, target);
                    digests.put(path, "link " + target);
                }
            } else if (attributes.isRegularFile()) {
                bytes += attributes.size();
                over |= bytes > limits.localBytes() || digests.size() >= limits.localFiles();
                if (over) {
                    return FileVisitResult.TERMINATE;
                }
                Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
                digests.put(path, (Files.isExecutable(file) ? "x " : "- ") + Digests.sha256(copy));
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
