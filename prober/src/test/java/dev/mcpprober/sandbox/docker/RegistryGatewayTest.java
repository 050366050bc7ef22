package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.EngineException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegistryGatewayTest {
    @Test
    void everyCacheOfTheGatewayIsBounded() throws Exception {
        List<String> caches = Files.readAllLines(ProberHome.images().resolve("gateway/nginx.conf.template")).stream()
                .filter(line -> line.contains("proxy_cache_path ")).toList();
        assertEquals(2, caches.size());
        caches.forEach(line -> assertTrue(line.matches(".* max_size=(\\d+g|@BLOB_CACHE@) inactive=\\d+d min_free=\\d+g .*"), line));
        assertTrue(Files.readString(ProberHome.images().resolve("gateway/entrypoint.sh")).contains("s|@BLOB_CACHE@|${BLOB_CACHE:-10g}|"));
    }

    @Test
    void itsSizeIsOneThatNginxReads() throws Exception {
        assertEquals("10g", RegistryGateway.cacheSize(Map.of()));
        assertEquals("500m", RegistryGateway.cacheSize(Map.of("PROBER_REGISTRY_CACHE", "500m")));
        for (String bad : List.of("0g", "10", "4G", "1g; include /etc/passwd", "-1g", "10g\n")) {
            EngineException refused = assertThrows(EngineException.class, () -> RegistryGateway.cacheSize(Map.of("PROBER_REGISTRY_CACHE", bad)));
            assertTrue(refused.getMessage().contains("PROBER_REGISTRY_CACHE"), refused.getMessage());
        }
    }
}
