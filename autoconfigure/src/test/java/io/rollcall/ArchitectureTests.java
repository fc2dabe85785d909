package io.rollcall;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTests {

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.rollcall");

    @Test
    void noPackageDependsOnItselfThroughOthers() {
        slices().matching("io.rollcall.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void noRegistryIsKnownToTheCoreOrToAnotherRegistry() {
        noClasses()
                .that(not(resideInAPackage("io.rollcall.registry.*")))
                .should()
                .dependOnClassesThat(resideInAPackage("io.rollcall.registry.*"))
                .check(classes);
        slices().matching("io.rollcall.registry.(*)")
                .should()
                .notDependOnEachOther()
                .check(classes);
    }

    @Test
    void aRegistryKnowsTheInterfacesOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.rollcall.registry..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "io.rollcall.registration..",
                        "io.rollcall.discovery..",
                        "io.rollcall.actuate..",
                        "io.rollcall.autoconfigure..",
                        "io.rollcall.worker.."))
                .check(classes);
    }

    @Test
    void registrationAndDiscoveryDoNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage("io.rollcall.registration..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.rollcall.discovery..")
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage("io.rollcall.discovery..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.rollcall.registration..")
                .check(classes);
    }

    @Test
    void autoConfigurationsAreClosed() {
        classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic()
                .andShould()
                .haveModifier(JavaModifier.FINAL)
                .check(classes);
        methods()
                .that()
                .areAnnotatedWith(Bean.class)
                .should()
                .bePackagePrivate()
                .check(classes);
    }

    @Test
    void everyAutoConfigurationIsImportedOnce() throws IOException {
        List<String> imported = new ClassPathResource(
                        "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
                        RollcallProperties.class.getClassLoader())
                .getContentAsString(StandardCharsets.UTF_8)
                .lines()
                .toList();
        Set<String> there = new TreeSet<>();
        classes.stream()
                .filter(candidate -> candidate.isAnnotatedWith(AutoConfiguration.class))
                .forEach(candidate -> there.add(candidate.getName()));

        assertThat(there).isNotEmpty();
        assertThat(imported)
                .filteredOn(name -> name.startsWith("io.rollcall."))
                .containsExactlyInAnyOrderElementsOf(there);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes.stream()
                .map(candidate -> candidate.getPackage())
                .distinct()
                .forEach(each -> assertThat(each.isAnnotatedWith(NullMarked.class))
                        .as(each.getName())
                        .isTrue());
    }

    @Test
    void nothingIsInjectedIntoFields() {
        fields().should()
                .notBeAnnotatedWith(Autowired.class)
                .andShould()
                .notBeAnnotatedWith(Value.class)
                .check(classes);
    }

    @Test
    void staticStateIsConstant() {
        fields().that().areStatic().should().beFinal().check(classes);
    }

    /** A runtime image made by jlink need not have it. */
    @Test
    void nobodyNeedsTheModuleOfRandomGenerators() {
        noClasses().should().callMethod(RandomGenerator.class, "getDefault").check(classes);
    }

    @Test
    void nobodySleepsOrPrints() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(classes);
        noClasses().should().accessField(System.class, "out").check(classes);
        noClasses().should().accessField(System.class, "err").check(classes);
    }
}
