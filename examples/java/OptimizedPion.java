import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.correlators.cli.StarlingCommand;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Builds the elementals of an optimized pion, a sum of the one without displacement and of second
 * derivatives, on whatever device there is, and computes its correlator.
 *
 * <p>Arguments: a file of distillation data with derivatives, and a folder for results.
 */
public final class OptimizedPion {
  /** Weights of no displacement and of each D_k D_k. */
  private static final double PLAIN = 0.94;

  private static final double CURVED = 0.31;

  private static final String[] TERMS = {"none", "D_xD_x", "D_yD_y", "D_zD_z"};

  private static final String DEFINITION =
      """
      name: optimized_pion
      operators:
        - name: optimized
          terms:
            - {mesons: [{bar: d, gamma: g5, quark: u, momentum: [0, 0, 0], displacement: optimized}]}
      """;

  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    Path folder = Path.of(arguments[1]);
    Path elementals = folder.resolve("optimized.h5");
    try (Device device = Backends.select("auto", 0).open(DeviceOptions.defaults());
        ArrayCache cache =
            ArrayCache.open(
                device, MemHCOptions.ofBudget(64L << 20), CoherenceProtocol.WRITE_BACK);
        Hdf5File old = Hdf5File.open(data);
        Hdf5File made = Hdf5File.create(elementals)) {
      ArrayBlas blas = new ArrayBlas(cache);
      copyAttributes(old, made);
      int t = Math.toIntExact(old.attributes("/").integer("temporal_extent"));
      int n = Math.toIntExact(old.attributes("/").integer("num_eigenvectors"));
      MatrixShape matrix = MatrixShape.dense(NumberKind.COMPLEX, n, n);
      HostArray term = cache.array("term", NumberKind.COMPLEX, (long) n * n);
      HostArray sum = cache.array("optimized elemental", NumberKind.COMPLEX, (long) n * n);
      try (Hdf5Dataset result =
          made.createDataset(
              "elementals/meson/optimized/0_0_0",
              ElementType.COMPLEX,
              new long[] {t, n, n},
              DatasetOptions.CONTIGUOUS)) {
        for (int time = 0; time < t; time++) {
          sum.writing().clear();
          for (String name : TERMS) {
            Hdf5Dataset dataset = old.dataset("elementals/meson/" + name + "/0_0_0");
            dataset.read(new long[] {time, 0, 0}, new long[] {1, n, n}, term.writing(), 0);
            Scalar weight = Scalar.of(name.equals("none") ? PLAIN : CURVED);
            blas.axpy(matrix, weight, term, 0, sum, 0, n);
          }
          // Reading is what brings the sum back from the device.
          result.write(new long[] {time, 0, 0}, new long[] {1, n, n}, sum.reading(), 0);
        }
      }
      System.out.println("bytes to the device: " + cache.statistics().memory().bytesToDevice());
    }
    Path definition = Files.writeString(folder.resolve("optimized_pion.yaml"), DEFINITION);
    PrintWriter out = new PrintWriter(System.out, true);
    int status =
        StarlingCommand.execute(
            out,
            new PrintWriter(System.err, true),
            "run",
            definition.toString(),
            "--data",
            data.toString(),
            elementals.toString(),
            "--sources",
            "0",
            "--out",
            folder.toString());
    System.exit(status);
  }

  private static void copyAttributes(Hdf5File old, Hdf5File made) {
    for (String name : new String[] {"format", "ensemble", "gamma_basis", "temporal_boundary"}) {
      made.attributes("/").put(name, old.attributes("/").string(name));
    }
    for (String name :
        new String[] {
          "format_version", "configuration", "spatial_extent", "temporal_extent", "num_eigenvectors"
        }) {
      made.attributes("/").put(name, old.attributes("/").integer(name));
    }
  }
}
