package dev.mcpprober.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SampleTest {
    private static FrameEntry entry(String target) {
        return new FrameEntry(1, target, new Target.InRegistry(PackageUrl.parse(target)), List.of(), Map.of(), "");
    }

    private static final List<FrameEntry> FRAME = IntStream.range(0, 100)
            .mapToObj(i -> entry(i < 70 ? "npm:@p" + i % 10 + "/s" + i : i < 99 ? "pypi:s" + i : "pypi:lone")).toList();

    @Test
    void theSameSeedDrawsTheSameSampleWhateverTheOrder() {
        List<FrameEntry> reversed = new ArrayList<>(FRAME);
        java.util.Collections.reverse(reversed);
        assertEquals(new Sample(7).simple(FRAME, 20), new Sample(7).simple(reversed, 20));
        assertNotEquals(new Sample(7).simple(FRAME, 20), new Sample(8).simple(FRAME, 20));
        assertEquals(100, new Sample(7).simple(FRAME, 1000).size());
    }

    /** Known answer: another implementation of the documented rank must draw the same. */
    @Test
    void theRankIsTheOneThatIsDocumented() {
        List<FrameEntry> three = List.of(entry("npm:a"), entry("npm:b"), entry("npm:c"));
        // sha256sum of "4\npkg:npm/a" begins with bc56, of b with 152e, of c with aab8.
        assertEquals(List.of("npm:b", "npm:c", "npm:a"), new Sample(4).simple(three, 3).stream().map(FrameEntry::label).toList());
    }

    @Test
    void aTargetThatJoinsMovesAtMostOne() {
        List<FrameEntry> more = new ArrayList<>(FRAME);
        more.add(entry("npm:new"));
        List<FrameEntry> before = new Sample(3).simple(FRAME, 30);
        long kept = new Sample(3).simple(more, 30).stream().filter(before::contains).count();
        assertTrue(kept >= 29, "kept " + kept);
    }

    @Test
    void oneOfEachPublisher() {
        List<FrameEntry> drawn = new Sample(5).onePer(FRAME, Publishers::of, 1000);
        assertEquals(40, drawn.size());
        assertEquals(40, drawn.stream().map(Publishers::of).distinct().count());
    }

    /** Who has a hundred packages is one of 101 publishers, and so is in about 10 of 100 samples of ten. */
    @Test
    void aPublisherOfManyIsNoLikelierThanOneOfOne() {
        List<FrameEntry> frame = IntStream.range(0, 200).mapToObj(i -> entry(i < 100 ? "npm:@many/s" + i : "pypi:s" + i)).toList();
        long with = IntStream.range(0, 100).filter(seed -> new Sample(seed).onePer(frame, Publishers::of, 10).stream().anyMatch(e -> e.label().contains("@many"))).count();
        assertTrue(with >= 2 && with <= 25, "in " + with + " of 100 samples");
    }

    @Test
    void strataGetTheirShareAndNoneIsForgotten() {
        Map<String, List<FrameEntry>> drawn = new Sample(5).stratified(FRAME,
                e -> e.label().equals("pypi:lone") ? "lone" : e.url().registry().id(), 10);
        assertEquals(Map.of("lone", 1, "npm", 7, "pypi", 2), Map.of("lone", drawn.get("lone").size(), "npm", drawn.get("npm").size(), "pypi", drawn.get("pypi").size()));
        assertEquals(1, new Sample(5).stratified(FRAME, e -> e.url().registry().id(), 1).values().stream().mapToInt(List::size).sum());
        assertEquals(100, new Sample(5).stratified(FRAME, e -> e.url().registry().id(), 500).values().stream().mapToInt(List::size).sum());
    }
}
