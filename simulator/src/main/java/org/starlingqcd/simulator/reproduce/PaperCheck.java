package org.starlingqcd.simulator.reproduce;

import java.util.List;

/**
 * Repeats the numbers of a paper. Implementations are found through {@link
 * java.util.ServiceLoader}: a public class with a public constructor without arguments, listed in
 * {@code META-INF/services}.
 */
public interface PaperCheck {
  /** The name a user types, see {@link PaperChecks#NAMES}. */
  String name();

  /** The paper, in one line. */
  String title();

  /** Runs the paper's workloads, in less than a minute without a GPU. */
  List<PaperRow> rows();
}
