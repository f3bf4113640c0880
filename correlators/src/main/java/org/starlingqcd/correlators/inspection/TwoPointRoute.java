package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Connected three-point functions from two-point functions alone: where each flavour has
 * perambulators of its own, {@code τ + ε Σ coefficient × τ_Γ}, the two-point function of the same
 * operators is a polynomial in ε, and its linear coefficient is the three-point function of a
 * current without change of flavour. A discrete Fourier transform over {@code ε = r e^{2πik/n}}
 * gives it exactly when n is larger than the degree, the number of quark lines.
 */
final class TwoPointRoute implements AutoCloseable {
  private final CurrentDefinition definition;
  private final DistillationData data;
  private final Map<String, String> labels;
  private final CorrelationMatrix matrix;
  private final List<Integer> separations;
  private final ContractionPlan plan;
  private final Device device;
  private final QueueExecutor executor;

  /** Two-point functions at a source. */
  record Bound(ExecutionQueue queue, PreparedQueue prepared, int source) {}

  /** Plans the two-point functions of a definition. */
  TwoPointRoute(CurrentDefinition definition, DistillationData data, List<Integer> separations) {
    this.definition = definition;
    this.data = data;
    this.separations = separations;
    labels = definition.quarkLabels();
    CorrelationMatrix twoPoint = definition.matrices().get(0);
    Map<String, String> own = new HashMap<>();
    labels.keySet().forEach(flavour -> own.put(flavour, flavour));
    matrix =
        new CorrelationMatrix(
            twoPoint.name(), twoPoint.operators(), twoPoint.sources(), own, false, null);
    boolean mixed = data.gammaBasis().mixesComponents();
    plan =
        Reducer.reduce(
            WickContraction.contract(List.of(matrix)),
            PlanSettings.defaults().reducerOptions(new DataTraits(labels.keySet(), mixed)));
    BackendProvider cpu = Backends.select("cpu", 0);
    long free = cpu.probe(0).devices().get(0).freeBytes();
    device = cpu.open(DeviceOptions.defaults());
    executor = QueueExecutor.open(device, MemHCOptions.ofBudget(free / 2));
  }

  /** Binds the two-point functions to a source. */
  Bound at(int source) {
    int n = data.header().eigenvectors();
    ExecutionQueue queue =
        TimeBinding.bind(
            plan,
            BoundTimes.of(data.header().temporalExtent(), source, separations),
            PlanSettings.defaults().queueOptions(Long.MAX_VALUE, n),
            QueueCost::of);
    return new Bound(queue, executor.prepare(queue, n), source);
  }

  /**
   * What the transform gives.
   *
   * @param twoPoint the two-point functions, {@code [separation][sink][source]}
   * @param linear the three-point functions of the same shape
   * @param noise by separation, the size of the numbers that {@code linear} is a difference of
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Values(double[] twoPoint, double[] linear, double[] noise) {}

  /**
   * The connected three-point functions of an insertion at a time.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when blocks are missing
   */
  Values of(Bound bound, Insertion insertion, int time) {
    data.check(inputs(bound.queue(), insertion, time));
    int points = 1 + (fields(matrix.operators()) + fields(matrix.sources())) / 2;
    double radius = 1 / insertion.terms().stream().mapToDouble(t -> t.coefficient().abs()).sum();
    double[] twoPoint = new double[0];
    double[] linear = new double[0];
    double[] noise = new double[separations.size()];
    for (int k = 0; k < points; k++) {
      double angle = 2 * Math.PI * k / points;
      Complex phase = new Complex(Math.cos(angle), Math.sin(angle));
      double[] ofParts =
          executor
              .run(
                  bound.prepared(),
                  new WithCurrent(insertion, time, phase.times(radius)),
                  ExecutionControl.NONE)
              .correlator(
                  0, matrix.operators().size(), matrix.sources().size(), separations.size());
      int extent = data.header().temporalExtent();
      int[] sinkTimes =
          separations.stream().mapToInt(dt -> (bound.source() + dt) % extent).toArray();
      double[] values =
          definition
              .sinkParts()
              .correlators(
                  ofParts,
                  definition.sourceParts(),
                  sinkTimes,
                  bound.source(),
                  false,
                  data::number);
      if (k == 0) {
        twoPoint = new double[values.length];
        linear = new double[values.length];
      }
      add(values, new Complex(1.0 / points, 0), twoPoint);
      add(values, phase.conjugate().times(1 / (points * radius)), linear);
      for (int at = 0; at < values.length; at++) {
        int d = at / (values.length / noise.length);
        noise[d] = Math.max(noise[d], Math.abs(values[at]) / radius);
      }
    }
    return new Values(twoPoint, linear, noise);
  }

