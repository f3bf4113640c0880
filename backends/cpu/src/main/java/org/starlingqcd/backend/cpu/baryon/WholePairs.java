package org.starlingqcd.backend.cpu.baryon;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairContraction.Whole;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * All stages of a contraction of pairs of lines, one value of the open index after the other. The
 * attached sums for a value stay in the second-level cache until they are closed with everything.
 * Threads wait for each other only at the start and at the end.
 */
final class WholePairs implements Runnable {
  /** Most numbers of elementals that are packed, in three planes: 64 MiB. */
  private static final long MOST_PACKED = 1L << 23;

  /** Parts in which an elemental is packed. */
  private static final int PACK_PARTS = 4;

  private static final int PLANES = PairWorkspace.PLANES;

  private final PairContraction contraction;
  private final Team team;
  private final int n;
  private final long bytes;
  private final int square;
  private final int firstSpins;
  private final int[] placeOfSpin;
  private final long attached;
  private final List<LineRotation> rotations = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private final List<Pack> packs;

  /** Elementals at the other end, packed for all branches that close with them. */
  private static final class Pack {
    private final PairClosing closing;
    private final long[] others;
    private final int numbers;
    private PairClosing.Packed packed = new PairClosing.Packed(0, 0, 0, 0);

    Pack(PairClosing closing, long[] others, int numbers) {
      this.closing = closing;
      this.others = others;
      this.numbers = numbers;
    }
  }

  /** A second line with its attached sums and the elementals that close them. */
  private static final class Branch {
    private final SumEntries entries;
    private final Pack pack;
    private final long[] blocks;

    Branch(SumEntries entries, Pack pack, long[] blocks) {
      this.entries = entries;
      this.pack = pack;
      this.blocks = blocks;
    }

    /** Doubles of the sums with both lines attached, for a value of the open index. */
    long attached() {
      return (long) PLANES * entries.sums * pack.numbers;
    }
  }

  /** Resolves a contraction. */
  WholePairs(PairContraction contraction, Whole stage, ElementAccess device) {
    this.contraction = contraction;
    team = device.team();
    n = contraction.extent();
    square = n * n;
    firstSpins = contraction.firstSpins().size();
    placeOfSpin = PairWorkspace.places(contraction);
    bytes = contraction.precision().realBytes();
    long elemental = 2 * bytes * n * square;
    attached = device.own(stage.attached()).spinAddresses(1, elemental)[0];
    rotations.add(
        new LineRotation(contraction, device.own(stage.first()), contraction.sinkAttached(), true));
    Map<List<Object>, Pack> known = new LinkedHashMap<>();
    for (PairContraction.Branch branch : stage.branches()) {
      boolean half = branch.antisymmetric();
      Pack pack =
          known.computeIfAbsent(
              List.of(branch.others(), half),
              key ->
                  new Pack(
                      new PairClosing(contraction, half, false),
                      branch.others().stream()
                          .mapToLong(other -> device.own(other).spinAddresses(1, elemental)[0])
                          .toArray(),
                      PairClosing.numbers(n, half)));
      int sums = branch.sums().size();
      long[] blocks = new long[pack.others.length * sums];
      for (int k = 0; k < pack.others.length; k++) {
        CpuMemory block = device.own(branch.blocks().get(k));
        System.arraycopy(block.spinAddresses(sums, 2 * bytes * square), 0, blocks, k * sums, sums);
        block.tiling(Tiling.PLAIN);
      }
      rotations.add(
          new LineRotation(
              contraction, device.own(branch.second()), !contraction.sinkAttached(), true));
      branches.add(
          new Branch(new SumEntries(branch.sums(), n, contraction.precision()), pack, blocks));
    }
    packs = List.copyOf(known.values());
  }

  /** Whether this way is fast for the size of a contraction. */
  static boolean isFor(PairContraction contraction, Whole stage) {
    long numbers = 0;
    for (PairContraction.Branch branch : stage.branches()) {
      int ofRow = PairClosing.numbers(contraction.extent(), branch.antisymmetric());
      if (ofRow == 0) {
        return false;
      }
      numbers += (long) PLANES * ofRow * contraction.extent() * branch.others().size();
    }
    return numbers <= MOST_PACKED;
  }

