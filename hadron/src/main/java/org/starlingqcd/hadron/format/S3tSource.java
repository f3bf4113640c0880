package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * Perambulators or baryon elementals of one S3T file.
 *
 * <p>The metadata name the axes, the fastest first. Perambulators are {@code sqnNpP}: source and
 * sink spin, source and sink vector, source and sink time, so that {@code τ[P, p, q, s, N, n] =
 * file[P, p, N, n, q, s]}. Baryon elementals are {@code ijktdm}, so that {@code B(n, t)[i, j, k] =
 * file[m, d, t, k, j, i]} with the momentum -n in the list. Axes of phasings, {@code h} and {@code
 * H}, must have one entry.
 */
final class S3tSource implements BlockSource {
  private static final List<String> PERAMBULATORS = List.of("sqnNpP", "sqnNpPhH");
  private static final List<String> BARYONS = List.of("ijktdm", "ijktdmh");
  private static final int SPINS = SdbContents.SPINS;

  private final S3tFile file;
  private final PartialHeader header;
  private final BlockCatalog catalog = new BlockCatalog();
  private final int n;

  /** Axes before those of a block: phasings, then times or lists. */
  private final int phasings;

  private final boolean perambulators;
  private final List<ElementalName> baryons;
  private final Map<DataBlock, int[]> leading = new HashMap<>();

  private S3tSource(S3tFile file) {
    this.file = file;
    ChromaMetadata metadata = ChromaMetadata.parse(file.path(), file.metadata());
    String order = Objects.requireNonNullElse(metadata.text("tensorOrder"), "");
    int[] extents = file.extents();
    this.perambulators = PERAMBULATORS.contains(order);
    if ((!perambulators && !BARYONS.contains(order)) || order.length() != extents.length) {
      throw new DistillationException(
          path()
              + ": the metadata call the axes of this S3T file '"
              + Printable.of(order)
              + "'; Starling reads perambulators (sqnNpP, sqnNpPhH) and baryon elementals (ijktdm,"
              + " ijktdmh)");
    }
    this.phasings = order.length() - 6;
    for (int axis = 0; axis < phasings; axis++) {
      if (extents[axis] != 1) {
        throw new DistillationException(
            path() + ": holds " + extents[axis] + " phasings; Starling reads files of one");
      }
    }
    this.n = extents[extents.length - 3];
    int[] lattice = metadata.lattice();
    Integer l = lattice == null ? null : lattice[0];
    Integer t = lattice == null ? null : lattice[3];
    if (perambulators) {
      expect(extents, 2, n);
      expect(extents, 4, SPINS);
      expect(extents, 5, SPINS);
      t = extents[phasings];
      expect(extents, 1, t);
      this.baryons = List.of();
    } else {
      expect(extents, 4, n);
      expect(extents, 5, n);
      this.baryons = names(metadata, extents[phasings], extents[phasings + 1]);
    }
    this.header =
        new PartialHeader(
            null,
            ConfigurationNumber.of(path()),
            l,
            t,
            n,
            perambulators ? DistillationHeader.DEGRAND_ROSSI : null,
            null);
    String label = Objects.requireNonNullElse(metadata.text("mass_label"), "");
    catalogue(label);
  }

