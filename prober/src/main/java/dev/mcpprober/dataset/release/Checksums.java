package dev.mcpprober.dataset.release;

import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code SHA256SUMS} as {@code sha256sum -c} reads it: every file of a release but itself, in byte order of the paths. */
final class Checksums {
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  (.+)");

    private static final int LARGEST = 32 << 20;

    private Checksums() {}

    /** {@code path} is empty for a line that is none. */
    record Line(int number, String sha256, String path) {}

    /** Writes it and returns every file of the release. */
    static List<String> write(Path folder) throws IOException {
        List<String> files = files(folder);
        StringBuilder out = new StringBuilder();
        for (String file : files) {
            out.append(Digests.sha256(folder.resolve(file))).append("  ").append(file).append('\n');
        }
        AtomicFiles.write(folder.resolve(Release.SUMS), out.toString().getBytes(StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>(files);
        all.add(Release.SUMS);
        return all;
    }

    /** Every file in the folder but {@code SHA256SUMS}, relative, with slashes; a link, whatever it leads to, counts as one. */
    static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)).map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> !file.equals(Release.SUMS)).sorted().toList();
        }
    }

    /** @throws IOException also where it is larger than that of any release */
    static List<Line> read(Path sums) throws IOException {
        if (Files.size(sums) > LARGEST) {
            throw new IOException(sums.getFileName() + ": larger than " + LARGEST + " bytes");
        }
        List<Line> lines = new ArrayList<>();
        int number = 0;
        try (Scanner in = new Scanner(Files.newInputStream(sums), StandardCharsets.UTF_8).useDelimiter("\n")) {
            while (in.hasNext()) {
                String line = in.next();
                number++;
                if (line.isEmpty() && number > 1) {
                    continue;
                }
                Matcher matcher = LINE.matcher(line);
                boolean good = matcher.matches() && inside(matcher.group(2));
                lines.add(new Line(number, good ? matcher.group(1) : "", good ? matcher.group(2) : ""));
            }
        }
        return lines;
    }

    /** True for a path that cannot leave the folder. */
    static boolean inside(String path) {
        return !path.isEmpty() && !path.startsWith("/") && !path.contains("\\") && !path.contains("\0") && !path.contains(":")
                && !List.of(path.split("/", -1)).contains("..");
    }
}
