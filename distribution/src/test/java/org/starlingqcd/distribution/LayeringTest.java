package org.starlingqcd.distribution;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;

/** The arrows between the modules point one way only. */
@AnalyzeClasses(packages = "org.starlingqcd", importOptions = LayeringTest.WithoutTests.class)
final class LayeringTest {
  /** Leaves out test classes, in whatever build folder they are. */
  static final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule modules =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("api")
          .definedBy("org.starlingqcd.backend")
          .layer("gpu")
          .definedBy("org.starlingqcd.backend.gpu..")
          .layer("cpu")
          .definedBy("org.starlingqcd.backend.cpu..")
          .layer("cuda")
          .definedBy("org.starlingqcd.backend.cuda..")
          .layer("hip")
          .definedBy("org.starlingqcd.backend.hip..")
          .layer("memhc")
          .definedBy("org.starlingqcd.memhc..")
          .layer("graph")
          .definedBy("org.starlingqcd.graph..")
          .layer("hadron")
          .definedBy("org.starlingqcd.hadron..")
          .layer("correlators")
          .definedBy("org.starlingqcd.correlators..")
          .whereLayer("gpu")
          .mayOnlyBeAccessedByLayers("cuda", "hip")
          .whereLayer("cpu")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("cuda")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("hip")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("correlators")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("hadron")
          .mayOnlyBeAccessedByLayers("correlators")
          .whereLayer("memhc")
          .mayOnlyBeAccessedByLayers("hadron", "correlators")
          .whereLayer("graph")
          .mayOnlyBeAccessedByLayers("hadron", "correlators");

  /** The graph knows no data and the memory manager no physics, whoever they are. */
  @ArchTest
  static final ArchRule memhcKnowsNoMatrixFiles =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.memhc..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.bytedeco.hdf5..", "org.bytedeco.openblas..");

  @ArchTest
  static final ArchRule graphHasNoNumericLibraries =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.graph..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.bytedeco..", "jcuda..", "org.starlingqcd.backend..");

  /**
   * A library module logs; only the command line prints. One class does hold standard error: it
   * keeps JavaCPP's remark about versions from it.
   */
  @ArchTest
  static final ArchRule nothingButTheCommandLinePrints =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.starlingqcd.correlators.cli..")
          .and()
          .resideOutsideOfPackage("org.starlingqcd.benchmarks..")
          .and()
          .doNotHaveFullyQualifiedName("org.starlingqcd.hadron.hdf5.Hdf5Library")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule onlyTheCommandLineKnowsPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.starlingqcd.correlators.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");
}
