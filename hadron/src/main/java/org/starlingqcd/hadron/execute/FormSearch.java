package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Build;
import org.starlingqcd.graph.schedule.ExecutionQueue.Intermediate;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;
import org.starlingqcd.graph.schedule.ExecutionQueue.Node;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;

/**
 * Chooses the gamma matrices of {@link NodeForms} by a model of memory traffic. It depends on the
 * queue alone, and so do the bits of results.
 *
 * <p>A product of two elements whose brackets are 1 is one product of 4N × 4N matrices and moves
 * three elements between the device's memory and its processors. Otherwise the bracket before the
 * left factor cuts it into r parts along the rows of the result, and that before the right factor
 * into c parts along the sum. Then it moves r + 2c elements, since each of r parts reads the right
 * factor, and each of c parts after the first reads and writes the result again. A copy moves two.
 *
 * <p>Elements that are the left factor and the result of a product form a chain, which begins with
 * one matrix. Then the search goes through the elements and gives each the matrix that is cheapest
 * while the others stay, until nothing changes. Among equally cheap ones it takes the matrix that
 * most products of the queue have before their right factor, so that blocks of traces stay whole.
 */
public final class FormSearch {
  private static final int MASKS = 16;
  private static final int UNIT = Gamma.ONE.mask();

  /** Elements that a copy moves. */
  private static final int COPY = 2;

  /** Each round lowers the cost; two or three suffice in practice. */
  private static final int MOST_ROUNDS = 20;

  private final int[] masks;
  private final boolean[] fixed;
  private final List<Multiply> products = new ArrayList<>();

  /** For each element, how many products have it on the right, by the gamma matrix before it. */
  private final Map<Integer, int[]> uses = new TreeMap<>();

  /** The products of which an element is the left factor or the result. */
  private final Map<Integer, List<Multiply>> links = new TreeMap<>();

  private final int[] order;

  private FormSearch(ExecutionQueue queue) {
    masks = new int[queue.elements().size()];
    fixed = new boolean[masks.length];
    for (int e = 0; e < masks.length; e++) {
      ExecutionQueue.Element element = queue.elements().get(e);
      fixed[e] = !(element instanceof Node || element instanceof Intermediate);
    }
    int[] count = new int[MASKS];
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof Multiply product) {
          products.add(product);
          count[product.innerGamma()]++;
          uses.computeIfAbsent(product.right(), e -> new int[MASKS])[product.innerGamma()]++;
          links.computeIfAbsent(product.left(), e -> new ArrayList<>()).add(product);
          links.computeIfAbsent(product.destination(), e -> new ArrayList<>()).add(product);
        } else if (!(step instanceof Build || step instanceof Traces)) {
          step.forEachInput(e -> fixed[e] = true);
          fixed[step.destination()] = true;
        }
      }
    }
    order =
        IntStream.range(0, MASKS)
            .boxed()
            .sorted((a, b) -> Integer.compare(count[b], count[a]))
            .mapToInt(mask -> mask)
            .toArray();
  }

  /**
   * Chooses for a queue. Inputs, and elements that contractions of baryons read or write, are kept
   * as they are. O(16 · products) for each of a few rounds.
   */
  public static NodeForms of(ExecutionQueue queue) {
    FormSearch search = new FormSearch(queue);
    search.start();
    search.improve();
    return new NodeForms(search.masks, search.copies());
  }

  /** Gives every chain the matrix that is best for the products with its elements on the right. */
  private void start() {
    int[] root = IntStream.range(0, masks.length).toArray();
    int[] offset = new int[masks.length];
    for (Multiply product : products) {
      int left = root(product.left(), root, offset);
      int made = root(product.destination(), root, offset);
      if (left != made) {
        // F_D = F_X L⁻¹ up to a phase, that is, the exclusive or of the masks.
        root[made] = left;
        offset[made] = offset[product.left()] ^ product.leftGamma() ^ offset[product.destination()];
      }
    }
    Map<Integer, List<Integer>> chains = new TreeMap<>();
    for (int e = 0; e < masks.length; e++) {
      chains.computeIfAbsent(root(e, root, offset), key -> new ArrayList<>()).add(e);
    }
    for (List<Integer> chain : chains.values()) {
      int[] cost = new int[MASKS];
      for (int e : chain) {
        for (int mask = 0; mask < MASKS; mask++) {
          cost[mask] += costOfUses(e, mask ^ offset[e]);
        }
      }
      int best = best(cost);
      for (int e : chain) {
        best = fixed[e] ? UNIT ^ offset[e] : best;
      }
      for (int e : chain) {
        masks[e] = fixed[e] ? UNIT : best ^ offset[e];
      }
    }
  }

  /** The root of an element's chain; afterwards its offset is relative to the root. */
  private static int root(int element, int[] root, int[] offset) {
    int found = element;
    int sum = 0;
    while (root[found] != found) {
      sum ^= offset[found];
      found = root[found];
    }
    if (found != element) {
      root[element] = found;
      offset[element] = sum;
    }
    return found;
  }

  private void improve() {
    boolean changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (Map.Entry<Integer, List<Multiply>> entry : links.entrySet()) {
        changed |= !fixed[entry.getKey()] && improve(entry.getKey(), entry.getValue());
      }
    }
  }

  private boolean improve(int element, List<Multiply> linked) {
    int before = masks[element];
    int[] cost = new int[MASKS];
    for (int mask = 0; mask < MASKS; mask++) {
      masks[element] = mask;
      cost[mask] = costOfUses(element, mask);
      for (Multiply product : linked) {
        int left = masks[product.destination()] ^ product.leftGamma() ^ masks[product.left()];
        cost[mask] += SpinMappings.parts(left) - 1;
      }
    }
    int best = best(cost);
    masks[element] = cost[best] < cost[before] ? best : before;
    return masks[element] != before;
  }

  private int best(int[] cost) {
    int best = order[0];
    for (int mask : order) {
      best = cost[mask] < cost[best] ? mask : best;
    }
    return best;
  }

  /** What the products with an element on the right move more than if each were one. */
  private int costOfUses(int element, int mask) {
    int cost = 0;
    int[] count = uses.get(element);
    for (int inner = 0; count != null && inner < MASKS; inner++) {
      cost += Math.min(COPY, costOfParts(count[inner], inner, mask));
    }
    return cost;
  }

  private static int costOfParts(int count, int inner, int mask) {
    return 2 * count * (SpinMappings.parts(inner ^ mask) - 1);
  }

  private Set<NodeForms.Copy> copies() {
    Set<NodeForms.Copy> copies = new HashSet<>();
    uses.forEach(
        (element, count) -> {
          for (int inner = 0; inner < MASKS; inner++) {
            if (costOfParts(count[inner], inner, masks[element]) > COPY) {
              copies.add(new NodeForms.Copy(element, inner));
            }
          }
        });
    return copies;
  }
}
