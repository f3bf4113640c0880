package org.starlingqcd.correlators.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.wick.WickContraction;

/**
 * The contraction of several definitions, for plans of all of them together and of each alone. That
 * of all together contains that of the first alone, which is not made again. The diagrams of any
 * other would come out in another order, and the plan of a definition is the same wherever it is
 * made.
 */
public final class JointContraction {
  private final List<AnyDefinition> definitions;
  private @Nullable WickContraction contraction;
  private boolean allMade;
  private boolean firstMade;

  public JointContraction(List<? extends AnyDefinition> definitions) {
    this.definitions = List.copyOf(definitions);
  }

  private synchronized WickContraction contraction() {
    if (contraction == null) {
      contraction = BoundQueue.contraction(BoundQueue.matrices(definitions));
    }
    return contraction;
  }

  /** The diagrams of all definitions. */
  public DiagramSet diagrams() {
    DiagramSet all = contraction().diagrams();
    made(true);
    return all;
  }

  private DiagramSet firstDiagrams() {
    DiagramSet first = contraction().firstDiagrams();
    made(false);
    return first;
  }

  /** Lets go of the contraction, which is as large as the diagrams, once both sets are made. */
  private synchronized void made(boolean all) {
    allMade |= all;
    firstMade |= !all;
    if (allMade && (firstMade || definitions.size() == 1)) {
      contraction = null;
    }
  }

  /** The diagrams of one definition, given by its place among them. */
  public DiagramSet diagrams(int place) {
    return place == 0 && definitions.get(0).matrices().size() == 1
        ? firstDiagrams()
        : BoundQueue.diagrams(definitions.get(place).matrices());
  }
}
