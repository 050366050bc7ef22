package dev.mcpprober.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every formula against values made by other libraries: {@code src/test/stats/golden.py} says which and how. */
class GoldenStatisticsTest {
    private static final double NEAR = 1e-9;
    private static final JsonNode GOLDEN = golden();

    private static JsonNode golden() {
        try (InputStream in = GoldenStatisticsTest.class.getResourceAsStream("/stats/golden.json")) {
            return Json.mapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void wilsonAndClopperPearson() {
        for (JsonNode row : rows("proportion", 6)) {
            Proportion proportion = new Proportion(row.get("k").asInt(), row.get("n").asInt());
            near(row.get("wilson"), proportion.wilson(), row);
            near(row.get("exact"), proportion.clopperPearson(), row);
            near(row.get("wilson"), Normal.wilson(proportion.share().orElseThrow(), proportion.n()), row);
        }
    }

    @Test
    void clusteredByPublisher() {
        for (JsonNode row : rows("clustered", 4)) {
            List<Proportion> clusters = new ArrayList<>();
            row.get("clusters").forEach(cluster -> clusters.add(new Proportion(cluster.get(0).asInt(), cluster.get(1).asInt())));
            ClusteredShare share = new ClusteredShare(clusters);
            assertEquals(row.get("share").asDouble(), share.all().share().orElseThrow(), NEAR);
            assertEquals(row.get("se").asDouble(), share.standardError(), NEAR);
            assertEquals(row.get("deff").asDouble(), share.designEffect(), NEAR);
            assertEquals(row.get("neff").asDouble(), share.effectiveSize(), 1e-7);
            near(row.get("wilson"), share.wilson(), row);
            near(row.get("t"), share.linearised(), row);
        }
    }

    @Test
    void mcNemar() {
        for (JsonNode row : rows("mcnemar", 9)) {
            assertEquals(row.get("p").asDouble(), new McNemar(row.get("first").asInt(), row.get("second").asInt()).pValue(), NEAR, row.toString());
        }
        assertEquals(1, new McNemar(0, 0).pValue());
        assertThrows(IllegalArgumentException.class, () -> new McNemar(-1, 2));
    }

    /** Every pair of counts up to 130, by whole numbers: twice the smaller tail of Pascal's triangle over a power of two. */
    @Test
    void mcNemarIsExactWhateverTheCounts() {
        for (int flips = 1; flips <= 130; flips++) {
            BigInteger tail = BigInteger.ZERO;
            BigInteger coefficient = BigInteger.ONE;
            for (int fewer = 0; 2 * fewer <= flips; fewer++) {
                tail = tail.add(coefficient);
                coefficient = coefficient.multiply(BigInteger.valueOf(flips - fewer)).divide(BigInteger.valueOf(fewer + 1));
                double exact = Math.min(1, new BigDecimal(tail.shiftLeft(1)).divide(new BigDecimal(BigInteger.ONE.shiftLeft(flips)), MathContext.DECIMAL64).doubleValue());
                String counts = fewer + " and " + (flips - fewer);
                assertEquals(exact, new McNemar(fewer, flips - fewer).pValue(), 1e-10 * exact, counts);
                assertEquals(exact, new McNemar(flips - fewer, fewer).pValue(), 1e-10 * exact, counts);
            }
        }
    }

    @Test
    void holm() {
        for (JsonNode row : rows("holm", 5)) {
            assertEquals(numbers(row.get("adjusted")), Holm.adjust(numbers(row.get("p"))).stream().map(GoldenStatisticsTest::rounded).toList());
        }
        assertEquals(List.of(), Holm.adjust(List.of()));
    }

    @Test
    void kappa() {
        for (JsonNode row : rows("kappa", 5)) {
            List<List<Integer>> table = new ArrayList<>();
            row.get("table").forEach(cells -> {
                List<Integer> line = new ArrayList<>();
                cells.forEach(cell -> line.add(cell.asInt()));
                table.add(line);
            });
            Kappa kappa = new Kappa(table);
            assertEquals(row.get("kappa").asDouble(), kappa.value(), NEAR, row.toString());
            assertEquals(row.get("se").asDouble(), kappa.standardError(), NEAR, row.toString());
            assertEquals(row.get("low").asDouble(), kappa.low(), NEAR);
            assertEquals(row.get("high").asDouble(), kappa.high(), NEAR);
        }
        Kappa one = new Kappa(List.of(List.of(9, 0), List.of(0, 0)));
        assertEquals(new Proportion(9, 9), one.agreement());
        assertTrue(Double.isNaN(one.value()) && Double.isNaN(one.low()), "one category only: chance explains all agreement");
        assertTrue(Double.isNaN(new Kappa(List.of(List.of(0, 0), List.of(0, 0))).value()));
        assertThrows(IllegalArgumentException.class, () -> new Kappa(List.of(List.of(1, 2))));
    }

    /** The first row is the worked example of publishing-and-distribution.md, Q2: 0.1176 [0.0506, 0.1852]. */
    @Test
    void corrected() {
        for (JsonNode row : rows("corrected", 5)) {
            List<Integer> args = new ArrayList<>();
            row.get("args").forEach(arg -> args.add(arg.asInt()));
            CorrectedShare share = new CorrectedShare(new Proportion(args.get(0), args.get(1)), new Proportion(args.get(2), args.get(3)),
                    new Proportion(args.get(4), args.get(5)));
            assertEquals(row.get("share").asDouble(), share.share(), NEAR);
            assertEquals(row.get("low").asDouble(), share.interval().low(), NEAR, row.toString());
            assertEquals(row.get("high").asDouble(), share.interval().high(), NEAR, row.toString());
        }
        CorrectedShare known = new CorrectedShare(new Proportion(72, 480), new Proportion(18, 20), new Proportion(95, 100));
        assertEquals(0.1176, known.share(), 5e-5);
        assertEquals(0.0506, known.interval().low(), 5e-5);
        assertEquals(0.1852, known.interval().high(), 5e-5);
    }

    @Test
    void weighted() {
        for (JsonNode row : rows("weighted", 4)) {
            WeightedShare.Sum sum = new WeightedShare.Sum();
            for (int i = 0; i < row.get("weights").size(); i++) {
                sum.add(row.get("weights").get(i).asDouble(), row.get("hits").get(i).asInt() == 1);
            }
            assertEquals(row.get("share").asDouble(), sum.share().share(), NEAR);
            assertEquals(row.get("size").asDouble(), sum.share().size(), NEAR);
            near(row.get("wilson"), sum.share().wilson(), row);
        }
        assertTrue(new WeightedShare.Sum().share().empty());
        assertEquals(Interval.UNKNOWN, new WeightedShare.Sum().share().wilson());
    }

    @Test
    void correctedByWeightedRates() {
        for (JsonNode row : rows("corrected-weighted", 2)) {
            JsonNode args = row.get("args");
            CorrectedShare share = new CorrectedShare(new WeightedShare(args.get(0).asDouble(), args.get(1).asDouble()),
                    new WeightedShare(args.get(2).asDouble(), args.get(3).asDouble()), new WeightedShare(args.get(4).asDouble(), args.get(5).asDouble()));
            assertEquals(row.get("share").asDouble(), share.share(), NEAR);
            assertEquals(row.get("low").asDouble(), share.interval().low(), NEAR, row.toString());
            assertEquals(row.get("high").asDouble(), share.interval().high(), NEAR, row.toString());
        }
    }

    @Test
    void aClassifierThatIsNoBetterThanChanceCorrectsNothing() {
        Proportion half = new Proportion(50, 100);
        CorrectedShare share = new CorrectedShare(half, half, half);
        assertTrue(share.undefined() && Double.isNaN(share.share()));
        assertEquals(Interval.UNKNOWN, share.interval());
        assertTrue(new CorrectedShare(half, new Proportion(0, 0), half).undefined());
    }

    @Test
    void publishersThatCannotBeToldApart() {
        ClusteredShare none = new ClusteredShare(List.of(new Proportion(0, 10), new Proportion(0, 5)));
        assertEquals(2, none.effectiveSize(), NEAR);
        assertEquals(new Proportion(0, 2).wilson().high(), none.wilson().high(), NEAR);
        ClusteredShare one = new ClusteredShare(List.of(new Proportion(3, 4)));
        assertEquals(1, one.effectiveSize(), NEAR);
        assertEquals(Interval.UNKNOWN, one.linearised());
        ClusteredShare singles = new ClusteredShare(List.of(new Proportion(1, 1), new Proportion(0, 1), new Proportion(1, 1)));
        assertEquals(1, singles.designEffect(), NEAR);
        assertEquals(new Proportion(2, 3).wilson().low(), singles.wilson().low(), NEAR);
        ClusteredShare empty = new ClusteredShare(List.of());
        assertEquals(Interval.UNKNOWN, empty.wilson());
        assertTrue(Double.isNaN(empty.designEffect()));
        assertThrows(IllegalArgumentException.class, () -> new ClusteredShare(List.of(new Proportion(0, 0))));
    }

    private static JsonNode rows(String name, int count) {
        assertEquals(count, GOLDEN.get(name).size());
        return GOLDEN.get(name);
    }

    private static void near(JsonNode bounds, Interval interval, JsonNode row) {
        // statsmodels leaves 1e-17 at the ends.
        assertEquals(bounds.get(0).asDouble(), interval.low(), NEAR, row.toString());
        assertEquals(bounds.get(1).asDouble(), interval.high(), NEAR, row.toString());
    }

    private static List<Double> numbers(JsonNode array) {
        List<Double> out = new ArrayList<>();
        array.forEach(value -> out.add(rounded(value.asDouble())));
        return out;
    }

    private static double rounded(double value) {
        return Math.round(value * 1e10) / 1e10;
    }
}
