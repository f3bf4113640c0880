package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.plan.TetraquarkPart.VertexSpin;
import org.starlingqcd.graph.schedule.ExecutionQueue.FormPairs;
import org.starlingqcd.graph.schedule.ExecutionQueue.OpenVertex;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.memhc.access.StepKind;

/**
 * A step of a tetraquark, which is launched alone.
 *
 * <p>Its spin matrices are those of the DeGrand-Rossi basis whatever the basis of the data is:
 * where C suits the data, D of both bases differ by a phase and D̄ by its conjugate, and every step
 * has one of each.
 *
 * @param inputs elements of MemHC
 * @param outputs elements of MemHC: what is made, and scratch memory
 * @param product the product that it is, which is launched with others like it; or null
 */
record LoneStep(
    List<Integer> inputs,
    List<Integer> outputs,
    StepKind kind,
    @Nullable Product product,
    Launch launch) {
  private static final int SPINS = SpinMatrix.SPINS;

  /** Puts the work into the device's compute stream. */
  interface Launch {
    void run(Device device, IntFunction<DeviceMemory> memory);
  }

  /**
   * A product of two inputs.
   *
   * @param adds whether it is added to what is there
   */
  record Product(int rows, int columns, int inner, BatchSpinMapping mapping, boolean adds) {}

  private static LoneStep of(
      List<Integer> inputs, List<Integer> outputs, StepKind kind, Launch launch) {
    return new LoneStep(inputs, outputs, kind, null, launch);
  }

  static LoneStep of(Product product, int left, int right, int to) {
    return new LoneStep(
        List.of(left, right), List.of(to), StepKind.PRODUCT, product, (device, memory) -> {});
  }

  /**
   * Whether another step is a like product with the same right input, so that one call makes both.
   */
  boolean joins(LoneStep other) {
    return product != null
        && product.equals(other.product)
        && inputs.get(1).equals(other.inputs.get(1));
  }

  /** Puts steps that join into the device's compute stream, or one step. */
  static void run(List<LoneStep> steps, Device device, IntFunction<DeviceMemory> memory) {
    Product p = steps.get(0).product;
    if (p == null) {
      steps.get(0).launch.run(device, memory);
      return;
    }
    ContractionBatch batch = new ContractionBatch(p.rows, p.columns, p.inner);
    for (LoneStep step : steps) {
      DeviceMemory left = memory.apply(step.inputs.get(0));
      DeviceMemory right = memory.apply(step.inputs.get(1));
      DeviceMemory to = memory.apply(step.outputs.get(0));
      batch.add(left, right, to, p.mapping, 1, 0, p.adds);
    }
    device.contract(batch, device.computeStream());
  }

  static LoneStep of(
      FormPairs step,
      List<Integer> lines,
      int to,
      int scratch,
      PairPacking rows,
      PairPacking columns) {
    LinePairSum sum = lines(step.diquark(), step.antidiquark());
    return of(
        lines,
        List.of(to, scratch),
        StepKind.PAIR,
        (device, memory) ->
            device.formPairs(
                memory.apply(lines.get(0)),
                memory.apply(lines.get(1)),
                sum,
                rows,
                columns,
                memory.apply(to),
                memory.apply(scratch),
                device.computeStream()));
  }

  /**
   * Work on the host.
   *
   * @param parts into which it is cut
   * @param inputs elements of MemHC
   * @param shape of an element of MemHC, whose rows have the given numbers, the last for {@code to}
   */
  static LoneStep onHost(
      int parts,
      RowWork work,
      List<Integer> inputs,
      int to,
      IntFunction<TensorShape> shape,
      int... columns) {
    return of(
        inputs,
        List.of(to),
        StepKind.PAIR,
        (device, memory) -> {
          List<RowWork.Operand> operands = new ArrayList<>();
          for (int k = 0; k < columns.length; k++) {
            int element = k < inputs.size() ? inputs.get(k) : to;
            operands.add(
                new RowWork.Operand(memory.apply(element), shape.apply(element), columns[k]));
          }
          device.onHost(operands, parts, work, device.computeStream());
        });
  }

  static LoneStep close(
      List<Integer> tetraquark, int line, int to, int scratch, PairPacking packing) {
    List<Integer> inputs = new ArrayList<>(tetraquark);
    inputs.add(line);
    return of(
        inputs,
        List.of(to, scratch),
        StepKind.PAIR,
        (device, memory) ->
            device.closePair(
                tetraquark.stream().map(memory::apply).toList(),
                memory.apply(line),
                packing,
                memory.apply(to),
                memory.apply(scratch),
                device.computeStream()));
  }

  static LoneStep of(OpenVertex step, int block, int to, int n) {
    SpinSumMapping mapping = vertex(step.terms());
    return of(
        List.of(block),
        List.of(to),
        StepKind.SUM,
        (device, memory) ->
            device.sumSpins(
                memory.apply(block), memory.apply(to), mapping, n, device.computeStream()));
  }

  /** {@code D = C Γ}. */
  static SpinMatrix diquark(int mask) {
    return GammaBasis.DEGRAND_ROSSI.matrix(GammaBasis.C.times(new Gamma(mask, 1)));
  }

  /** {@code D̄[α,β] = Σ D[α',β']* g4[α,α'] g4[β,β']}. */
  static SpinMatrix antidiquark(int mask) {
    SpinMatrix g4 = GammaBasis.DEGRAND_ROSSI.matrix(Gamma.G4);
    return g4.times(diquark(mask).adjoint().transposed()).times(g4.transposed());
  }

  /** {@code Σ D[γ,δ] D̄[γ',δ'] first[γ,γ'] ⊗ second[δ,δ']}. */
  static LinePairSum lines(int diquark, int antidiquark) {
    Entries sum = Entries.of(List.of(new VertexSpin(antidiquark, diquark, Complex.ONE)));
    // With the spins α, β of D̄ and γ, δ of D.
    return new LinePairSum(
        sum.places(spins -> SPINS * (spins >> 2 & 3) + (spins >> 6)),
        sum.places(spins -> SPINS * (spins & 3) + (spins >> 4 & 3)),
        sum.factors());
  }

  /** The node of a closed tetraquark. */
  private static SpinSumMapping vertex(List<VertexSpin> terms) {
    Entries sum = Entries.of(terms);
    return new SpinSumMapping(
        SPINS * SPINS,
        sum.places(spins -> SPINS * (spins & 3) + (spins >> 4 & 3)),
        sum.places(spins -> SPINS * (spins >> 6) + (spins >> 2 & 3)),
        sum.factors());
  }

  /** The entries of {@code Σ coefficient D̄[α,β] D[γ,δ]}, by {@code 64 α + 16 β + 4 γ + δ}. */
  private record Entries(Map<Integer, Complex> bySpins) {
    static Entries of(List<VertexSpin> terms) {
      Map<Integer, Complex> sum = new TreeMap<>();
      for (VertexSpin term : terms) {
        SpinMatrix bar = antidiquark(term.antidiquark());
        SpinMatrix quarks = diquark(term.diquark());
        for (int spins = 0; spins < SPINS * SPINS * SPINS * SPINS; spins++) {
          Complex factor =
              at(bar, spins >> 4).times(at(quarks, spins & 15)).times(term.coefficient());
          if (factor.abs() > 0) {
            sum.merge(spins, factor, Complex::plus);
          }
        }
      }
      sum.values().removeIf(factor -> factor.abs() == 0);
      return new Entries(sum);
    }

    int[] places(IntUnaryOperator place) {
      return bySpins.keySet().stream().mapToInt(Integer::intValue).map(place).toArray();
    }

    double[] factors() {
      return bySpins.values().stream()
          .flatMapToDouble(f -> DoubleStream.of(f.re(), f.im()))
          .toArray();
    }

    private static Complex at(SpinMatrix matrix, int spins) {
      return matrix.at(spins / SPINS, spins % SPINS);
    }
  }
}
