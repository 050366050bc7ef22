package dev.mcpprober.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackageUrlTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            npm:@scope/name@1.2.3,         pkg:npm/%40scope/name@1.2.3,  npm:@scope/name@1.2.3
            npm:@scope/name,               pkg:npm/%40scope/name,        npm:@scope/name
            npm:name@1.0.0-beta.1,         pkg:npm/name@1.0.0-beta.1,    npm:name@1.0.0-beta.1
            pypi:Some_Name.x==2.0,         pkg:pypi/some-name-x@2.0,     pypi:some-name-x==2.0
            pypi:name==1!2.0+local,        pkg:pypi/name@1%212.0%2Blocal, pypi:name==1!2.0+local
            pkg:npm/%40scope/name@1.2.3,   pkg:npm/%40scope/name@1.2.3,  npm:@scope/name@1.2.3
            pkg:pypi/name@1.0?x=y#z,       pkg:pypi/name@1.0,            pypi:name==1.0
            """)
    void isReadFromEveryFormAndWrittenAsOne(String text, String purl, String shortForm) {
        PackageUrl url = PackageUrl.parse(text);
        assertEquals(purl, url.purl());
        assertEquals(shortForm, url.toString());
        assertEquals(url, PackageUrl.parse(url.purl()));
        assertEquals(url, PackageUrl.parse(url.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npm:", "npm:../../x", "npm:@scope", "npm:a b", "npm:x@", "npm:x@^1.0.0", "npm:x@latest || rm", "pypi:x==>=1", "pypi:-x",
        "pkg:gem/x@1", "pkg:npm", "name", "npm:x\u001b[2J", "npm:-x@1;y", "pypi:a/b"})
    void whatIsNoTargetIsRefusedInOnePrintableLine(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> PackageUrl.parse(text));
        assertTrue(e.getMessage().chars().noneMatch(c -> c < ' ' || c == 0x7f), e.getMessage());
    }

    @Test
    void registryFormsAreToldFromPaths() {
        assertTrue(PackageUrl.looksLikeOne("npm:x") && PackageUrl.looksLikeOne("pkg:pypi/x"));
        assertFalse(PackageUrl.looksLikeOne("./npm"));
    }
}
