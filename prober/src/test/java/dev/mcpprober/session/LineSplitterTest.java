package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
    /** What came out: the bytes kept as text, and the true length. */
    private record Cut(String text, long length) {}

    private static List<Cut> split(LineSplitter splitter, byte[] stream, int chunk) {
        List<Cut> cuts = new ArrayList<>();
        LineSplitter.Lines lines = line -> cuts.add(new Cut(new String(line.bytes(), StandardCharsets.ISO_8859_1), line.length()));
        for (int from = 0; from < stream.length; from += chunk) {
            splitter.feed(Arrays.copyOfRange(stream, from, Math.min(stream.length, from + chunk)), lines);
        }
        splitter.rest(lines);
        splitter.rest(lines);
        return cuts;
    }

    private static String digits(int length) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; out.length() < length; i++) {
            out.append(i).append(' ');
        }
        return out.substring(0, length);
    }

    @Test
    void linesOfEveryLengthComeOutWholeHoweverTheyAreCut() {
        List<String> lines = new ArrayList<>();
        for (int length : new int[] {0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 0, 131_072, 131_073, 300_001, 3}) {
            lines.add(digits(length));
        }
        byte[] stream = (String.join("\n", lines) + "\nrest").getBytes(StandardCharsets.ISO_8859_1);
        List<Cut> wanted = new ArrayList<>(lines.stream().map(line -> new Cut(line, line.length())).toList());
        wanted.add(new Cut("rest", 4));
        for (int chunk : new int[] {997, 65_536, 65_537, stream.length}) {
            assertEquals(wanted, split(new LineSplitter(1 << 20), stream, chunk), "in pieces of " + chunk);
        }
    }

    @Test
    void ofALineLongerThanTheLimitTheBeginningIsKept() {
        String text = digits(500_000);
        byte[] stream = (text.substring(0, 200_000) + "\n" + text.substring(0, 200_001) + "\nshort\n" + text).getBytes(StandardCharsets.ISO_8859_1);
        List<Cut> wanted = List.of(new Cut(text.substring(0, 200_000), 200_000), new Cut(text.substring(0, 65_536), 200_001), new Cut("short", 5),
                new Cut(text.substring(0, 65_536), 500_000));
        for (int chunk : new int[] {997, 65_536, 150_000, stream.length}) {
            assertEquals(wanted, split(new LineSplitter(200_000), stream, chunk), "in pieces of " + chunk);
        }
        assertEquals(List.of(new Cut("0 1 2 3 4 ", 500_000)), split(new LineSplitter(10), text.getBytes(StandardCharsets.ISO_8859_1), 7));
        assertEquals(List.of(new Cut("0 1 2 3 4 ", 500_000)), split(new LineSplitter(10), text.getBytes(StandardCharsets.ISO_8859_1), 500_000));
    }
}
