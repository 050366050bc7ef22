package dev.mcpprober.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.model.Fault;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.rules.Verdict;
import dev.mcpprober.sandbox.Termination;
import dev.mcpprober.session.Step;
import dev.mcpprober.transcript.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Holds the package contract: data flows one way, each library has its place, the pure parts stay pure. */
@AnalyzeClasses(packages = "dev.mcpprober", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "dev.mcpprober.";
    private static final Path SOURCES = Path.of(System.getProperty("prober.home", ".")).resolve("src/main/java");

    @ArchTest
    static final ArchRule noCycles = slices().matching("dev.mcpprober.(*)..").should().beFreeOfCycles();

    /** In some locales a number has other digits, and a release built there would have other bytes. */
    @ArchTest
    static final ArchRule numbersLookTheSameEverywhere = noClasses().should().callMethod(String.class, "format", String.class, Object[].class)
            .orShould().callMethod(String.class, "formatted", Object[].class).orShould().callMethod(java.io.PrintWriter.class, "printf", String.class, Object[].class)
            .orShould().callMethod(String.class, "toLowerCase").orShould().callMethod(String.class, "toUpperCase");

    @ArchTest
    static final ArchRule modelUsesTheJdkOnly = classes().that().resideInAPackage(ROOT + "model..")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", ROOT + "model.."));

    @ArchTest
    static final ArchRule rulesSeeObservationsOnly = classes().that().resideInAPackage(ROOT + "rules..")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", "org.snakeyaml..", ROOT + "model..", ROOT + "observation..",
                    ROOT + "attribution..", ROOT + "rules.."));

    @ArchTest
    static final ArchRule observationComesAfterTranscript = noClasses().that().resideInAPackage(ROOT + "observation..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "sandbox..", ROOT + "session..", ROOT + "install..", ROOT + "rules..",
                    ROOT + "census..", ROOT + "dataset..", ROOT + "cli.."));

    @ArchTest
    static final ArchRule whatDrivesDoesNotKnowWhatIsRight = noClasses()
            .that().resideInAnyPackage(ROOT + "session..", ROOT + "install..", ROOT + "sandbox..", ROOT + "transcript..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "observation..", ROOT + "rules..", ROOT + "dataset..", ROOT + "census.."));

    @ArchTest
    static final ArchRule censusDoesNotGrade = noClasses().that().resideInAPackage(ROOT + "census..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "observation..", ROOT + "rules..", ROOT + "dataset..", ROOT + "stats.."));

    @ArchTest
    static final ArchRule datasetDoesNotRun = noClasses().that().resideInAPackage(ROOT + "dataset..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "census..", ROOT + "sandbox..", ROOT + "session.."));

    @ArchTest
    static final ArchRule toolFailureStandsByItself = noClasses().that().resideInAPackage(ROOT + "toolfailure..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "sandbox..", ROOT + "session..", ROOT + "install..", ROOT + "transcript..", ROOT + "observation..",
                    ROOT + "rules..", ROOT + "census..", ROOT + "dataset..", ROOT + "run..", ROOT + "traits.."));

    @ArchTest
    static final ArchRule traitsDescribeAndDoNotJudge = noClasses().that().resideInAPackage(ROOT + "traits..")
            .should().dependOnClassesThat(resideInAnyPackage(ROOT + "sandbox..", ROOT + "session..", ROOT + "install..", ROOT + "observation..", ROOT + "rules..",
                    ROOT + "census..", ROOT + "dataset..", ROOT + "run.."));

    @ArchTest
    static final ArchRule theDockerClientHasOnePlace = noClasses().that().resideOutsideOfPackage(ROOT + "sandbox.docker..")
            .should().dependOnClassesThat(resideInAPackage("com.github.dockerjava.."));

    @ArchTest
    static final ArchRule theCommandLineHasOnePlace = noClasses().that().resideOutsideOfPackage(ROOT + "cli..")
            .should().dependOnClassesThat(resideInAnyPackage("picocli..", ROOT + "cli.."));

    @ArchTest
    static final ArchRule csvHasItsPlaces = noClasses().that().resideOutsideOfPackages(ROOT + "dataset..", ROOT + "corpus..")
            .should().dependOnClassesThat(resideInAPackage("org.apache.commons.csv.."));

    @ArchTest
    static final ArchRule redactionKnowsNoDataOfOurs = classes().that().resideInAPackage(ROOT + "redaction..")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", "org.tomlj..", "com.google.re2j..", ROOT + "model..", ROOT + "io..", ROOT + "redaction.."));

    @ArchTest
    static final ArchRule tomlAndItsExpressionsHaveOnePlace = noClasses().that().resideOutsideOfPackage(ROOT + "redaction..")
            .should().dependOnClassesThat(resideInAnyPackage("org.tomlj..", "com.google.re2j.."));

    @ArchTest
    static final ArchRule databasesHaveOnePlace = noClasses().that().resideOutsideOfPackage(ROOT + "census.queue..")
            .should().dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "org.postgresql..", "com.github.kagkarlsson.."));

    @ArchTest
    static final ArchRule noJsonLibraryInModelAndRules = noClasses().that().resideInAnyPackage(ROOT + "model..", ROOT + "rules..")
            .should().dependOnClassesThat(resideInAPackage("com.fasterxml.."));

    @ArchTest
    static final ArchRule thePureParts = noClasses().that().resideInAnyPackage(ROOT + "observation..", ROOT + "rules..", ROOT + "stats..")
            .should().dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.net..", "java.time..", "java.util.concurrent.."))
            .orShould().dependOnClassesThat().areAssignableTo(java.util.Random.class)
            .orShould().dependOnClassesThat().areAssignableTo(Thread.class)
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule onlyMainEndsTheProcessOrTouchesTheConsole = noClasses().that().resideOutsideOfPackage(ROOT + "cli..")
            .should().callMethod(System.class, "exit", int.class)
            .orShould().accessField(System.class, "out")
            .orShould().accessField(System.class, "err");

    @ArchTest
    static void sumTypesAreSealedAndMadeOfRecords(JavaClasses all) {
        for (Class<?> type : List.of(Verdict.class, Fault.class, Event.class, Observation.class, Step.class, InstallOutcome.class, Termination.class)) {
            assertTrue(type.isSealed(), type + " is sealed");
            for (Class<?> member : type.getPermittedSubclasses()) {
                assertTrue(member.isRecord() || member.isInterface() && member.isSealed(), member + " is a record");
            }
        }
    }

    @ArchTest
    static void noFileIsLongAndFewCatchEverything(JavaClasses all) throws IOException {
        assertTrue(Files.isDirectory(SOURCES), "sources at " + SOURCES.toAbsolutePath());
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<String> bad = files.filter(f -> f.toString().endsWith(".java")).flatMap(ArchitectureTest::faultsOf).toList();
            assertEquals(List.of(), bad);
        }
    }

    private static Stream<String> faultsOf(Path file) {
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            Stream<String> length = lines.size() > 400 ? Stream.of(file + ": " + lines.size() + " lines") : Stream.empty();
            boolean mayCatch = file.toString().contains("/cli/") || file.toString().contains("/census/");
            Stream<String> catches = lines.stream().filter(l -> !mayCatch && l.matches(".*catch \\((Exception|Throwable) .*")).map(l -> file + ": " + l.strip());
            return Stream.concat(length, catches);
        } catch (IOException e) {
            return Stream.of(file + ": " + e);
        }
    }
}
