package dev.mcpprober.dataset.report;

import java.io.IOException;
import java.util.Optional;

/** Makes one section of the first page. */
interface Part {
    /** Empty where the data have nothing to tell and nothing to miss. */
    Optional<Section> section(Material material) throws IOException;
}
