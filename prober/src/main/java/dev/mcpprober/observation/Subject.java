package dev.mcpprober.observation;

import dev.mcpprober.model.Era;

/**
 * What an observation is about.
 *
 * @param check    check id of the closed vocabulary
 * @param session  name of the session that shows it; witnesses index that session's transcript
 * @param era      era of the session
 * @param revision revision in force as the server answered it (any text), or empty before one was agreed on
 * @param tool     tool name as declared, or null
 * @param property argument under test, or null
 * @param primary  stands for the server in a headline figure
 */
public record Subject(String check, String session, Era era, String revision, String tool, String property, boolean primary) {}
