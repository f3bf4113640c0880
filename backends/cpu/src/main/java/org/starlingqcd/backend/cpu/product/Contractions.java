package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.KernelChoice.Form;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Contractions of one vector pair with the same layouts and the same kernel. They are resolved to
 * addresses when they are put into a stream, so that the caller may reuse its batch.
 *
 * <p>They are cut into waves, which run one after the other, so that the prepared inputs of a wave
 * fit into bounded memory. A wave consists of groups. The contractions of a group add into the same
 * destination one after the other, and a thread runs them in order for its part of the destination.
 * Threads synchronize twice in a wave and never for a single product.
 */
public final class Contractions implements Runnable {
  /** Bound on the prepared inputs of a wave, unless a single contraction needs more. */
  private static final long PREPARED_BYTES = 256L << 20;

  /** Least share of the time in which all threads have work. */
  private static final double EVEN = 0.95;

  private final int end;

  /** Bytes of a real number. */
  final int bytes;

  private final Form form;
  final Blocking blocking;
  private final Contraction[] all;
  private final Scheme scheme;
  private final Team team;
  private final List<Wave> waves = new ArrayList<>();

  /** One contraction, resolved to addresses of the spin components. */
  static final class Contraction {
    final MappingPlan plan;
    final CpuMemory leftMemory;
    final CpuMemory rightMemory;
    final CpuMemory target;
    final long[] left;
    final long[] right;
    final long[] destination;
    final double coefficientRe;
    final double coefficientIm;
    final boolean accumulates;

    /** The contractions that are computed together with this one, at least itself. */
    SharedOperandGroup bundle;

    /** Numbers before the prepared inputs. */
    private long leftPrepared;

    private long rightPrepared;

    private Contraction(
        ContractionBatch.Entry given,
        int bytes,
        Blocking blocking,
        ElementAccess device,
        Map<BatchSpinMapping, MappingPlan> plans) {
      plan = plans.computeIfAbsent(given.mapping(), MappingPlan::new);
      BatchSpinMapping mapping = plan.mapping;
      leftMemory = device.own(given.left());
      rightMemory = device.own(given.right());
      target = device.own(given.destination());
      left = leftMemory.spinAddresses(mapping.leftSpins(), 2L * bytes * blocking.left.size());
      right = rightMemory.spinAddresses(mapping.rightSpins(), 2L * bytes * blocking.right.size());
      destination =
          target.spinAddresses(
              mapping.destinationSpins(), 2L * bytes * blocking.destination.size());
      coefficientRe = given.coefficientRe();
      coefficientIm = given.coefficientIm();
      accumulates = given.accumulates();
      bundle = new SharedOperandGroup(List.of(this), true);
      if (accumulates && !target.tiling().sameNumbers(blocking.destination.tiling)) {
        throw new IllegalArgumentException(
            "accumulates into an element of another layout: is=%s adds=%s"
                .formatted(target.tiling(), blocking.destination.tiling));
      }
      target.tiling(blocking.destination.tiling);
    }

    /** The plan of a contraction that is a product of matrices of spins. */
    FusedPlan fused() {
      return Objects.requireNonNull(plan.fused);
    }

    /** Whether the coefficient and all factors are real. */
    boolean isReal() {
      return plan.real && coefficientIm == 0;
    }

    /** Real part of coefficient times factor of entry {@code b}. */
    double factorRe(int b) {
      return coefficientRe * plan.mapping.factorRe(b) - coefficientIm * plan.mapping.factorIm(b);
    }

    /** Imaginary part of coefficient times factor of entry {@code b}. */
    double factorIm(int b) {
      return coefficientRe * plan.mapping.factorIm(b) + coefficientIm * plan.mapping.factorRe(b);
    }
  }

  /** Contractions that add into one destination, cut into parts. */
  private record Group(List<Contraction> contractions, Scheme.Cut cut) {}

  /** A part of a group's destination. */
  private record Part(Group group, int number) {}

  /** Consecutive contractions with their prepared inputs. */
  private record Wave(List<Part> parts, Preparation preparation) {}

  private Contractions(
      ContractionBatch batch,
      int from,
      int end,
      Blocking blocking,
      ElementAccess device,
      Map<BatchSpinMapping, MappingPlan> plans,
      long preparedBytes) {
    this.end = end;
    this.blocking = blocking;
    bytes = device.precision().realBytes();
    team = device.team();
    all = new Contraction[end - from];
    for (int k = from; k < end; k++) {
      all[k - from] = new Contraction(batch.get(k), bytes, blocking, device, plans);
    }
    boolean three = device.choice(batch.inner()).threeProducts();
    Form chosen = device.choice(batch.inner()).form();
    boolean square = batch.rows() == batch.inner() && batch.columns() == batch.inner();
    form = chosen == Form.ZGEMM && !square ? Form.TILES : chosen;
    scheme =
        switch (form) {
          case TILES -> new Tiles(this, three);
          case ZGEMM -> new SingleProducts(this);
          case PACKED, STRASSEN -> new PackedProducts(this, three, form == Form.STRASSEN);
        };
    cutIntoWaves(preparedBytes);
  }

  /**
   * Takes the contractions of the batch from {@code from} on that share layouts and kernel, and
   * notes the layout of their destinations.
   *
   * @param plans of the mappings so far
   */
  public static Contractions of(
      ContractionBatch batch,
      int from,
      ElementAccess device,
      Map<BatchSpinMapping, MappingPlan> plans) {
    return of(batch, from, device, plans, PREPARED_BYTES);
  }

