package org.starlingqcd.memhc.access;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The order of accesses, known in advance: steps (contractions) with their inputs and outputs,
 * grouped into vectors. It determines the next use of every element and which elements are dead.
 * Immutable and without data, so one queue serves every configuration; about 16 bytes per access
 * and 9 per step.
 */
public final class AccessQueue {
  /** The next use of an element that no later step uses and that is not kept. */
  public static final int NEVER = Integer.MAX_VALUE;

  private final int[] stepStart;
  private final int[] outputStart;
  private final int[] access;
  private final int[] nextUse;
  private final int[] usesLeft;
  private final int[] vectorStart;
  private final byte[] kind;
  private final long[] flops;
  private final BitSet overwriting;
  private final BitSet kept;
  private final BitSet repeatable;
  private final int[] maker;
  private final int elements;

  private AccessQueue(Builder builder) {
    int steps = builder.steps;
    if (builder.end != builder.stepStart[steps]) {
      throw new IllegalStateException("the last step is not ended: accesses=" + builder.end);
    }
    stepStart = Arrays.copyOf(builder.stepStart, steps + 1);
    outputStart = Arrays.copyOf(builder.outputStart, steps);
    access = Arrays.copyOf(builder.access, stepStart[steps]);
    if (builder.vectorStart[builder.vectors] != steps) {
      builder.endVector();
    }
    vectorStart = Arrays.copyOf(builder.vectorStart, builder.vectors + 1);
    kind = Arrays.copyOf(builder.kind, steps);
    flops = Arrays.copyOf(builder.flops, steps);
    overwriting = (BitSet) builder.overwriting.clone();
    kept = (BitSet) builder.kept.clone();
    repeatable = (BitSet) builder.repeatable.clone();
    int highest = kept.length() - 1;
    for (int element : access) {
      highest = Math.max(highest, element);
    }
    elements = highest + 1;
    maker = makers();
    nextUse = new int[access.length];
    usesLeft = new int[access.length];
    int[] uses = new int[elements];
    int[] next = new int[elements];
    Arrays.fill(next, NEVER);
    kept.stream().forEach(element -> next[element] = steps);
    for (int step = steps - 1; step >= 0; step--) {
      for (int k = stepStart[step]; k < stepStart[step + 1]; k++) {
        nextUse[k] = next[access[k]];
      }
      for (int k = stepStart[step]; k < stepStart[step + 1]; k++) {
        uses[access[k]] += next[access[k]] == step ? 0 : 1;
        next[access[k]] = step;
        usesLeft[k] = uses[access[k]];
      }
    }
  }

  /** The only writer of each element that may run again; -1 where there is none. */
  private int[] makers() {
    int[] found = new int[elements];
    Arrays.fill(found, -1);
    BitSet written = new BitSet();
    for (int step = 0; step < steps(); step++) {
      for (int k = outputStart[step]; k < stepStart[step + 1]; k++) {
        boolean alone = repeatable.get(step) && stepStart[step + 1] - outputStart[step] == 1;
        found[access[k]] = alone && !written.get(access[k]) && !kept.get(access[k]) ? step : -1;
        written.set(access[k]);
      }
    }
    return found;
  }

  /** Starts an empty queue. */
  public static Builder builder() {
    return new Builder();
  }

  /** Number of steps. */
  public int steps() {
    return outputStart.length;
  }

  /** Number of accesses of all steps together. */
  public int accesses() {
    return access.length;
  }

  /** One more than the highest element named. */
  public int elements() {
    return elements;
  }

  /** Number of vectors. */
  public int vectors() {
    return vectorStart.length - 1;
  }

  /** The first step of vector {@code vector}; that of {@link #vectors} is {@link #steps}. */
  public int vectorStart(int vector) {
    return vectorStart[vector];
  }

  /**
   * The first access of step {@code step}, inputs before outputs; that of {@link #steps} is {@link
   * #accesses}.
   */
  public int firstAccess(int step) {
    return stepStart[step];
  }

  /** The first access of step {@code step} that is an output. */
  public int firstOutput(int step) {
    return outputStart[step];
  }

  /** The element of access {@code k}. */
  public int element(int k) {
    return access[k];
  }

  /**
   * The next step after access {@code k} that uses the same element; {@link #steps} if the element
   * is only kept, {@link #NEVER} if it is dead.
   */
  public int nextUse(int k) {
    return nextUse[k];
  }

  /** Number of steps that use the element of access {@code k}, from the step of {@code k} on. */
  public int usesLeft(int k) {
    return usesLeft[k];
  }

  /** What step {@code step} computes. */
  public StepKind kind(int step) {
    return StepKind.of(kind[step]);
  }

  /** Floating-point operations of step {@code step}; 0 if they are not known. */
  public long flops(int step) {
    return flops[step];
  }

  /** Floating-point operations of all steps together. */
  public double flops() {
    return Arrays.stream(flops).asDoubleStream().sum();
  }

