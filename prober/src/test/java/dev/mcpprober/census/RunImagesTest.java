package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.sandbox.ImageEngine;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunImagesTest {
    @TempDir Path temp;

    /** Of a killed run: one target is finished, one is installed, one install was never recorded, one image is another run's. */
    @Test
    void onlyImagesThatATargetGoesOnWithAreNeeded() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:finished", "npm:installed", "npm:waiting");
        try (OpenRun run = FakeWorld.open(temp.resolve("run"), frame); OpenRun other = FakeWorld.open(temp.resolve("other"), frame)) {
            assertNotEquals(RunImages.labels(run), RunImages.labels(other));
            installed(run, "pkg:npm/finished", "sha256:finished");
            run.ledger().append(new LedgerEvent.Finished(run.now(), "pkg:npm/finished", "started", "", List.of()));
            installed(run, "pkg:npm/installed", "sha256:installed");
            List<ImageEngine.Labelled> images = new ArrayList<>();
            for (String image : List.of("sha256:finished", "sha256:installed", "sha256:unrecorded")) {
                images.add(new ImageEngine.Labelled(image, RunImages.labels(run), Instant.EPOCH));
            }
            images.add(new ImageEngine.Labelled("sha256:other", RunImages.labels(other), Instant.EPOCH));
            assertEquals(List.of("sha256:finished", "sha256:unrecorded"), RunImages.unneeded(run, engine(images)));
        }
    }

    private static void installed(OpenRun run, String target, String image) throws Exception {
        byte[] document = ("{\"schemaVersion\":1,\"registry\":\"npm\",\"outcome\":{\"kind\":\"installed\"},\"program\":{\"image\":\"" + image
                + "\",\"sdk\":{\"family\":\"unknown\"}}}").getBytes(StandardCharsets.UTF_8);
        AtomicFiles.write(run.folder().install(target), document);
        run.ledger().append(new LedgerEvent.Installed(run.now(), target, "a-1", "installed", true, Digests.sha256(document)));
    }

    private static ImageEngine engine(List<ImageEngine.Labelled> images) {
        return (ImageEngine) Proxy.newProxyInstance(RunImagesTest.class.getClassLoader(), new Class<?>[] {ImageEngine.class}, (proxy, method, args) -> {
            assertEquals("imagesWith", method.getName());
            return images.stream().filter(image -> image.labels().containsKey((String) args[0])).toList();
        });
    }
}
