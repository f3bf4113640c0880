package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * S3T files of Chroma: perambulators or baryon elementals.
 *
 * <p>The metadata name the axes, the fastest first. Perambulators are {@code sqnNpP}: source and
 * sink spin, source and sink vector, source and sink time, so that {@code τ[P, p, q, s, N, n] =
 * file[P, p, N, n, q, s]}. Baryon elementals are {@code ijktdm}, so that {@code B(n, t)[i, j, k] =
 * file[m, d, t, k, j, i]} with the momentum -n in the list. Axes of phasings, {@code h} and {@code
 * H}, must have one entry.
 */
public final class S3tFormat extends FileFormat {
  private static final List<String> PERAMBULATORS = List.of("sqnNpP", "sqnNpPhH");
  private static final List<String> BARYONS = List.of("ijktdm", "ijktdmh");

  @Override
  public String name() {
    return "Chroma S3T";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return S3tFile.isS3t(head);
  }

  @Override
  protected BlockSource open(Path path) {
    S3tFile file = S3tFile.open(path);
    try {
      return new Axes(file).source();
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What the axes of a tensor stand for. */
  private static final class Axes {
    private final S3tFile file;
    private final XmlTree metadata;
    private final int[] extents;

    /** Axes before those of a block: phasings, then times or lists. */
    private final int phasings;

    private final boolean perambulators;

    Axes(S3tFile file) {
      this.file = file;
      this.metadata = XmlTree.parse(file.path(), file.metadata());
      this.extents = file.extents();
      String order = Objects.requireNonNullElse(metadata.text("tensorOrder"), "");
      this.perambulators = PERAMBULATORS.contains(order);
      if ((!perambulators && !BARYONS.contains(order)) || order.length() != extents.length) {
        throw fault(
            ("the metadata call the axes of this S3T file '%s'; Starling reads perambulators"
                    + " (sqnNpP, sqnNpPhH) and baryon elementals (ijktdm, ijktdmh)")
                .formatted(Printable.of(order)));
      }
      this.phasings = order.length() - 6;
      for (int axis = 0; axis < phasings; axis++) {
        if (extents[axis] != 1) {
          throw fault("holds " + extents[axis] + " phasings; Starling reads files of one");
        }
      }
    }

    private DistillationException fault(String what) {
      return new DistillationException(file.path() + ": " + what);
    }

    private int extent(int axis) {
      return extents[phasings + axis];
    }

    private void expect(int axis, int expected) {
      if (extent(axis) != expected) {
        throw fault(
            "axis %s must have extent %s, the extents are %s"
                .formatted(phasings + axis, expected, Arrays.toString(extents)));
      }
    }

    BlockSource source() {
      int n = extent(3);
      Integer times = null;
      List<ElementalName> baryons = List.of();
      if (perambulators) {
        expect(2, n);
        expect(4, SdbKey.SPINS);
        expect(5, SdbKey.SPINS);
        expect(1, extent(0));
        times = extent(0);
      } else {
        expect(4, n);
        expect(5, n);
        baryons = names();
      }
      return new Source(
          file,
          ChromaMetadata.header(file.path(), metadata, times, n, perambulators),
          blocks(n, baryons),
          n);
    }

    /** The elementals, momentum by momentum. */
    private List<ElementalName> names() {
      List<List<List<Integer>>> momenta = lists("moms");
      List<List<List<Integer>>> displacements = lists("displacements_left_middle_right");
      if (momenta.size() != extent(0) || displacements.size() != extent(1)) {
        throw fault(
            "the metadata list %s momenta and %s displacements, the tensor has %s and %s"
                .formatted(momenta.size(), displacements.size(), extent(0), extent(1)));
      }
      List<ElementalName> names = new ArrayList<>();
      for (List<List<Integer>> momentum : momenta) {
        List<Integer> p = momentum.size() == 1 ? momentum.get(0) : List.of();
        if (p.size() != 3) {
          throw fault("a momentum of the metadata is " + momentum);
        }
        Momentum n = new Momentum(p.get(0), p.get(1), p.get(2)).negate();
        displacements.forEach(d -> names.add(new ElementalName(SdbKey.baryonDisplacement(d), n)));
      }
      return names;
    }

    /** The entries of a list of the metadata, each a list of integers or a list of such lists. */
    private List<List<List<Integer>>> lists(String name) {
      XmlTree.Element list = metadata.find(name);
      List<List<List<Integer>>> entries = new ArrayList<>();
      try {
        for (XmlTree.Element entry : list == null ? List.<XmlTree.Element>of() : list.children()) {
          entries.add(
              entry.children().isEmpty()
                  ? List.of(entry.integers())
                  : entry.children().stream().map(XmlTree.Element::integers).toList());
        }
      } catch (NumberFormatException e) {
        throw new DistillationException(
            "%s: a list of the metadata, '%s', holds other things than integers"
                .formatted(file.path(), name),
            e);
      }
      return entries;
    }

    /** The first indices of each block that is complete. */
    private Map<DataBlock, int[]> blocks(int n, List<ElementalName> baryons) {
      int leading = phasings + (perambulators ? 2 : 3);
      Map<List<Integer>, Long> covered = new HashMap<>();
      for (S3tFile.Block part : file.blocks()) {
        long each = 1;
        for (int axis = leading; axis < extents.length; axis++) {
          each *= part.size()[axis];
        }
        int[] at = new int[leading];
        boolean more = true;
        while (more) {
          List<Integer> index = new ArrayList<>();
          for (int axis = 0; axis < leading; axis++) {
            index.add((part.from()[axis] + at[axis]) % extents[axis]);
          }
          covered.merge(index, each, Long::sum);
          int axis = leading - 1;
          while (axis >= 0 && ++at[axis] == part.size()[axis]) {
            at[axis--] = 0;
          }
          more = axis >= 0;
        }
      }
      String label = Objects.requireNonNullElse(metadata.text("mass_label"), "");
      Map<DataBlock, int[]> blocks = new HashMap<>();
      covered.forEach(
          (index, numbers) -> {
            int first = index.get(phasings);
            int second = index.get(phasings + 1);
            DataBlock block =
                perambulators
                    ? new DataBlock.Perambulator(label, first, second)
                    : new DataBlock.Baryon(
                        baryons.get(first * extent(1) + second), index.get(phasings + 2));
            if (numbers >= block.shape(n).bytes() / (2 * Double.BYTES)) {
              blocks.put(block, index.stream().mapToInt(Integer::intValue).toArray());
            }
          });
      return blocks;
    }
  }

  private static final class Source extends IndexedSource<int[]> {
    private final S3tFile file;
    private final int n;

    Source(S3tFile file, PartialHeader header, Map<DataBlock, int[]> blocks, int n) {
      super(file.path(), header, blocks);
      this.file = file;
      this.n = n;
    }

    @Override
    void read(DataBlock block, int[] leading, HostMemory target, long offset) {
      double[] stored = new double[Math.toIntExact(block.shape(n).bytes() / Double.BYTES)];
      file.read(leading, stored);
      double[] part = new double[2 * n * n];
      boolean spins = block instanceof DataBlock.Perambulator;
      int parts = stored.length / part.length;
      for (int k = 0; k < parts; k++) {
        // From [N][n][q s] to [q s][N][n], or from [k][j][i] to [i][j][k].
        for (int x = 0; x < n; x++) {
          for (int y = 0; y < n; y++) {
            int from = 2 * (spins ? (x * n + y) * parts + k : (y * n + x) * n + k);
            part[2 * (x * n + y)] = stored[from];
            part[2 * (x * n + y) + 1] = stored[from + 1];
          }
        }
        target.put(offset / Double.BYTES + (long) k * part.length, part, 0, part.length);
      }
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
