package org.starlingqcd.graph.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.wick.WickContraction;

class PlanFileTest {
  private static final ReducerOptions OPTIONS = ReducerOptions.standard();

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");
  private List<CorrelationMatrix> matrices = List.of();
  private ContractionPlan plan = Reducer.reduce(new DiagramSet());

  @BeforeEach
  void write() throws IOException {
    matrices = List.of(displaced(), Channels.read("sigma"), baryons());
    plan = Reducer.reduce(WickContraction.contract(matrices), OPTIONS);
    file = folder.resolve("plan.txt");
    Files.writeString(file, PlanFile.text(plan, OPTIONS));
  }

  private static CorrelationMatrix displaced() {
    Factor factor = new Bilinear("u", Gamma.g(3), "s", Momentum.ZERO, "nabla x");
    return new CorrelationMatrix(
        "displaced",
        List.of(new Operator("o", List.of(new Term(new Complex(0, 1.0 / 3), List.of(factor))))),
        Map.of("u", "light quark", "s", "strange"),
        false);
  }

  private static CorrelationMatrix baryons() {
    Factor lambda =
        new BaryonFactor("u", "d", "s", Gamma.g(5), 1, 2, new Momentum(1, 0, 0), "none");
    Factor tetraquark =
        new TetraquarkFactor(
            PairColour.SEXTET, "u", "u", Gamma.G5, "u", "s", Gamma.ONE, Momentum.ZERO);
    Factor pion = new Bilinear("u", Gamma.g(5), "u", Momentum.ZERO, "none");
    return new CorrelationMatrix(
        "baryons",
        List.of(
            new Operator("lambda", List.of(new Term(Complex.ONE, List.of(lambda)))),
            new Operator("both", List.of(new Term(Complex.ONE, List.of(lambda, pion)))),
            new Operator("tetraquark", List.of(new Term(Complex.ONE, List.of(tetraquark))))),
        Map.of("u", "light", "d", "light", "s", "strange"),
        false);
  }

  @Test
  void read_whatWasWritten_isEqual() throws IOException {
    assertTrue(!plan.baryonPart().equals(BaryonPart.EMPTY));
    // Of every kind.
    assertEquals(
        4,
        plan.tetraquarkPart().steps().stream().map(TetraquarkPart.Step::kind).distinct().count());
    assertEquals(plan, PlanFile.read(file, matrices, OPTIONS));
  }

  @Test
  void read_otherDefinitions_isRefused() {
    assertRefused(
        List.of(Channels.read("sigma")),
        OPTIONS,
        "made for the definitions [displaced, sigma, baryons], not for [sigma]");
    List<CorrelationMatrix> reordered = List.of(matrices.get(1), matrices.get(0), matrices.get(2));
    assertRefused(reordered, OPTIONS, "not for [sigma, displaced, baryons]");
  }

  @Test
  void read_changedDefinitionOfTheSameName_isRefused() {
    CorrelationMatrix first = matrices.get(0);
    CorrelationMatrix relabelled =
        new CorrelationMatrix(
            first.name(), first.operators(), Map.of("u", "strange", "s", "strange"), false);
    assertRefused(
        List.of(relabelled, matrices.get(1), matrices.get(2)),
        OPTIONS,
        "made for another definition of the name displaced");
  }

  @Test
  void read_otherOptions_isRefused() {
    assertRefused(
        matrices,
        new ReducerOptions(Set.of(), Set.of(), true),
        "made for data whose spin basis keeps the components of baryons apart; the basis of these data mixes them");
    assertRefused(
        matrices,
        new ReducerOptions(Set.of(), Set.of("strange"), false),
        "not with the options gamma5_hermiticity=true without_gamma5=strange ");
    assertRefused(
        matrices, OPTIONS.without(Set.of(Optimization.ACCUMULATION)), "accumulation=false");
  }

  @Test
  void read_anotherVersion_isRefused() throws IOException {
    Files.writeString(
        file, Files.readString(file).replaceFirst("starling-plan 8", "starling-plan 1"));
    assertRefused(matrices, OPTIONS, "version 1 of the plan format; this program reads version 8");
  }

  @Test
  void read_anyChangedLetter_isRefused() throws IOException {
    String text = Files.readString(file);
    for (int k = text.indexOf('\n') + 1; k < text.length() - 1; k += 499) {
      char other = text.charAt(k) == '1' ? '2' : '1';
      Files.writeString(file, text.substring(0, k) + other + text.substring(k + 1));
      assertRefused(matrices, OPTIONS, "plan again and save anew");
    }
  }

  @Test
  void read_anotherFile_isRefused() throws IOException {
    Files.writeString(file, "hello\n");
    assertRefused(matrices, OPTIONS, "not a plan file");
  }

  @Test
  void read_everyTruncation_isRefused() throws IOException {
    String text = Files.readString(file);
    for (int length = text.length() - 1; length > 80; length -= 997) {
      Files.writeString(file, text.substring(0, length));
      PlanFile.PlanFileException e =
          assertThrows(
              PlanFile.PlanFileException.class, () -> PlanFile.read(file, matrices, OPTIONS));
      assertTrue(e.getMessage().contains("plan again and save anew"), e.getMessage());
    }
  }

  private void assertRefused(
      List<CorrelationMatrix> forMatrices, ReducerOptions options, String reason) {
    PlanFile.PlanFileException e =
        assertThrows(
            PlanFile.PlanFileException.class, () -> PlanFile.read(file, forMatrices, options));
    assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void sparseFileOfThreeGigabytes_isRefusedUnread() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    assertEquals(file + ": is larger than 1 GiB, as no plan is", refusal());
    Files.delete(file);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 20);
    }
    assertEquals(file + ": not a plan file of Starling", refusal());
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(PlanFile.PlanFileException.class, () -> PlanFile.read(file, matrices, OPTIONS))
            .getMessage());
  }
}
