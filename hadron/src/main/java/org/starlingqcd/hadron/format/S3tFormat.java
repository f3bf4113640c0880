package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * S3T files of Chroma: perambulators, baryon elementals or generalized perambulators.
 *
 * <p>The metadata name the axes, the fastest first. Perambulators are {@code sqnNpP}: source and
 * sink spin, source and sink vector, source and sink time, so that {@code τ[P, p, q, s, N, n] =
 * file[P, p, N, n, q, s]}. Baryon elementals are {@code ijktdm}, so that {@code B(n, t)[i, j, k] =
 * file[m, d, t, k, j, i]} with the momentum -n in the list. Generalized perambulators are {@code
 * nNsqgdmtpP}: source and sink vector, source and sink spin, Γ, displacement, momentum, insertion
 * time, source and sink time, so that a block is what Starling has, with the momentum -q. Axes of
 * phasings, {@code h} and {@code H}, must have one entry.
 */
public final class S3tFormat extends FileFormat {
  private static final List<String> PERAMBULATORS = List.of("sqnNpP", "sqnNpPhH");
  private static final List<String> CURRENTS = List.of("nNsqgdmtpP");
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
    return BinaryFile.reading(S3tFile.on(path), file -> new Axes(new S3tFile(file)).source());
  }

  /** What the axes of a tensor stand for. */
  private static final class Axes {
    private final S3tFile s3t;
    private final BinaryFile file;
    private final XmlTree metadata;
    private final int[] extents;

    /** Axes of phasings, which come first. */
    private final int phasings;

    /** Axes before those of a block, without phasings: times or lists. */
    private final int leading;

    private final boolean perambulators;
    private final boolean currents;

    Axes(S3tFile s3t) {
      this.s3t = s3t;
      this.file = s3t.file();
      this.metadata = XmlTree.parse(file, s3t.metadata());
      this.extents = s3t.extents();
      String order = Objects.requireNonNullElse(metadata.text("tensorOrder"), "");
      this.perambulators = PERAMBULATORS.contains(order);
      this.currents = CURRENTS.contains(order);
      file.check(
          (perambulators || currents || BARYONS.contains(order))
              && order.length() == extents.length,
          "the metadata call the axes of this S3T file '%s'; Starling reads perambulators (sqnNpP,"
              + " sqnNpPhH), baryon elementals (ijktdm, ijktdmh) and generalized perambulators"
              + " (nNsqgdmtpP)",
          order);
      this.leading = currents ? 6 : perambulators ? 2 : 3;
      this.phasings = currents ? 0 : order.length() - 6;
      for (int axis = 0; axis < phasings; axis++) {
        file.check(
            extents[axis] == 1, "holds %s phasings; Starling reads files of one", extents[axis]);
      }
    }

    private int extent(int axis) {
      return extents[phasings + axis];
    }

    /** Checks the extents of the last axes. */
    private void expect(int first, int... expected) {
      for (int k = 0; k < expected.length; k++) {
        file.check(
            extent(first + k) == expected[k],
            "axis %s must have extent %s, the extents are %s",
            phasings + first + k,
            expected[k],
            Arrays.toString(extents));
      }
    }

    BlockSource source() {
      int n = extent(currents ? 8 : 3);
      List<ElementalName> baryons = List.of();
      List<CurrentVertex> vertices = List.of();
      if (currents) {
        expect(1, extent(0), extent(0));
        expect(6, SdbKey.SPINS, SdbKey.SPINS, n, n);
        vertices = vertices();
      } else if (perambulators) {
        expect(1, extent(0), n, n, SdbKey.SPINS, SdbKey.SPINS);
      } else {
        expect(4, n, n);
        baryons = names();
      }
      boolean spins = perambulators || currents;
      Source source =
          new Source(
              s3t,
              ChromaMetadata.header(file, metadata, spins ? extent(0) : null, n, spins),
              blocks(n, baryons, vertices),
              n);
      String mass = ChromaMetadata.mass(metadata);
      if (mass != null) {
        source.blocks().labels().forEach(label -> source.blocks().setMass(label, mass));
      }
      return source;
    }

    /** The vertices, momentum by momentum, displacement by displacement. */
    private List<CurrentVertex> vertices() {
      List<List<List<Integer>>> momenta = lists("moms");
      List<List<List<Integer>>> displacements = lists("displacements");
      List<Integer> gammas =
          lists("gammas").stream().flatMap(List::stream).flatMap(List::stream).toList();
      List<Integer> listed = List.of(momenta.size(), displacements.size(), gammas.size());
      if (!listed.equals(List.of(extent(3), extent(4), extent(5)))) {
        throw file.fault(
            "the metadata list %s momenta, %s displacements and %s gammas, the tensor has %s, %s"
                + " and %s",
            listed.get(0), listed.get(1), listed.get(2), extent(3), extent(4), extent(5));
      }
      List<CurrentVertex> vertices = new ArrayList<>();
      for (List<List<Integer>> momentum : momenta) {
        Momentum q = momentum(momentum);
        for (List<List<Integer>> displacement : displacements) {
          String name = SdbKey.displacement("disp_", displacement.get(0));
          for (int gamma : gammas) {
            file.check(gamma >= 0 && gamma < 16, "a gamma of the metadata is %s", gamma);
            vertices.add(new CurrentVertex(new Gamma(gamma, 1), name, q));
          }
        }
      }
      return vertices;
    }

    /** The momentum of Starling. */
    private Momentum momentum(List<List<Integer>> entry) {
      List<Integer> p = entry.size() == 1 ? entry.get(0) : List.of();
      file.check(p.size() == 3, "a momentum of the metadata is %s", entry);
      return new Momentum(p.get(0), p.get(1), p.get(2)).negate();
    }

    /** The elementals, momentum by momentum. */
    private List<ElementalName> names() {
      List<List<List<Integer>>> momenta = lists("moms");
      List<List<List<Integer>>> displacements = lists("displacements_left_middle_right");
      file.check(
          momenta.size() == extent(0) && displacements.size() == extent(1),
          "the metadata list %s momenta and %s displacements, the tensor has %s and %s",
          momenta.size(),
          displacements.size(),
          extent(0),
          extent(1));
      List<ElementalName> names = new ArrayList<>();
      for (List<List<Integer>> momentum : momenta) {
        Momentum n = momentum(momentum);
        displacements.forEach(d -> names.add(new ElementalName(SdbKey.baryonDisplacement(d), n)));
      }
      return names;
    }

    /**
     * The entries of a list of the metadata, each a list of integers or a list of such lists, or
     * all in its text.
     */
    private List<List<List<Integer>>> lists(String name) {
      XmlTree.Element list = metadata.find(name);
      if (list == null) {
        return List.of();
      }
      try {
        return list.children().isEmpty()
            ? list.integers().stream().map(number -> List.of(List.of(number))).toList()
            : list.children().stream()
                .map(
                    entry ->
                        entry.children().isEmpty()
                            ? List.of(entry.integers())
                            : entry.children().stream().map(XmlTree.Element::integers).toList())
                .toList();
      } catch (NumberFormatException e) {
        throw file.fault(e, "a list of the metadata, '%s', holds other things than integers", name);
      }
    }

    /** The first indices of each block that is complete. */
    private Map<DataBlock, int[]> blocks(
        int n, List<ElementalName> baryons, List<CurrentVertex> vertices) {
      int all = phasings + leading;
      Map<List<Integer>, Long> covered = new HashMap<>();
      for (S3tFile.Block part : s3t.blocks()) {
        long indices = part.count(0) / part.count(all);
        for (long k = 0; k < indices; k++) {
          Integer[] index = new Integer[all];
          long rest = k;
          for (int axis = all - 1; axis >= 0; axis--) {
            index[axis] = (int) (part.from()[axis] + rest % part.size()[axis]) % extents[axis];
            rest /= part.size()[axis];
          }
          covered.merge(List.of(index), part.count(all), Long::sum);
        }
      }
      String label = Objects.requireNonNullElse(metadata.text("mass_label"), "");
      Map<DataBlock, int[]> blocks = new HashMap<>();
      covered.forEach(
          (index, numbers) -> {
            int first = index.get(phasings);
            int second = index.get(phasings + 1);
            DataBlock block;
            if (currents) {
              int vertex = (index.get(3) * extent(4) + index.get(4)) * extent(5) + index.get(5);
              block =
                  new DataBlock.Generalized(
                      new CurrentName(label, label, vertices.get(vertex)),
                      new CurrentName.Ends(first, second),
                      index.get(2));
            } else if (perambulators) {
              block = new DataBlock.Perambulator(label, first, second);
            } else {
              block =
                  DataBlock.baryon(
                      baryons.get(first * extent(1) + second), index.get(phasings + 2));
            }
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
      super(file.file().path(), header, blocks);
      this.file = file;
      this.n = n;
    }

    @Override
    void read(DataBlock block, int[] leading, HostMemory target, long offset) {
      double[] stored = new double[Math.toIntExact(block.shape(n).bytes() / Double.BYTES)];
      file.read(leading, stored);
      if (block instanceof DataBlock.Perambulator) {
        int[] extents = {n, n, SdbKey.SPINS * SdbKey.SPINS};
        stored = NumberArray.permuted(stored, extents, 2, 0, 1);
      } else if (!(block instanceof DataBlock.Generalized)) {
        stored = NumberArray.permuted(stored, new int[] {n, n, n}, 2, 1, 0);
      }
      target.put(offset / Double.BYTES, stored, 0, stored.length);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
