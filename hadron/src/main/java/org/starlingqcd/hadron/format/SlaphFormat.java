package org.starlingqcd.hadron.format;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Files of sLapH-contractions, numbers without a header whose shape follows from the name and the
 * size: quark sinks {@code perambulator.rndvecnb00.u.TsoB0002.VsoI0002.DsoF4.TsiF0004.….01000}, T
 * times, N eigenvectors, 4 spins, P time classes, V eigenvector classes, 4 spin classes; noise
 * {@code randomvector.rndvecnb00.u.nbev0016.1000}, T times, N eigenvectors, 4 spins.
 */
public final class SlaphFormat extends FileFormat {
  private static final String QUARK = "\\.rndvecnb(\\d{1,9})\\.(\\w+)\\.";

  private static final Pattern SINKS =
      Pattern.compile(
          "perambulator"
              + QUARK
              + "Tso([BIF])(\\d{1,5})\\.Vso[BIF](\\d{1,5})\\.DsoF?4\\.TsiF(\\d{1,5})\\.SsiF(\\d{1,9})"
              + "\\.DsiF4\\.CsiF3\\.smeared\\d\\.(\\d{1,9})");

  private static final Pattern NOISE =
      Pattern.compile("randomvector" + QUARK + "nbev(\\d{1,5})\\.(\\d{1,9})");

  private static final FlatArray.NumberType COMPLEX =
      new FlatArray.NumberType(true, Double.BYTES, ByteOrder.LITTLE_ENDIAN);

  private static final int SPINS = SpinMatrix.SPINS;

  @Override
  public String name() {
    return "sLapH-contractions";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    String name = file.getFileName().toString();
    return name.startsWith("perambulator.rndvecnb") || name.startsWith("randomvector.rndvecnb");
  }

  @Override
  protected BlockSource open(Path path) {
    FileFaults faults = new FileFaults(path);
    String name = path.getFileName().toString();
    Matcher noise = NOISE.matcher(name);
    Matcher sinks = SINKS.matcher(name);
    faults.check(
        noise.matches() || sinks.matches(),
        "expected a name such as perambulator.rndvecnb00.u.TsoB0002.VsoI0002.DsoF4.TsiF0004.SsiF0064"
            + ".DsiF4.CsiF3.smeared0.01000 or randomvector.rndvecnb00.u.nbev0016.1000, which tells"
            + " dilution (spin full) and configuration; files do not");
    return noise.matches() ? noise(path, noise) : sinks(path, sinks, faults);
  }

  private static BlockSource noise(Path path, Matcher name) {
    int n = Integer.parseInt(name.group(3));
    int times = rest(path, SPINS, n);
    FlatArray file = FlatArray.raw(path, 0, COMPLEX, new long[] {times, n, SPINS});
    IntFunction<double[]> reader =
        t ->
            NumberArray.permuted(
                file.read(new long[] {t, 0, 0}, 1, n, SPINS), new int[] {n, SPINS}, 1, 0);
    DataBlock noise = new DataBlock.Noise(noiseName(name), 0);
    return source(path, header(name.group(4), null, times, n), Map.of(noise, reader));
  }

  private static BlockSource sinks(Path path, Matcher name, FileFaults faults) {
    int times = Integer.parseInt(name.group(6));
    String type = name.group(3);
    int classes = type.equals("F") ? times : Integer.parseInt(name.group(4));
    int v = Integer.parseInt(name.group(5));
    int n = rest(path, SPINS * SPINS, times, classes, v);
    String what =
        "its name says %s classes of %s times and %s of eigenvectors, its size %s of them";
    faults.check(times % classes == 0 && v <= n, what, classes, times, v, n);
    String inTime = (type.equals("B") ? "block " : "interlace ") + classes;
    DilutionScheme scheme =
        DilutionScheme.of(List.of(inTime, "full", "interlace " + v), times, n, false);
    long[] extents = {times, n, SPINS, classes, v, SPINS};
    FlatArray file = FlatArray.raw(path, 0, COMPLEX, extents);
    Map<DataBlock, IntFunction<double[]>> series = new HashMap<>();
    for (int k = 0; k < classes; k++) {
      int p = k;
      series.put(
          new DataBlock.Sink(name.group(2), noiseName(name), scheme, p, 0),
          t -> {
            double[] phi = file.read(new long[] {t, 0, 0, p, 0, 0}, 1, n, SPINS, 1, v, SPINS);
            return NumberArray.permuted(phi, new int[] {n, SPINS, v, SPINS}, 3, 2, 1, 0);
          });
    }
    int volume = Integer.parseInt(name.group(7));
    int extent = (int) Math.round(Math.cbrt(volume));
    Integer cube = extent * extent * extent == volume ? Integer.valueOf(extent) : null;
    return source(path, header(name.group(8), cube, times, n), series);
  }

  private static String noiseName(Matcher name) {
    return name.group(2) + "_" + name.group(1);
  }

  private static PartialHeader header(String number, @Nullable Integer extent, int times, int n) {
    String basis = DistillationHeader.EXPLICIT;
    return new PartialHeader(null, Long.valueOf(number), extent, times, n, basis, null);
  }

  private static BlockSource source(
      Path path, PartialHeader header, Map<DataBlock, IntFunction<double[]>> series) {
    GammaBasis basis = SpinBases.known("sLapH");
    return IndexedSource.of(path, header, basis, series, Map.of(), () -> {});
  }

  /** The extent that the size of a file leaves for the one that its name does not say. */
  private static int rest(Path path, long... extents) {
    try (BinaryFile file = new BinaryFile(path, "is cut short")) {
      long bytes = COMPLEX.bytes() * NumberArray.size(extents);
      long rest = bytes == 0 ? 0 : file.size() / bytes;
      file.check(
          rest >= 1 && rest <= DistillationHeader.MAX_EIGENVECTORS && rest * bytes == file.size(),
          "has %s bytes, expected a multiple of %s by its name; it is cut short, or the name is that"
              + " of other data",
          file.size(),
          bytes);
      return (int) rest;
    }
  }
}
