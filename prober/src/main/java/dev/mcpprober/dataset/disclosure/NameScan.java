package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.ServerFindings;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.redaction.WordFinder;
import dev.mcpprober.run.FrameRow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** Looks through every byte that is to be published for the names of servers that may not be named. */
public final class NameScan {
    public static final NameScan NONE = new NameScan(Map.of());
    private static final int BLOCK = 1 << 20;
    private static final int OVERLAP = 1 << 10;
    private static final int DISTINCT = 8;

    private final WordFinder finder;
    private final List<Integer> lines;

    /** @param words to the line of the frame that they name */
    private NameScan(Map<String, Integer> words) {
        List<String> texts = List.copyOf(words.keySet());
        this.finder = new WordFinder(texts, true);
        this.lines = texts.stream().map(words::get).toList();
    }

    /** Where a name stands, without it. */
    public record Hit(String file, int line, int frameLine) {}

    static NameScan of(List<ServerFindings> withheld, List<ServerFindings> named) {
        Set<String> free = new HashSet<>(Arrays.stream(SdkFamily.values()).map(SdkFamily::id).toList());
        named.forEach(server -> names(server).forEach(name -> free.add(name.toLowerCase(Locale.ROOT))));
        Map<String, Integer> words = new HashMap<>();
        for (ServerFindings server : withheld) {
            for (String name : names(server)) {
                String lower = name.toLowerCase(Locale.ROOT);
                if (!free.contains(lower) && lower.length() <= OVERLAP / 2) {
                    words.putIfAbsent(new String(lower.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1), server.row().line());
                }
            }
        }
        return new NameScan(words);
    }

    /** What names a server wherever it stands. A short word that may mean anything counts only where it is written as a package. */
    private static Set<String> names(ServerFindings server) {
        FrameRow row = server.row();
        Set<String> out = new LinkedHashSet<>();
        if (row.registry().equals("npm") || row.registry().equals("pypi")) {
            PackageUrl url = PackageUrl.parse(row.registry() + ":" + row.name());
            out.addAll(List.of(url.purl(), url.toString(), row.name() + "@", row.name() + "=="));
            String publisher = Publishers.of(row.registry(), row.name());
            if (row.name().startsWith("@")) {
                out.add(row.name());
                out.add(row.name().replace("/", "\\/"));
                // As it stands in addresses of registries.
                out.add(row.name().replace("/", "%2f"));
                out.add(row.name().replace("@", "%40").replace("/", "%2f"));
                out.add(publisher.substring(publisher.indexOf(':') + 1));
                distinct(row.name().substring(row.name().indexOf('/') + 1), out);
            } else {
                distinct(row.name(), out);
                distinct(row.name().replace('-', '_'), out);
            }
        } else {
            out.add(row.label());
        }
        distinct(server.serverName(), out);
        return out;
    }

    private static void distinct(String name, Set<String> out) {
        if (name.length() >= DISTINCT && name.matches("(?s).*[-_./@ ].*")) {
            out.add(name);
        }
    }

    /** Every file below {@code folder}; one hit a file is enough to refuse it. */
    public List<Hit> hits(Path folder, List<String> files) throws IOException {
        List<Hit> out = new ArrayList<>();
        if (finder.isEmpty()) {
            return out;
        }
        for (String file : files) {
            int[] inName = {-1};
            finder.find(new String(file.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1), (word, end) -> inName[0] = lines.get(word));
            if (inName[0] >= 0) {
                out.add(new Hit("the name of a file", 0, inName[0]));
            }
            try (InputStream raw = Files.newInputStream(folder.resolve(file)); InputStream in = file.endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw) {
                Hit hit = look(file, in);
                if (hit != null) {
                    out.add(hit);
                }
            }
        }
        return out;
    }

    private Hit look(String file, InputStream in) throws IOException {
        byte[] block = new byte[BLOCK + OVERLAP];
        int kept = 0;
        int line = 1;
        while (true) {
            int read = in.readNBytes(block, kept, BLOCK);
            int length = kept + read;
            String text = new String(block, 0, length, StandardCharsets.ISO_8859_1);
            int[] found = {-1, -1};
            finder.find(text, (word, end) -> {
                int from = end - finder.word(word).length();
                if (found[0] < 0 && alone(text, from, end, finder.word(word))) {
                    found[0] = from;
                    found[1] = lines.get(word);
                }
            });
            if (found[0] >= 0) {
                return new Hit(file, line + (int) text.substring(0, found[0]).chars().filter(c -> c == '\n').count(), found[1]);
            }
            if (read < BLOCK) {
                return null;
            }
            kept = Math.min(OVERLAP, length);
            line += (int) text.substring(0, length - kept).chars().filter(c -> c == '\n').count();
            System.arraycopy(block, length - kept, block, 0, kept);
        }
    }

    private static boolean alone(String text, int from, int end, String word) {
        boolean openEnd = word.endsWith("@") || word.endsWith("==");
        return (from == 0 || !inName(text.charAt(from - 1)) || !inName(word.charAt(0))) && (openEnd || end == text.length() || !inName(text.charAt(end)));
    }

    private static boolean inName(char c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-';
    }
}