  @Override
  public void run() {
    long line = bytes * PLANES * LineRotation.SPINS * square;
    long doubles = (1 + branches.size()) * line / bytes;
    for (Branch branch : branches) {
      doubles += branch.entries.memory();
    }
    for (Pack pack : packs) {
      doubles += (long) PLANES * pack.others.length * n * pack.numbers;
    }
    // All threads read the prepared lines and elementals.
    synchronized (team) {
      long lines = team.shared(doubles);
      long next = lines + (1 + branches.size()) * line;
      long[] scaled = new long[branches.size()];
      for (int b = 0; b < scaled.length; b++) {
        scaled[b] = next;
        next += bytes * branches.get(b).entries.memory();
      }
      for (Pack pack : packs) {
        pack.packed = new PairClosing.Packed(next, pack.others.length, 0, n);
        next += PLANES * pack.closing.plane(pack.packed);
      }
      prepare(lines, line);
      scale(lines + line, line, scaled);
      rows(lines, line, scaled);
    }
  }

  /** Rotates lines and packs elementals. */
  private void prepare(long lines, long line) {
    int components = rotations.size() * LineRotation.SPINS;
    List<Pack> packOf = new ArrayList<>();
    List<Integer> otherOf = new ArrayList<>();
    for (Pack pack : packs) {
      for (int other = 0; other < pack.others.length; other++) {
        packOf.add(pack);
        otherOf.add(other);
      }
    }
    team.run(
        components + PACK_PARTS * packOf.size(),
        (part, own) -> {
          if (part < components) {
            int number = part / LineRotation.SPINS;
            int component = part % LineRotation.SPINS;
            rotations.get(number).run(component, own, lines + number * line);
            return;
          }
          int place = (part - components) / PACK_PARTS;
          int piece = (part - components) % PACK_PARTS;
          Pack pack = packOf.get(place);
          int other = otherOf.get(place);
          int row = n * piece / PACK_PARTS;
          int count = n * (piece + 1) / PACK_PARTS - row;
          pack.closing.pack(own.blas(), pack.others[other], pack.packed, other, row, count);
        });
  }

  private void scale(long seconds, long line, long[] scaled) {
    int most = branches.stream().mapToInt(branch -> branch.entries.scaled()).max().orElse(0);
    team.run(
        most * branches.size(),
        (part, own) -> {
          int b = part % branches.size();
          SumEntries entries = branches.get(b).entries;
          if (part / branches.size() < entries.scaled()) {
            entries.scale(part / branches.size(), seconds + b * line, scaled[b]);
          }
        });
  }

  private void rows(long lines, long line, long[] scaled) {
    long matrix = bytes * square;
    long[] firsts =
        contraction.firstSpins().stream().mapToLong(p -> lines + PLANES * matrix * p).toArray();
    long[][] lefts = new long[branches.size()][];
    long[][] rights = new long[branches.size()][];
    long sums = 0;
    long results = 0;
    for (int b = 0; b < lefts.length; b++) {
      Branch branch = branches.get(b);
      lefts[b] = branch.entries.lefts(placeOfSpin, 0, matrix);
      rights[b] = branch.entries.rights(lines + (b + 1) * line, scaled[b]);
      sums = Math.max(sums, branch.attached());
      results =
          Math.max(results, (long) PLANES * branch.pack.others.length * n * branch.entries.sums);
    }
    long y = (long) PLANES * firstSpins * square;
    long other = Math.max(results, PLANES * (square + n * VectorLoops.padded(bytes, n)));
    long doubles = y + sums + other;
    long attachedSums = sums;
    team.run(
        n,
        (row, own) -> {
          long memory = own.scratch(doubles);
          long both = memory + bytes * y;
          long scratch = both + bytes * attachedSums;
          VectorLoops.attachFirst(
              bytes,
              n,
              firstSpins,
              firsts,
              square,
              attached + matrix * row,
              (long) n * square,
              scratch,
              memory,
              square,
              (long) firstSpins * square);
          for (int b = 0; b < lefts.length; b++) {
            Branch branch = branches.get(b);
            long ofSums = (long) branch.entries.sums * branch.pack.numbers;
            VectorLoops.attachSecond(
                bytes,
                n,
                0,
                branch.entries.sums,
                branch.entries.counts,
                lefts[b],
                memory / bytes,
                (long) firstSpins * square,
                rights[b],
                branch.entries.rightStride(),
                branch.pack.closing.half,
                scratch,
                both,
                branch.pack.numbers,
                ofSums);
            branch.pack.closing.close(
                branch.pack.packed,
                new PairClosing.Columns(both, bytes * ofSums, branch.entries.sums, 1, row),
                branch.blocks,
                scratch);
          }
        });
  }
}
