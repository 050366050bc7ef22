package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.io.Json;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionRangesTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        ">=18; 22.23.5; true", ">=18.0.0 <23; 22.23.5; true", ">=18 <22; 22.23.5; false", ">= 20; 22.23.5; true", "^22; 22.23.5; true",
        "^20.0.0; 22.23.5; false", "^20 || >=22; 22.23.5; true", "^18 || ^20; 22.23.5; false", "22.x; 22.23.5; true", "22; 22.23.5; true",
        "20; 22.23.5; false", "*; 22.23.5; true", "''; 22.23.5; true", "~22.23; 22.23.5; true", "~22.22.0; 22.23.5; false", ">22; 22.23.5; false",
        "<=22; 22.23.5; true", "<22.23.5; 22.23.5; false", "18 - 22; 22.23.5; true", "18.0.0 - 20; 22.23.5; false", ">=24; 22.23.5; false",
        "v22.23.5; 22.23.5; true", "^22.23.6; 22.23.5; false", ">=22.12.0-rc.1; 22.23.5; true", "lts/*; 22.23.5; true", "^0.12; 22.23.5; false",
        ">=20.19 || >=22.12; 22.23.5; true"})
    void node(String range, String version, boolean allowed) {
        assertEquals(allowed, NodeRange.allows(range, version));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        ">=3.10 | true", ">=3.10,<3.13 | false", ">=3.10, <4 | true", "~=3.10 | true", "~=3.12.0 | false", "==3.13.* | true", "==3.11.* | false", "!=3.13.* | false",
        "!=3.13.1 | true", "<3.13 | false", "<=3.13 | false", "<=3.13.5 | true", ">3.13 | true", ">=3.14 | false", "'' | true", "nonsense | true", ">=3.8.1,<4.0 | true"})
    void python(String specifiers, boolean allowed) {
        assertEquals(allowed, PythonRequires.allows(specifiers, "3.13.5"));
    }

    @ParameterizedTest
    @CsvSource({"my_srv-1.2.3-py3-none-any.whl,1.2.3", "my-srv-1.2.3.tar.gz,1.2.3", "my_srv-1.2.3rc1.tar.gz,1.2.3rc1", "My.Srv-2.0.zip,2.0", "other-1.0.tar.gz,''",
        "my_srv-1.0-1-cp313-cp313-manylinux_2_17_x86_64.whl,1.0", "my-srv-extra-1.0.tar.gz,extra-1.0", "readme.txt,''"})
    void versionsOfFiles(String file, String version) {
        assertEquals(version, PypiIndex.read("my-srv", Json.mapper().createArrayNode()).versionOf(file));
    }

    @ParameterizedTest
    @CsvSource({"1.0,1.0.0,true", "1.0,v1.0,true", "1.0.0rc1,1.0.0RC1,true", "1.0,1.0.1,false", "10.0,1.0,false", "1.0,1.0rc1,false", "2026.10.19,2026.10.19,true"})
    void sameRelease(String a, String b, boolean same) {
        assertEquals(same, PypiIndex.same(a, b));
    }

    @Test
    void absurdLengthsExcludeNothingAndOverflowNothing() {
        assertEquals(true, PythonRequires.allows(">=3" + ".1".repeat(1_000_000), "3.13.5"));
        assertEquals(true, NodeRange.allows(">=24" + ".0".repeat(1_000_000), "22.23.5"));
        assertEquals("no-version-matches", PypiIndex.read("srv", Json.mapper().createArrayNode()
                .add(Json.object().put("file", "srv-1" + ".0".repeat(1_000_000) + ".tar.gz"))).obstacle(Optional.of("1"), Optional.empty(), "3.13.5").get().kind());
    }

    @Test
    void wheelsForOtherPlatformsOnly() {
        PypiIndex index = PypiIndex.read("srv", Json.mapper().createArrayNode()
                .add(Json.object().put("file", "srv-1.0-cp313-cp313-win_amd64.whl")).add(Json.object().put("file", "srv-1.0-cp313-cp313-macosx_11_0_arm64.whl")));
        assertEquals("unsupported-runtime", index.obstacle(Optional.empty(), Optional.empty(), "3.13.5").get().kind());
        PypiIndex here = PypiIndex.read("srv", Json.mapper().createArrayNode().add(Json.object().put("file", "srv-1.0-cp313-cp313-win_amd64.whl"))
                .add(Json.object().put("file", "srv-1.0.tar.gz")));
        assertEquals(Optional.empty(), here.obstacle(Optional.empty(), Optional.empty(), "3.13.5"));
    }

    @Test
    void filesWithoutATimeHadNotBeenPublished() {
        PypiIndex index = PypiIndex.read("srv", Json.mapper().createArrayNode().add(Json.object().put("file", "srv-1.0.tar.gz")));
        assertEquals("no-version-matches", index.obstacle(Optional.empty(), Optional.of(Instant.now()), "3.13.5").get().kind());
    }
}
