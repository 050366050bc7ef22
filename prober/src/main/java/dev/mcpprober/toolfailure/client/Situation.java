package dev.mcpprober.toolfailure.client;

import dev.mcpprober.model.ProtocolRevision;

/**
 * All that a decision depends on beside the answer.
 *
 * @param understands whether the client knows the extension at all
 * @param hints       what the called tool says of itself
 * @param trusted     the user trusts this server, and with it its annotations
 * @param revision    the negotiated one
 * @param now         milliseconds since 1970 by the client's clock
 * @param attempt     number of the try that was answered, from 1
 */
public record Situation(boolean understands, Hints hints, boolean trusted, ProtocolRevision revision, long now, int attempt, RetryLimits limits) {}
