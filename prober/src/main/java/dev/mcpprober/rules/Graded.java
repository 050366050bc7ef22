package dev.mcpprober.rules;

import dev.mcpprober.observation.Observation;

/**
 * One verdict with everything that a reader needs to check it.
 *
 * @param ruleSet     id and version, e.g. {@code spec@1}
 * @param level       {@code must}, {@code should}, {@code described} or {@code none}
 * @param requirement the demand in our own words
 * @param citation    where the text stands for the revision in force
 * @param fix         what to change; empty when nothing needs to be
 */
public record Graded(Observation observation, String ruleSet, Verdict verdict, String level, String requirement, String citation, String fix) {}
