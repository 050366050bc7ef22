package dev.mcpprober.session;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * How much the calls to all tools of a server may take, in one era, over all processes it takes. Calls to the primary tool that the
 * main sessions make do not count.
 *
 * @param tools the first so many tools, the primary one first, then in the order listed
 * @param time  no further call is begun after it
 */
public record ToolBudget(int tools, Duration time) {
    public static final ToolBudget DEFAULT = new ToolBudget(25, Duration.ofSeconds(120));

    /** As it is asked for on the command line and stands in a work key: tools and seconds, e.g. {@code 25,120}. */
    public String label() {
        return tools + "," + BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
