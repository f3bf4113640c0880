package org.starlingqcd.distribution;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/**
 * Dependencies point downward only, between packages and between modules. {@link #PACKAGES} is the
 * whole house from the ground up: a class may use its own package and those that stand before it.
 */
@AnalyzeClasses(packages = "org.starlingqcd", importOptions = LayeringTest.WithoutTests.class)
final class LayeringTest {
  private static final String ROOT = "org.starlingqcd.";

  /** Every package, each after those that it may use. */
  private static final List<String> PACKAGES =
      List.of(
          "backend.natives",
          "backend",
          "backend.contract",
          "backend.cpu.blas",
          "backend.cpu.matrix",
          "backend.cpu.product",
          "backend.cpu.trace",
          "backend.cpu.baryon",
          "backend.cpu",
          "backend.gpu.library",
          "backend.gpu.memory",
          "backend.gpu.launch",
          "backend.gpu",
          "backend.cuda",
          "backend.hip",
          "memhc.access",
          "memhc.cache",
          "memhc.policy",
          "memhc.retention",
          "memhc.transfer",
          "memhc",
          "memhc.replay",
          "blockcache",
          "arrays",
          "graph",
          "graph.plan",
          "graph.wick",
          "graph.baryon",
          "graph.reduce",
          "graph.schedule",
          "graph.share",
          "hadron.text",
          "hadron.hdf5",
          "hadron.data",
          "hadron.yaml",
          "hadron.format",
          "hadron.conversion",
          "hadron.input",
          "hadron.convention",
          "hadron.execute",
          "hadron.synthetic",
          "correlators",
          "correlators.definition.symmetry",
          "correlators.definition.hadrons",
          "correlators.definition",
          "correlators.definition.survey",
          "correlators.result",
          "correlators.plan",
          "correlators.cli.option",
          "correlators.run",
          "correlators.batch",
          "correlators.inspection",
          "correlators.cli",
          "elementals.vectors",
          "elementals",
          "elementals.cli",
          "analysis.fit",
          "analysis",
          "analysis.exchange",
          "analysis.cli",
          "simulator",
          "simulator.check",
          "simulator.workload",
          "simulator.reproduce",
          "simulator.cli");

  /** Leaves out test classes, in whatever build folder they are. */
  static final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule packagesUseWhatStandsBelow =
      classes().should(new UseOnlyPackagesBelow(PACKAGES));

  private static final class UseOnlyPackagesBelow extends ArchCondition<JavaClass> {
    private final List<String> order;

    UseOnlyPackagesBelow(List<String> order) {
      super("use only their own package and those that stand before it in " + order);
      this.order = order;
    }

    @Override
    public void check(JavaClass user, ConditionEvents events) {
      int own = level(user);
      if (own < 0) {
        violated(user, user.getName() + " is in a package without a place in the layering", events);
      }
      for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
        JavaClass used = dependency.getTargetClass().getBaseComponentType();
        if (used.getPackageName().startsWith(ROOT) && level(used) > own) {
          violated(user, dependency.getDescription(), events);
        }
      }
    }

    private int level(JavaClass ofClass) {
      String name = ofClass.getPackageName();
      return name.startsWith(ROOT) ? order.indexOf(name.substring(ROOT.length())) : -1;
    }

    private static void violated(JavaClass user, String message, ConditionEvents events) {
      events.add(SimpleConditionEvent.violated(user, message));
    }
  }

  /** A queue is made of a plan alone, however the plan was found: also of one read from a file. */
  @ArchTest
  static final ArchRule queuesAreMadeOfPlans =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.graph.schedule")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.starlingqcd.graph.wick",
              "org.starlingqcd.graph.baryon",
              "org.starlingqcd.graph.reduce");

  /** No backend knows another, and nothing but the service loader knows a backend. */
  @ArchTest
  static final ArchRule backendsAreFoundAsServices =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.starlingqcd.backend..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.starlingqcd.backend.cpu..",
              "org.starlingqcd.backend.gpu..",
              "org.starlingqcd.backend.cuda..",
              "org.starlingqcd.backend.hip..");

  @ArchTest
  static final ArchRule backendsDoNotKnowEachOther =
      noClasses()
          .that()
          .resideInAnyPackage("org.starlingqcd.backend.gpu..", "org.starlingqcd.backend.cuda..")
          .or()
          .resideInAPackage("org.starlingqcd.backend.hip..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.starlingqcd.backend.cpu..");

  @ArchTest
  static final ArchRule vendorsDoNotKnowEachOther =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.backend.hip..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.starlingqcd.backend.cuda..");

  /** Contraction graphs know neither devices nor the memory manager. */
  @ArchTest
  static final ArchRule graphHasNoNumericLibraries =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.graph..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.bytedeco..", "jcuda..", "org.starlingqcd.backend..", "org.starlingqcd.memhc..");

  @ArchTest
  static final ArchRule memhcKnowsNoMatrixFiles =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.memhc..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.bytedeco.hdf5..", "org.bytedeco.openblas..");

  /** The simulator does not analyse results, and the analysis simulates nothing. */
  @ArchTest
  static final ArchRule analysisAndSimulatorStandSideBySide =
      noClasses()
          .that()
          .resideInAPackage("org.starlingqcd.simulator..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.starlingqcd.analysis..");

  @ArchTest
  static final ArchRule plotsAndEigenvaluesStayOutOfTheEngine =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.starlingqcd.analysis..", "org.starlingqcd.simulator..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.ejml..", "org.knowm..");

  /**
   * A library module logs; only commands print, and the logger. One more class holds standard
   * error: it keeps JavaCPP's remark about versions from it.
   */
  @ArchTest
  static final ArchRule onlyCommandsPrint =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.starlingqcd..cli..")
          .and()
          .doNotHaveFullyQualifiedName("org.starlingqcd.hadron.hdf5.Hdf5Library")
          .and()
          .doNotHaveFullyQualifiedName("org.starlingqcd.correlators.StderrLoggers$StderrLogger")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule onlyCommandsAndSettingsKnowPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.starlingqcd..cli..")
          .and()
          .haveSimpleNameNotEndingWith("Settings")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");
}