  /**
   * Opens a file.
   *
   * @throws DistillationException when it is damaged or holds something else
   */
  static S3tSource open(Path path) {
    S3tFile file = S3tFile.open(path);
    try {
      return new S3tSource(file);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void expect(int[] extents, int axis, int expected) {
    if (extents[phasings + axis] != expected) {
      throw new DistillationException(
          path()
              + ": axis "
              + (phasings + axis)
              + " must have extent "
              + expected
              + ", the extents are "
              + Arrays.toString(extents));
    }
  }

  /** The elementals, momentum by momentum. */
  private List<ElementalName> names(ChromaMetadata metadata, int momenta, int displacements) {
    List<List<List<Integer>>> moms = lists(metadata, "moms");
    List<List<List<Integer>>> places = lists(metadata, "displacements_left_middle_right");
    if (moms.size() != momenta || places.size() != displacements) {
      throw new DistillationException(
          path()
              + ": the metadata list "
              + moms.size()
              + " momenta and "
              + places.size()
              + " displacements, the tensor has "
              + momenta
              + " and "
              + displacements);
    }
    List<ElementalName> names = new ArrayList<>();
    for (List<List<Integer>> mom : moms) {
      List<Integer> p = mom.size() == 1 ? mom.get(0) : List.of();
      if (p.size() != 3) {
        throw new DistillationException(path() + ": a momentum of the metadata is " + mom);
      }
      for (List<List<Integer>> place : places) {
        names.add(
            new ElementalName(
                SdbContents.baryonDisplacement(place),
                new Momentum(-p.get(0), -p.get(1), -p.get(2))));
      }
    }
    return names;
  }

  /** The entries of a list of the metadata; each is a list of integers or a list of such lists. */
  private List<List<List<Integer>>> lists(ChromaMetadata metadata, String name) {
    XmlTree.Element list = metadata.find(name);
    List<List<List<Integer>>> entries = new ArrayList<>();
    if (list != null) {
      try {
        for (XmlTree.Element entry : list.children()) {
          entries.add(
              entry.children().isEmpty()
                  ? List.of(entry.integers())
                  : entry.children().stream().map(XmlTree.Element::integers).toList());
        }
      } catch (NumberFormatException e) {
        throw new DistillationException(
            path() + ": a list of the metadata, '" + name + "', holds other things than integers",
            e);
      }
    }
    return entries;
  }

  /** Finds the blocks that are complete. */
  private void catalogue(String label) {
    int axes = perambulators ? 2 : 3;
    int[] extents = file.extents();
    Map<List<Integer>, Long> covered = new HashMap<>();
    for (S3tFile.Block block : file.blocks()) {
      long each = 1;
      for (int axis = phasings + axes; axis < extents.length; axis++) {
        each *= block.size()[axis];
      }
      int[] at = new int[axes];
      boolean more = true;
      while (more) {
        List<Integer> index = new ArrayList<>();
        for (int axis = 0; axis < axes; axis++) {
          index.add((block.from()[phasings + axis] + at[axis]) % extents[phasings + axis]);
        }
        covered.merge(index, each, Long::sum);
        int axis = axes - 1;
        while (axis >= 0 && ++at[axis] == block.size()[phasings + axis]) {
          at[axis--] = 0;
        }
        more = axis >= 0;
      }
    }
    covered.forEach(
        (index, count) -> {
          DataBlock block =
              perambulators
                  ? new DataBlock.Perambulator(label, index.get(0), index.get(1))
                  : new DataBlock.Baryon(
                      baryons.get(index.get(0) * extents[phasings + 1] + index.get(1)),
                      index.get(2));
          if (count < block.shape(n).bytes() / (2 * Double.BYTES)) {
            return;
          }
          int[] first = new int[phasings + axes];
          for (int axis = 0; axis < axes; axis++) {
            first[phasings + axis] = index.get(axis);
          }
          leading.put(block, first);
          if (block instanceof DataBlock.Perambulator tau) {
            catalog.addPerambulator(label, tau.sinkTime(), tau.sourceTime());
          } else if (block instanceof DataBlock.Baryon b) {
            catalog.addBaryon(b.name(), b.time());
          }
        });
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public PartialHeader header() {
    return header;
  }

  @Override
  public BlockCatalog blocks() {
    return catalog;
  }

  @Override
  public void read(DataBlock block, HostMemory target, long offset) {
    int @Nullable [] first = leading.get(block);
    if (first == null) {
      throw new DistillationException(path() + ": " + block + " is missing");
    }
    double[] stored = new double[Math.toIntExact(block.shape(n).bytes() / Double.BYTES)];
    file.read(first, stored);
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
