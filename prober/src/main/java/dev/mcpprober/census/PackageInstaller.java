package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.install.Installer;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Installs by package install. */
public final class PackageInstaller implements TargetInstaller {
    private static final int TRIES = 3;

    private final Installer installer;
    private final Optional<LocalDate> asOf;
    private final Optional<RunFolder> like;
    private final InstalledImages images;

    /** @param like a run whose dependency trees are installed again, target by target */
    public PackageInstaller(Installer installer, Optional<LocalDate> asOf, Optional<RunFolder> like, InstalledImages images) {
        this.images = images;
        this.installer = installer;
        this.asOf = asOf;
        this.like = like;
    }

    @Override
    public Installation install(FrameEntry entry) throws EngineException, IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            InstallRecord record = installer.install(request(entry));
            if (record.program().isEmpty() || held(record)) {
                return installation(entry, record, InstallDocument.write(record));
            }
        }
        throw new EngineException(new Fault.ImageUnavailable(entry.label(), "its image was gone as soon as it was made, " + TRIES + " times"));
    }

    /** From now on nobody of this process removes the image; false where somebody just has. */
    private boolean held(InstallRecord record) throws EngineException, InterruptedException {
        String image = record.program().orElseThrow().image();
        images.hold(image);
        boolean there = false;
        try {
            there = installer.stillThere(record);
        } finally {
            if (!there) {
                images.release(image, false);
            }
        }
        return there;
    }

    @Override
    public void release(Installation installation, boolean finished) {
        if (installation.usable()) {
            images.release(installation.image(), finished);
        }
    }

    /** The release that the earlier run installed, with its tree; as usual where that run has no tree of this target. */
    private InstallRequest request(FrameEntry entry) throws IOException {
        Path file = like.map(run -> run.install(entry.id())).orElse(null);
        if (file == null || !Files.exists(file)) {
            return new InstallRequest(entry.target(), entry.args(), asOf);
        }
        InstallRecord earlier = InstallDocument.read(Files.readAllBytes(file));
        if (!earlier.usable() || earlier.artefact().purl().isEmpty()) {
            return new InstallRequest(entry.target(), entry.args(), asOf);
        }
        return new InstallRequest(new Target.InRegistry(PackageUrl.parse(earlier.artefact().purl())), entry.args(), asOf, Optional.of(earlier));
    }

    @Override
    public Optional<Installation> restore(FrameEntry entry, byte[] document) throws EngineException, IOException, InterruptedException {
        InstallRecord record = InstallDocument.read(document);
        return record.program().isPresent() && held(record) ? Optional.of(installation(entry, record, document)) : Optional.empty();
    }

    static Installation installation(FrameEntry entry, InstallRecord record, byte[] document) {
        String target = record.artefact().purl().isEmpty() ? entry.label() : record.artefact().purl();
        return record.program()
                .map(program -> new Installation(record.outcome().kind(), true, target, artefact(record), program.image(),
                        program.entry().argv(), program.workdir(), document))
                .orElseGet(() -> new Installation(record.outcome().kind(), false, target, artefact(record), "", List.of(), "", document));
    }

    /** The same release as of two days stands on other dependencies: to probe it is another unit of work. */
    private static String artefact(InstallRecord record) {
        return record.artefact().digest() + (record.artefact().asOf().isEmpty() ? "" : " as of " + record.artefact().asOf());
    }
}