  private static void add(double[] values, Complex factor, double[] sum) {
    for (int k = 0; k < values.length; k += 2) {
      sum[k] += factor.re() * values[k] - factor.im() * values[k + 1];
      sum[k + 1] += factor.re() * values[k + 1] + factor.im() * values[k];
    }
  }

  /** The largest number of quark fields that a term of some operators has. */
  private static int fields(List<Operator> operators) {
    return operators.stream()
        .flatMap(operator -> operator.terms().stream())
        .mapToInt(t -> t.factors().stream().mapToInt(f -> f instanceof Bilinear ? 2 : 3).sum())
        .max()
        .orElse(0);
  }

  private List<Input> inputs(ExecutionQueue queue, Insertion insertion, int time) {
    List<Input> inputs = new ArrayList<>();
    for (Input input : queue.inputs()) {
      if (input instanceof Input.Perambulator tau) {
        inputs.add(stored(tau));
        for (CurrentTerm term : terms(insertion, tau)) {
          inputs.add(stored(tau, term, time));
        }
      } else {
        inputs.add(input);
      }
    }
    return inputs;
  }

  private static List<CurrentTerm> terms(Insertion insertion, Input.Perambulator tau) {
    return insertion.terms().stream().filter(term -> term.bar().equals(tau.label())).toList();
  }

  private Input.Perambulator stored(Input.Perambulator tau) {
    return new Input.Perambulator(label(tau), tau.sinkTime(), tau.sourceTime());
  }

  private Input.Generalized stored(Input.Perambulator tau, CurrentTerm term, int time) {
    return new Input.Generalized(
        label(tau), label(tau), term.vertex(), tau.sinkTime(), time, tau.sourceTime());
  }

  private String label(Input.Perambulator tau) {
    return labels.getOrDefault(tau.label(), tau.label());
  }

  /** The data with {@code ε τ_Γ} added to perambulators, whose labels are flavours. */
  private final class WithCurrent implements InputBlocks {
    private final Insertion insertion;
    private final int time;
    private final Complex epsilon;

    WithCurrent(Insertion insertion, int time, Complex epsilon) {
      this.insertion = insertion;
      this.time = time;
      this.epsilon = epsilon;
    }

    @Override
    public void load(Input input, Rows rows, HostMemory target, long offset) {
      if (!(input instanceof Input.Perambulator tau)) {
        data.load(input, rows, target, offset);
        return;
      }
      data.load(stored(tau), rows, target, offset);
      int length = (int) (2 * TensorShape.mesonNode(data.header().eigenvectors()).size());
      double[] sum = new double[length];
      target.get(offset / Double.BYTES, sum, 0, length);
      double[] values = new double[length];
      try (HostMemory block = HostMemory.allocate((long) length * Double.BYTES)) {
        for (CurrentTerm term : terms(insertion, tau)) {
          data.load(stored(tau, term, time), block, 0);
          block.get(0, values, 0, length);
          add(values, term.coefficient().times(epsilon), sum);
        }
      }
      target.put(offset / Double.BYTES, sum, 0, length);
    }

    @Override
    public double @Nullable [][] weights(Input input) {
      return data.weights(input);
    }

    @Override
    public GammaBasis gammaBasis() {
      return data.gammaBasis();
    }
  }

  @Override
  public void close() {
    executor.close();
    device.close();
  }
}
