package dev.mcpprober.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProportionTest {
    /**
     * The first four rows are the worked examples of Newcombe, Statistics in Medicine 17 (1998), table I, methods 3 and 5, where
     * they stand with four digits. All rows were computed anew without the library under test: Wilson as the roots of the score
     * equation, Clopper-Pearson by bisection on exact binomial tails, both with 40 digits.
     */
    @ParameterizedTest
    @CsvSource({
        "81, 263, 0.255288519878, 0.366209576983, 0.252736745585, 0.367621922601",
        "15, 148, 0.0623863995307, 0.160487241723, 0.0578440100834, 0.161650490349",
        "0, 20, 0, 0.161125158053, 0, 0.168433470983",
        "1, 29, 0.00611321429276, 0.171755218793, 0.00087264688358, 0.177644295489",
        "1, 1, 0.206549314377, 1, 0.025, 1",
        "0, 1, 0, 0.793450685623, 0, 0.975",
        "16, 16, 0.806392319466, 1, 0.794092785792, 1",
        "3, 16, 0.0659159907143, 0.43008880962, 0.0404737339059, 0.456456546232",
        "500, 1000, 0.469069600368, 0.530930399632, 0.468549172972, 0.531450827028",
    })
    void golden(int k, int n, double wilsonLow, double wilsonHigh, double exactLow, double exactHigh) {
        Proportion proportion = new Proportion(k, n);
        assertEquals(wilsonLow, proportion.wilson().low(), 1e-9);
        assertEquals(wilsonHigh, proportion.wilson().high(), 1e-9);
        assertEquals(exactLow, proportion.clopperPearson().low(), 1e-9);
        assertEquals(exactHigh, proportion.clopperPearson().high(), 1e-9);
    }

    @Test
    void theShareLiesInBothIntervalsAndComplementsMirror() {
        for (int n = 1; n <= 40; n++) {
            for (int k = 0; k <= n; k++) {
                Proportion proportion = new Proportion(k, n);
                double share = proportion.share().orElseThrow();
                assertTrue(proportion.wilson().low() <= share && share <= proportion.wilson().high(), k + " of " + n);
                assertTrue(proportion.clopperPearson().low() <= share && share <= proportion.clopperPearson().high(), k + " of " + n);
                assertEquals(1 - proportion.wilson().low(), new Proportion(n - k, n).wilson().high(), 1e-12);
            }
        }
    }

    @Test
    void nothingCountedSaysNothing() {
        Proportion none = new Proportion(0, 0);
        assertTrue(none.share().isEmpty());
        assertEquals(Interval.UNKNOWN, none.wilson());
        assertEquals(Interval.UNKNOWN, none.clopperPearson());
    }

    @Test
    void whatIsNoCountIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Proportion(2, 1));
        assertThrows(IllegalArgumentException.class, () -> new Proportion(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Proportion(0, -1));
        assertThrows(IllegalArgumentException.class, () -> new Interval(0.5, 0.4));
        assertThrows(IllegalArgumentException.class, () -> new Interval(Double.NaN, 1));
        assertThrows(IllegalArgumentException.class, () -> new Interval(0, 1.1));
    }
}
