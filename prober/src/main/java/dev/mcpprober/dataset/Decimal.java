package dev.mcpprober.dataset;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Real numbers as cells. */
public final class Decimal {
    private static final MathContext DIGITS = new MathContext(10, RoundingMode.HALF_EVEN);

    private Decimal() {}

    /** Ten significant digits, so that rounding of the last bits never shows; null for what is no number. */
    public static Number text(double value) {
        if (Double.isNaN(value)) {
            return null;
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    }
}
