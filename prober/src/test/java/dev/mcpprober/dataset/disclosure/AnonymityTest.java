package dev.mcpprober.dataset.disclosure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.Veil;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnonymityTest {
    private static Anonymity.Member member(String family, String version, String revision, String state) {
        return new Anonymity.Member(new Veil.Traits("npm", family, version, revision, "legacy"), state);
    }

    private static List<Anonymity.Member> times(int count, Anonymity.Member member) {
        return java.util.Collections.nCopies(count, member);
    }

    @Test
    void fiveThatAreAlikeKeepWhatTheyAreKnownBy() {
        List<Veil.Traits> traits = Anonymity.coarsened(times(5, member("official-ts", "1.29", "2025-06-18", "started"))).orElseThrow();
        assertEquals(new Veil.Traits("npm", "official-ts", "1.29", "2025-06-18", "legacy"), traits.get(4));
    }

    @Test
    void whatIsRareIsLeftOutStepByStep() {
        List<Anonymity.Member> members = new ArrayList<>(times(5, member("official-ts", "1.29", "2025-06-18", "started")));
        members.addAll(times(3, member("official-ts", "1.2", "2025-06-18", "started")));
        members.addAll(times(2, member("official-ts", "0.6", "2025-06-18", "started")));
        List<Veil.Traits> traits = Anonymity.coarsened(members).orElseThrow();
        assertEquals("1.29", traits.get(0).sdkVersion());
        assertEquals(new Veil.Traits("npm", "official-ts", "", "2025-06-18", "legacy"), traits.get(9));
    }

    @Test
    void oneThatIsAloneTakesOthersAlong() {
        List<Anonymity.Member> members = new ArrayList<>(times(6, member("official-ts", "1.29", "2025-06-18", "started")));
        members.add(new Anonymity.Member(new Veil.Traits("pypi", "official-py", "1.2", "2025-11-25", "legacy"), "started"));
        assertEquals(1, Anonymity.coarsened(members).orElseThrow().stream().distinct().count());
    }

    @Test
    void erasStayAndHideAmongTheirOwn() {
        List<Anonymity.Member> members = new ArrayList<>(times(9, member("official-ts", "1.29", "2025-06-18", "started")));
        members.add(new Anonymity.Member(new Veil.Traits("npm", "official-ts", "2.0", "2026-07-28", "modern"), "started"));
        assertTrue(Anonymity.coarsened(members).isEmpty());
    }

    @Test
    void fewerThanFiveCannotHide() {
        assertTrue(Anonymity.coarsened(times(4, member("official-ts", "1.29", "2025-06-18", "started"))).isEmpty());
        List<Anonymity.Member> members = new ArrayList<>(times(9, member("official-ts", "1.29", "2025-06-18", "started")));
        members.add(member("official-ts", "1.29", "", "start-failed"));
        assertTrue(Anonymity.coarsened(members).isEmpty(), "the state has to stay, and it is the only one");
    }

    @Test
    void whyAServerDidNotStartHasToBeSharedToo() {
        List<Anonymity.Member> members = new ArrayList<>(times(9, member("official-ts", "1.29", "", "start-failed exit-nonzero exit-nonzero")));
        assertTrue(Anonymity.coarsened(members).isPresent());
        members.add(member("official-ts", "1.29", "", "start-failed crash-traceback crash-traceback"));
        assertTrue(Anonymity.coarsened(members).isEmpty(), "tables show the reason, and nobody else has it");
    }

    @Test
    void whateverComesEachSharesAllWithFourOthers() {
        Random random = new Random(3);
        for (int run = 0; run < 300; run++) {
            List<Anonymity.Member> members = new ArrayList<>();
            for (int i = random.nextInt(60) + 5; i > 0; i--) {
                members.add(new Anonymity.Member(new Veil.Traits(random.nextBoolean() ? "npm" : "pypi", "f" + random.nextInt(4), "1." + random.nextInt(6), "r" + random.nextInt(3),
                        "legacy"), "started"));
            }
            List<Veil.Traits> traits = Anonymity.coarsened(members).orElseThrow();
            Map<Veil.Traits, Integer> alike = new HashMap<>();
            traits.forEach(one -> alike.merge(one, 1, Integer::sum));
            assertFalse(alike.values().stream().anyMatch(count -> count < 5), alike.toString());
        }
    }

    @Test
    void base32IsThatOfTheStandard() {
        assertEquals("mzxw6ytboi", StudyKey.base32("foobar".getBytes()));
        assertEquals("mzxq", StudyKey.base32("fo".getBytes()));
    }

    @Test
    void noNameOfAPublisherLeavesTheFolderOfLetters() {
        for (String name : List.of("npm:../../x", "../..", "/etc/passwd", "a\\b", "CON", ".", "npm:@" + "x".repeat(300), "\u0000")) {
            assertTrue(Letters.fileName(name).matches("[A-Za-z0-9-]{1,70}\\.md"), Letters.fileName(name));
        }
        assertFalse(Letters.fileName("npm:a-b").equals(Letters.fileName("npm:a.b")));
    }
}
