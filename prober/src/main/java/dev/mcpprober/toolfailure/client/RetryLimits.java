package dev.mcpprober.toolfailure.client;

import java.time.Duration;

/**
 * The client's own limits; the proposal has none.
 *
 * @param maxAttempts  tries of one call, the first included; at least 1
 * @param firstBackoff least time between the first failure and the second try; doubles with each further one
 * @param maxBackoff   it grows no further than this
 * @param maxWait      longest wait for one {@code retryNotBefore}; a later one is reported instead of waited for
 */
public record RetryLimits(int maxAttempts, Duration firstBackoff, Duration maxBackoff, Duration maxWait) {
    public static final RetryLimits DEFAULT = new RetryLimits(3, Duration.ofMillis(500), Duration.ofSeconds(30), Duration.ofSeconds(60));

    public RetryLimits {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("at least one attempt: " + maxAttempts);
        }
    }

    /** In milliseconds, after the failure of try number {@code attempt} (from 1). */
    long backoff(int attempt) {
        long first = firstBackoff.toMillis();
        long most = maxBackoff.toMillis();
        // Past 2^30 times the first it is beyond every limit that makes sense.
        int doublings = Math.min(attempt - 1, 30);
        return first > most >> doublings ? most : first << doublings;
    }
}
