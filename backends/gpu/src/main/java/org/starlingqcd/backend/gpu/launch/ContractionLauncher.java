package org.starlingqcd.backend.gpu.launch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Turns a vector pair into launches. Every contraction becomes the few products of its {@link
 * FusedMapping}, and products of equal shape and factor are launched together across contractions.
 *
 * <p>Device matrices are row-major and BLAS is column-major, so {@code C = A · B} is computed as
 * {@code Cᵀ = Bᵀ · Aᵀ}: the right input comes first, m is the number of its columns and n the
 * number of rows of the left.
 */
public final class ContractionLauncher {
  /** Most plans that are kept; a run has a few hundred pairs of gamma matrices at most. */
  private static final int MOST_PLANS = 4096;

  private final ElementAccess device;
  private final LaunchQueue queue;
  private final Map<PlanKey, Plan> plans = new HashMap<>();

  /** Everything that determines a contraction's products, except the addresses. */
  private record PlanKey(
      BatchSpinMapping mapping,
      ElementLayout left,
      ElementLayout right,
      ElementLayout destination,
      int rows,
      int columns,
      int inner,
      double coefficientRe,
      double coefficientIm,
      boolean adds) {
    /** Equality, without the way through a record's general method. */
    boolean isSame(PlanKey other) {
      return Objects.equals(mapping, other.mapping)
          && adds == other.adds
          && coefficientRe == other.coefficientRe
          && coefficientIm == other.coefficientIm
          && rows == other.rows
          && columns == other.columns
          && inner == other.inner
          && left.isSame(other.left)
          && right.isSame(other.right)
          && destination.isSame(other.destination);
    }
  }

  /**
   * Products of a contraction; {@code products[t]} belongs to tile t. Equal products are one
   * object.
   */
  private record Plan(FusedMapping mapping, List<MatrixProduct> products) {}

  private static final Plan NOTHING = new Plan(new FusedMapping(List.of(), 0), List.of());

  public ContractionLauncher(
      ElementAccess device, GpuLibrary library, StagingRing staging, Workspace scratch) {
    this.device = device;
    this.queue = new LaunchQueue(library, staging, scratch);
  }

  /** Launches the batch and returns the number of launches, which tests check. */
  public int contract(ContractionBatch batch, GpuStream stream) {
    queue.begin(stream);
    int rows = batch.rows();
    int columns = batch.columns();
    int inner = batch.inner();
    @Nullable PlanKey latestKey = null;
    Plan latest = NOTHING;
    @Nullable GpuMemory previous = null;
    int firstRound = 0;
    for (int k = 0; k < batch.size(); k++) {
      ContractionBatch.Entry given = batch.get(k);
      BatchSpinMapping mapping = given.mapping();
      GpuMemory left = device.use("left", given.left(), mapping.leftSpins(), rows, inner, stream);
      GpuMemory right =
          device.use("right", given.right(), mapping.rightSpins(), inner, columns, stream);
      GpuMemory target =
          device.use(
              "destination",
              given.destination(),
              mapping.destinationSpins(),
              rows,
              columns,
              stream);
      boolean adds = given.accumulates();
      ElementLayout usual = layout(mapping.destinationSpins(), rows, columns);
      ElementLayout targetLayout = adds || target.isComposed() ? target.layoutOr(usual) : usual;
      checkSquare("destination", targetLayout, rows, columns);
      ElementLayout leftLayout = left.layoutOr(layout(mapping.leftSpins(), rows, inner));
      ElementLayout rightLayout = right.layoutOr(layout(mapping.rightSpins(), inner, columns));
      checkSquare("left", leftLayout, rows, inner);
      checkSquare("right", rightLayout, inner, columns);
      boolean uncovered = !adds && !mapping.coversDestination();
      if (uncovered) {
        device.clear(target, stream);
      }
      PlanKey key =
          new PlanKey(
              mapping,
              leftLayout,
              rightLayout,
              targetLayout,
              rows,
              columns,
              inner,
              given.coefficientRe(),
              given.coefficientIm(),
              adds || uncovered);
      Plan plan = latestKey != null && key.isSame(latestKey) ? latest : plan(key);
      latestKey = key;
      latest = plan;
      if (target != previous) {
        firstRound = 0;
      }
      List<FusedMapping.Tile> tiles = plan.mapping.tiles();
      for (int t = 0; t < tiles.size(); t++) {
        FusedMapping.Tile tile = tiles.get(t);
        queue.add(
            firstRound + tile.round(),
            plan.products.get(t),
            right.address(tile.rightSpin(), rightLayout, inner, columns),
            left.address(tile.leftSpin(), leftLayout, rows, inner),
            target.address(tile.destinationSpin(), targetLayout, rows, columns));
      }
      firstRound += plan.mapping.rounds();
      target.written(targetLayout);
      previous = target;
    }
    queue.flush();
    return queue.launches();
  }

  private static ElementLayout layout(int spins, int height, int width) {
    return height == width ? ElementLayout.square(spins) : ElementLayout.packed(spins);
  }

  private static void checkSquare(String what, ElementLayout layout, int height, int width) {
    if (layout.columns() > 1 && height != width) {
      throw new IllegalArgumentException(
          "%s holds square matrices and is used as %s of %s x %s"
              .formatted(what, layout.spins(), height, width));
    }
  }

  private Plan plan(PlanKey key) {
    Plan plan = plans.get(key);
    if (plan == null) {
      if (plans.size() == MOST_PLANS) {
        plans.clear();
      }
      FusedMapping fused = FusedMapping.of(key.mapping, key.left, key.right, key.destination);
      Map<MatrixProduct, MatrixProduct> distinct = new HashMap<>();
      plan =
          new Plan(
              fused,
              fused.tiles().stream()
                  .map(tile -> distinct.computeIfAbsent(product(key, tile), product -> product))
                  .toList());
      plans.put(key, plan);
    }
    return plan;
  }

  private MatrixProduct product(PlanKey key, FusedMapping.Tile tile) {
    return new MatrixProduct(
        false,
        tile.width() * key.columns,
        tile.height() * key.rows,
        tile.inner() * key.inner,
        key.right.leadingDimension(key.columns),
        key.left.leadingDimension(key.inner),
        key.destination.leadingDimension(key.columns),
        tile.factorRe() * key.coefficientRe - tile.factorIm() * key.coefficientIm,
        tile.factorRe() * key.coefficientIm + tile.factorIm() * key.coefficientRe,
        tile.round() > 0 || key.adds ? 1 : 0,
        device.precision());
  }

  /** Size of an operand in bytes, for checks. */
  public static long bytes(int spins, int height, int width, Precision precision) {
    return Math.multiplyExact(
        (long) precision.complexBytes() * spins, Math.multiplyExact((long) height, width));
  }
}
