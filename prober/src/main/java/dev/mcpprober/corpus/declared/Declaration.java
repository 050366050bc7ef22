package dev.mcpprober.corpus.declared;

/**
 * What one entry of a source declares: a server under a name, at a version, and what becomes of it. Small, so that a whole registry
 * of them fits in memory.
 *
 * @param name    as declared, e.g. {@code io.github.someone/notes}; raw
 * @param version of the declaration, raw; empty where the source has none
 * @param active  false where the source says that it is deleted or deprecated
 * @param latest  true where the source itself marks this version as the newest
 * @param date    when it was published or changed, as the source writes it (RFC 3339 sorts as text); empty where unknown
 * @param place   where it stands in the source, for a person: file and line or entry number
 * @param outcome whether it can be measured
 */
public record Declaration(String name, String version, boolean active, boolean latest, String date, String place, Outcome outcome) {}
