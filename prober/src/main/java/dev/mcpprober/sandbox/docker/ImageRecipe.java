package dev.mcpprober.sandbox.docker;

import dev.mcpprober.io.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How one image is made: a folder of {@code images/} and the base that its Dockerfile names.
 *
 * @param name         e.g. {@code node:22}; {@code gateway} has no version
 * @param folder       the build context, but for what {@code images/fetch} adds
 * @param officialBase reference by digest, e.g. {@code node:22-trixie-slim@sha256:…}
 * @param content      SHA-256 over everything in this repository that decides what is built
 */
record ImageRecipe(String name, Path folder, String officialBase, String content, String bootstrap) {
    static final Set<String> NAMES = Set.of("node:22", "node:24", "node:20", "python:3.13", "python:3.11", "gateway");
    private static final Pattern DEFAULT_BASE = Pattern.compile("^ARG BASE=(\\S+)$", Pattern.MULTILINE);
    private static final int TAG_DIGITS = 12;
    private static final int BASE_DIGITS = 8;

    /** @throws IllegalArgumentException for a name that is none of {@link #NAMES} */
    static ImageRecipe read(Path images, String name) throws IOException {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("no image " + name + "; there are " + NAMES.stream().sorted().toList());
        }
        Path folder = images.resolve(name.split(":")[0]);
        String dockerfile = Files.readString(folder.resolve("Dockerfile"));
        // Other versions name their base in a comment, since a Dockerfile has but one default.
        Matcher other = Pattern.compile("^# " + Pattern.quote(name) + " BASE=(\\S+)$", Pattern.MULTILINE).matcher(dockerfile);
        Matcher byDefault = DEFAULT_BASE.matcher(dockerfile);
        if (!byDefault.find()) {
            throw new IOException(folder.resolve("Dockerfile") + ": no line ARG BASE=…");
        }
        return new ImageRecipe(name, folder, other.find() ? other.group(1) : byDefault.group(1), content(images, folder),
                bootstrap(images));
    }

    /** Digest of the recipe of all bootstrapped bases, as {@code images/bootstrap} makes it. */
    private static String bootstrap(Path images) throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(Files.readAllBytes(images.resolve("bootstrap")));
        both.write(Files.readAllBytes(images.resolve("lib.sh")));
        return Digests.sha256(both.toByteArray()).substring(0, BASE_DIGITS);
    }

    /** The files with their modes, and the pins of what is fetched into the context. */
    private static String content(Path images, Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            all.append(folder.relativize(file)).append('\t').append(Files.isExecutable(file)).append('\t').append(Digests.sha256(file)).append('\n');
        }
        return Digests.sha256(all.append(Digests.sha256(images.resolve("lib.sh"))).toString());
    }

    /** {@code mcp-prober/node:22-0123456789ab}: changes with the content, the base, and nothing else. */
    String tag(String baseId) {
        String digits = Digests.sha256(name + "\n" + content + "\n" + baseId).substring(0, TAG_DIGITS);
        return "mcp-prober/" + (name.contains(":") ? name + "-" : name + ":") + digits;
    }

    /** What {@code images/bootstrap} calls its image. */
    String bootstrappedBase() {
        return "mcp-prober/base-" + (name.contains(":") ? name + "-" : name + ":") + bootstrap;
    }

    /** The official base without its tag: a digest needs none, and some engines refuse both together. */
    String officialReference() {
        return officialBase.replaceFirst("^([^@]+?)(:[^:/@]+)?@", "$1@");
    }
}
