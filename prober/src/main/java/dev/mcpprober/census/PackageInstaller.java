package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.install.Installer;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Installs by package install. */
public final class PackageInstaller implements TargetInstaller {
    private final Installer installer;
    private final Optional<LocalDate> asOf;
    private final Optional<RunFolder> like;

    /** @param like a run whose dependency trees are installed again, target by target */
    public PackageInstaller(Installer installer, Optional<LocalDate> asOf, Optional<RunFolder> like) {
        this.installer = installer;
        this.asOf = asOf;
        this.like = like;
    }

    @Override
    public Installation install(FrameEntry entry) throws EngineException, IOException, InterruptedException {
        InstallRecord record = installer.install(request(entry));
        return installation(entry, record, InstallDocument.write(record));
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
    public Optional<Installation> restore(FrameEntry entry, byte[] document) throws EngineException, IOException {
        InstallRecord record = InstallDocument.read(document);
        return installer.stillThere(record) ? Optional.of(installation(entry, record, document)) : Optional.empty();
    }

    static Installation installation(FrameEntry entry, InstallRecord record, byte[] document) {
        String target = record.artefact().purl().isEmpty() ? entry.label() : record.artefact().purl();
        return record.program()
                .map(program -> new Installation(record.outcome().kind(), true, target, record.artefact().digest(), program.image(),
                        program.entry().argv(), program.workdir(), document))
                .orElseGet(() -> new Installation(record.outcome().kind(), false, target, record.artefact().digest(), "", List.of(), "", document));
    }
}
