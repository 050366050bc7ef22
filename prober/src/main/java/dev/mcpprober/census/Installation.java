package dev.mcpprober.census;

import java.util.List;

/**
 * What an install came to.
 *
 * @param outcome        of the closed set of install outcomes
 * @param usable         there is an entry point to run
 * @param target         package URL with the version that was installed, or the path's label
 * @param artefactDigest names what was installed, and as of which day; the same on every machine
 * @param image          image id to run; empty where not usable
 * @param argv           entry point with the arguments that the frame adds; empty where not usable
 * @param workdir        where to run it
 * @param document       what {@code installs/<target>.json} holds
 */
public record Installation(String outcome, boolean usable, String target, String artefactDigest, String image, List<String> argv, String workdir,
                           byte[] document) {
    public Installation {
        argv = List.copyOf(argv);
        document = document.clone();
    }

    @Override
    public byte[] document() {
        return document.clone();
    }
}
