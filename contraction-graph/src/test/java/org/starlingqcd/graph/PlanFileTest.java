package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
  private static final ReducerOptions OPTIONS = ReducerOptions.standard();

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");
  private List<CorrelationMatrix> matrices = List.of();
  private ContractionPlan plan = Reducer.reduce(new DiagramSet());

  @BeforeEach
  void write() throws IOException {
    matrices = List.of(displaced(), Channels.read("sigma"));
    plan = Reducer.reduce(WickContraction.contract(matrices), OPTIONS);
    file = folder.resolve("plan.txt");
    PlanFile.write(file, plan, OPTIONS);
  }

  private static CorrelationMatrix displaced() {
    Factor factor = new Bilinear("u", Gamma.g(3), "s", Momentum.ZERO, "nabla x");
    return new CorrelationMatrix(
        "displaced",
        List.of(new Operator("o", List.of(new Term(new Complex(0, 1.0 / 3), List.of(factor))))),
        Map.of("u", "light quark", "s", "strange"),
        false);
  }

  @Test
  void read_whatWasWritten_isEqual() throws IOException {
    assertEquals(plan, PlanFile.read(file, matrices, OPTIONS));
  }

  @Test
  void read_anotherDefinition_isRefused() {
    assertRefused(List.of(Channels.read("sigma")), OPTIONS, "made for another definition");
  }

  @Test
  void read_otherOptions_isRefused() {
    assertRefused(
        matrices, OPTIONS.withLabelsWithoutGamma5(Set.of("strange")), "with other options");
  }

  @Test
  void read_anotherVersion_isRefused() throws IOException {
    Files.writeString(
        file, Files.readString(file).replaceFirst("starling-plan 1", "starling-plan 2"));
    assertRefused(matrices, OPTIONS, "version 2 of the plan format; this program reads version 1");
  }

  @Test
  void read_anotherFile_isRefused() throws IOException {
    Files.writeString(file, "hello\n");
    assertRefused(matrices, OPTIONS, "not a plan file");
  }

  @Test
  void read_everyTruncation_isRefused() throws IOException {
    String text = Files.readString(file);
    for (int length = text.length() - 2; length > 80; length -= 997) {
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
}