  /**
   * Whether step {@code step} overwrites its outputs, so that values they have are not needed.
   * Other steps add to an output that has a value.
   */
  public boolean overwrites(int step) {
    return overwriting.get(step);
  }

  /** Whether step {@code step} may run again, see {@link Builder#repeatable}. */
  public boolean isRepeatable(int step) {
    return repeatable.get(step);
  }

  /**
   * The step that makes an element again when it runs again with the same inputs; -1 if there is
   * none, the element has several writers, or it is kept.
   */
  public int maker(int element) {
    return maker[element];
  }

  /** The inputs of step {@code step}, in their order. */
  public int[] inputs(int step) {
    return Arrays.copyOfRange(access, stepStart[step], outputStart[step]);
  }

  /** Whether any step overwrites its outputs. */
  public boolean overwrites() {
    return !overwriting.isEmpty();
  }

  /** Whether the element is kept at the end of the queue. */
  public boolean isKept(int element) {
    return kept.get(element);
  }

  /** The elements kept at the end of the queue, sorted. */
  public int[] kept() {
    return kept.stream().toArray();
  }

  /** The step that uses each element first, or {@link #NEVER}; O(accesses). */
  public int[] firstUses() {
    int[] first = new int[elements];
    Arrays.fill(first, NEVER);
    kept.stream().forEach(element -> first[element] = steps());
    for (int step = steps() - 1; step >= 0; step--) {
      for (int k = stepStart[step]; k < stepStart[step + 1]; k++) {
        first[access[k]] = step;
      }
    }
    return first;
  }

  /** Collects the steps of a queue in the order in which they run. */
  public static final class Builder {
    private int[] stepStart = new int[64];
    private int[] outputStart = new int[64];
    private int[] access = new int[256];
    private int[] vectorStart = new int[16];
    private byte[] kind = new byte[64];
    private long[] flops = new long[64];
    private final BitSet overwriting = new BitSet();
    private final BitSet kept = new BitSet();
    private final BitSet repeatable = new BitSet();
    private int end;
    private int steps;
    private int vectors;

    private Builder() {}

    /** Adds a step that reads {@code inputs} and writes or adds to {@code outputs}. */
    public Builder step(int[] inputs, int[] outputs) {
      return step(inputs, inputs.length, outputs, outputs.length);
    }

    /** Adds a step of the first {@code nIn} inputs and the first {@code nOut} outputs. */
    public Builder step(int[] inputs, int nIn, int[] outputs, int nOut) {
      for (int k = 0; k < nIn; k++) {
        access(inputs[k]);
      }
      for (int k = 0; k < nOut; k++) {
        access(outputs[k]);
      }
      return endStep(nIn);
    }

    /** Says what the last step computes, with how many floating-point operations. */
    public Builder work(StepKind newKind, long newFlops) {
      if (steps == 0 || newFlops < 0) {
        throw new IllegalArgumentException(
            "must follow a step: steps=" + steps + "; must be >= 0: flops=" + newFlops);
      }
      if (steps > kind.length) {
        kind = Arrays.copyOf(kind, 2 * steps);
        flops = Arrays.copyOf(flops, 2 * steps);
      }
      kind[steps - 1] = (byte) newKind.code();
      flops[steps - 1] = newFlops;
      return this;
    }

    /** Says that the last step overwrites its outputs instead of adding to them. */
    public Builder overwriting() {
      overwriting.set(steps - 1);
      return this;
    }

    /** Says that the last step may run again to make its only output again. */
    public Builder repeatable() {
      repeatable.set(steps - 1);
      return this;
    }

    /** Adds one access to the step that the next {@link #endStep} ends. */
    void access(int element) {
      if (end == access.length) {
        access = Arrays.copyOf(access, 2 * end);
      }
      access[end++] = checked(element);
    }

    /** Ends the step of the accesses added since the last; the first {@code nIn} are inputs. */
    Builder endStep(int nIn) {
      if (steps + 2 > stepStart.length) {
        stepStart = Arrays.copyOf(stepStart, 2 * stepStart.length);
        outputStart = Arrays.copyOf(outputStart, 2 * outputStart.length);
      }
      outputStart[steps] = stepStart[steps] + nIn;
      stepStart[++steps] = end;
      return this;
    }

    /** Ends the vector of the steps added since the last call. */
    public Builder endVector() {
      if (vectors + 2 > vectorStart.length) {
        vectorStart = Arrays.copyOf(vectorStart, 2 * vectorStart.length);
      }
      vectorStart[++vectors] = steps;
      return this;
    }

    /** Keeps an element at the end of the queue. */
    public Builder keep(int element) {
      kept.set(checked(element));
      return this;
    }

    /** Makes the queue; O(accesses). */
    public AccessQueue build() {
      return new AccessQueue(this);
    }

    private static int checked(int element) {
      if (element < 0) {
        throw new IllegalArgumentException("must be >= 0: element=" + element);
      }
      return element;
    }
  }
}