  /**
   * The same with another bound.
   *
   * @param preparedBytes bound on the prepared inputs of a wave
   */
  static Contractions of(
      ContractionBatch batch,
      int from,
      ElementAccess device,
      Map<BatchSpinMapping, MappingPlan> plans,
      long preparedBytes) {
    Tiling left = device.own(batch.get(from).left()).tiling();
    Tiling right = device.own(batch.get(from).right()).tiling();
    int end = from + 1;
    while (end < batch.size()
        && device.own(batch.get(end).left()).tiling().equals(left)
        && device.own(batch.get(end).right()).tiling().equals(right)) {
      end++;
    }
    Blocking blocking = new Blocking(batch.rows(), batch.columns(), batch.inner(), left, right);
    return new Contractions(batch, from, end, blocking, device, plans, preparedBytes);
  }

  private void cutIntoWaves(long preparedBytes) {
    Preparation preparation = new Preparation();
    List<List<Contraction>> groups = new ArrayList<>();
    @Nullable CpuMemory last = null;
    for (Contraction c : all) {
      Preparation.Ingredient left = scheme.left(c);
      Preparation.Ingredient right = scheme.right(c);
      long more = preparation.needed(left) + preparation.needed(right);
      if (more > 0 && bytes * (preparation.numbers() + more) > preparedBytes && !groups.isEmpty()) {
        waves.add(wave(groups, preparation));
        groups.clear();
        preparation = new Preparation();
      }
      c.leftPrepared = preparation.add(left);
      c.rightPrepared = preparation.add(right);
      if (groups.isEmpty() || c.target != last) {
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(c);
      last = c.target;
    }
    waves.add(wave(groups, preparation));
  }

  private Wave wave(List<List<Contraction>> groups, Preparation preparation) {
    // Two bundles for each thread, so that threads share the work evenly.
    int threads = team.size();
    int most = threads == 1 ? groups.size() : groups.size() / (2 * threads);
    List<Contraction> single =
        groups.stream().filter(group -> group.size() == 1).map(group -> group.get(0)).toList();
    SharedOperandGroup.fill(scheme, single, most);
    List<List<Contraction>> first =
        groups.stream().filter(group -> group.get(0).bundle.first() == group.get(0)).toList();
    int[] sizes =
        first.stream()
            .mapToInt(group -> Math.max(group.size(), group.get(0).bundle.contractions().size()))
            .toArray();
    int[] parts = parts(sizes, threads);
    List<Part> made = new ArrayList<>();
    for (int g = 0; g < sizes.length; g++) {
      Group group = new Group(first.get(g), scheme.cut(first.get(g), parts[g]));
      for (int part = 0; part < group.cut.parts(); part++) {
        made.add(new Part(group, part));
      }
    }
    return new Wave(made, preparation);
  }

  /**
   * Parts into which groups are cut, so that threads share the work evenly. They are as few as
   * possible, since every part packs its inputs again: where there are several groups for each
   * thread, only the last ones are cut, into parts of at most what is left to do for a thread, and
   * none if whole groups share the work evenly.
   *
   * @param sizes contractions of each group, in the order in which threads take them
   */
  static int[] parts(int[] sizes, int threads) {
    int[] parts = new int[sizes.length];
    if (sizes.length < 2 * threads) {
      Arrays.fill(parts, equalParts(sizes.length, threads));
    } else if (areEven(sizes, threads)) {
      Arrays.fill(parts, 1);
    } else {
      long left = 0;
      for (int g = sizes.length - 1; g >= 0; g--) {
        left += sizes[g];
        parts[g] = (int) (((long) sizes[g] * threads + left - 1) / left);
      }
    }
    return parts;
  }

  /** Whether threads end at about the same time if each takes the next whole group. */
  private static boolean areEven(int[] sizes, int threads) {
    long[] busy = new long[threads];
    long all = 0;
    for (int size : sizes) {
      all += size;
      int next = 0;
      for (int t = 1; t < threads; t++) {
        next = busy[t] < busy[next] ? t : next;
      }
      busy[next] += size;
    }
    Arrays.sort(busy);
    return all >= EVEN * busy[threads - 1] * threads;
  }

  /** Parts into which each of a few groups of about the same size is cut. */
  private static int equalParts(int groups, int threads) {
    if (threads == 1) {
      return 1;
    }
    int enough = (4 * threads + groups - 1) / groups;
    for (int parts = 1; parts <= Math.max(2, enough); parts++) {
      int all = groups * parts;
      int turns = (all + threads - 1) / threads;
      if (turns > 1 && all >= EVEN * turns * threads) {
        return parts;
      }
    }
    return enough;
  }

  /** Runs all waves. */
  @Override
  public void run() {
    for (Wave wave : waves) {
      // All threads read the prepared inputs.
      synchronized (team) {
        long needed = bytes * wave.preparation.numbers();
        // Reserves the most that any wave needs at once: memory that grows step by step would be
        // new to the process at every step, and pages cost nothing before they are written.
        long address =
            needed == 0 ? 0 : team.shared(Math.max(needed, PREPARED_BYTES) / Double.BYTES + 1);
        wave.preparation.run(team, address, bytes);
        team.run(wave.parts.size(), (part, own) -> run(wave.parts.get(part), address, own));
      }
    }
  }

  private void run(Part part, long prepared, Workspace workspace) {
    for (Contraction c : part.group.contractions) {
      long left = prepared + bytes * c.leftPrepared;
      long right = prepared + bytes * c.rightPrepared;
      part.group.cut.body().run(c, part.number, left, right, workspace);
    }
  }

  /** Number in the batch of the first contraction after these. */
  public int end() {
    return end;
  }

  /** The kind of products that computes them. */
  Form form() {
    return form;
  }
}
