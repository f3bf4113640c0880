package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.plan.PlanDraft;

/**
 * How every class of cycles is evaluated: which products are made of which two factors, and the one
 * or two factors of each trace. Factors are letters, {@code 16 * sequence + gamma}: the gamma
 * stands before the sequence. A sequence of one letter is a node, a longer one a product.
 */
final class Reduction {
  private final CycleClasses classes;
  private final SequenceTable sequences;
  private final boolean endGammas;
  private int[] splitLeft = new int[256];
  private int[] splitRight = new int[256];
  private final int[] traceLeft;
  private final int[] traceRight;
  private final boolean[] traceReversed;
  private int[] scratch = new int[64];

  Reduction(CycleClasses classes, boolean endGammas) {
    this.classes = classes;
    this.endGammas = endGammas;
    sequences = new SequenceTable();
    Arrays.fill(splitLeft, -1);
    traceLeft = new int[classes.size()];
    traceRight = new int[classes.size()];
    traceReversed = new boolean[classes.size()];
    Arrays.fill(traceLeft, -1);
    Arrays.fill(traceRight, -1);
  }

  CycleClasses classes() {
    return classes;
  }

  SequenceTable sequences() {
    return sequences;
  }

  /** The letter of a single node of a cycle, whose own letter is {@code 16 * node + gamma}. */
  int nodeLetter(int letter) {
    scratch[0] = letter & ~15;
    return 16 * sequences.intern(scratch, 0, 1) + (letter & 15);
  }

  /** The letter of the product of two letters. */
  int productLetter(int left, int right) {
    int a = left >> 4;
    int b = right >> 4;
    int length = sequences.length(a) + sequences.length(b);
    if (scratch.length < length) {
      scratch = new int[2 * length];
    }
    int middle = sequences.copy(a, scratch, 0);
    sequences.copy(b, scratch, middle);
    scratch[middle] |= right & 15;
    return finish(left & 15, length);
  }

  /** The letter of {@code length} consecutive letters of a cycle from {@code start}, cyclically. */
  int intervalLetter(int[] word, int start, int length) {
    if (length == 1) {
      return nodeLetter(word[start]);
    }
    if (scratch.length < length) {
      scratch = new int[2 * length];
    }
    for (int k = 0; k < length; k++) {
      scratch[k] = word[(start + k) % word.length];
    }
    int gamma = scratch[0] & 15;
    scratch[0] &= ~15;
    return finish(gamma, length);
  }

  private int finish(int gamma, int length) {
    if (!endGammas) {
      scratch[0] |= gamma;
      return 16 * sequences.intern(scratch, 0, length);
    }
    return 16 * sequences.intern(scratch, 0, length) + gamma;
  }

  /** Whether a product has its factors. */
  boolean isMade(int sequence) {
    return sequence < splitLeft.length && splitLeft[sequence] >= 0;
  }

  void setSplit(int sequence, int left, int right) {
    if (sequence >= splitLeft.length) {
      int old = splitLeft.length;
      splitLeft = Arrays.copyOf(splitLeft, Math.max(sequence + 1, 2 * old));
      splitRight = Arrays.copyOf(splitRight, splitLeft.length);
      Arrays.fill(splitLeft, old, splitLeft.length, -1);
    }
    splitLeft[sequence] = left;
    splitRight[sequence] = right;
  }

  void clearSplit(int sequence) {
    splitLeft[sequence] = -1;
  }

  int splitLeft(int sequence) {
    return splitLeft[sequence];
  }

  int splitRight(int sequence) {
    return splitRight[sequence];
  }

  /** Evaluates a class by {@code Tr[left · right]}, or {@code Tr[left]} if right is negative. */
  void setTrace(int number, boolean reversed, int left, int right) {
    traceReversed[number] = reversed;
    traceLeft[number] = left;
    traceRight[number] = right;
  }

  boolean traceReversed(int number) {
    return traceReversed[number];
  }

  int traceLeft(int number) {
    return traceLeft[number];
  }

  int traceRight(int number) {
    return traceRight[number];
  }

  /** Whether a sequence has a current, which stands alone in its trace and is in no product. */
  boolean hasCurrent(int sequence) {
    for (int k = 0; classes.hasCurrents() && k < sequences.length(sequence); k++) {
      if (classes.nodes().get(sequences.letter(sequence, k) >> 4).isCurrent()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the last factor of a sequence is an elemental without a quark line. */
  boolean endsWithElemental(int sequence) {
    int last = sequences.letter(sequence, sequences.length(sequence) - 1);
    return classes.nodes().get(last >> 4).isElemental();
  }

  /** 0 for a product on the source alone, 1 on the sink alone, 2 for one on both. */
  int timeRank(int sequence) {
    int bits = 0;
    for (int k = 0; k < sequences.length(sequence); k++) {
      NodeRef node = classes.nodes().get(sequences.letter(sequence, k) >> 4);
      bits |= PlanDraft.bit(node.time()) | PlanDraft.bit(node.next());
    }
    return bits - 1;
  }

  private Reduction(Reduction other) {
    classes = other.classes;
    endGammas = other.endGammas;
    sequences = other.sequences;
    splitLeft = other.splitLeft.clone();
    splitRight = other.splitRight.clone();
    traceLeft = other.traceLeft.clone();
    traceRight = other.traceRight.clone();
    traceReversed = other.traceReversed.clone();
  }

  /**
   * Returns an independent copy. The two share their table of sequences, so two threads may change
   * them at the same time only if neither adds a sequence.
   */
  Reduction copy() {
    return new Reduction(this);
  }

  /** Copies another reduction of the same classes into this one. */
  void take(Reduction other) {
    splitLeft = other.splitLeft.clone();
    splitRight = other.splitRight.clone();
    System.arraycopy(other.traceLeft, 0, traceLeft, 0, traceLeft.length);
    System.arraycopy(other.traceRight, 0, traceRight, 0, traceRight.length);
    System.arraycopy(other.traceReversed, 0, traceReversed, 0, traceReversed.length);
  }
}
