package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.install.Installer;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Installs by package install. */
public final class PackageInstaller implements TargetInstaller {
    private final Installer installer;
    private final Optional<LocalDate> asOf;

    public PackageInstaller(Installer installer, Optional<LocalDate> asOf) {
        this.installer = installer;
        this.asOf = asOf;
    }

    @Override
    public Installation install(FrameEntry entry) throws EngineException, IOException, InterruptedException {
        InstallRecord record = installer.install(new InstallRequest(entry.target(), entry.args(), asOf));
        return installation(entry, record, InstallDocument.write(record));
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
