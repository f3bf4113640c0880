package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;

/**
 * A fuzz harness for files: every byte of a small file is changed, and a process of its own reads
 * each mutant. It may refuse it or take it; it may not crash, hang, or throw something else.
 *
 * <p>The process prints the number of every mutant before it reads it, so that the harness knows
 * which one ended it, and goes on behind it with another process.
 */
public final class Mutants {
  /** Mutants of each byte: {@code -Dstarling.mutants=16} for a soak. */
  private static final int PER_BYTE = Integer.getInteger("starling.mutants", 1);

  /** Which values the bytes get: {@code -Dstarling.mutants.seed=N} for others. */
  private static final int SEED = Integer.getInteger("starling.mutants.seed", 0);

  /** In a soak, the bytes of a larger file get every fifth mutant. */
  private static final long LARGE = 1 << 13;

  private static final int LARGE_STRIDE = 5;

  private static final long SILENCE_SECONDS = 60;
  private static final int MOST_FAILURES = 12;

  private Mutants() {}

  /** Reads all of a file. */
  public interface Reader {
    void read(Path file) throws Exception;
  }

  /** A file whose metadata are in the format of HDF5 before 1.8, without checksums. */
  public static Path createWithoutChecksums(Path path) {
    synchronized (Hdf5Library.LOCK) {
      try (BytePointer name = Hdf5Library.text(path.toString())) {
        long id = Hdf5Library.check(hdf5.H5Fcreate(name, hdf5.H5F_ACC_TRUNC, 0, 0), "H5Fcreate");
        Hdf5Library.check(hdf5.H5Fclose(id), "H5Fclose");
      }
    }
    return path;
  }

  /**
   * Byte {@code mutant / PER_BYTE} of a file is changed; which value it gets, the number decides.
   */
  private static byte[] mutated(byte[] whole, int mutant) {
    byte[] bytes = whole.clone();
    int place = mutant / PER_BYTE;
    int round = mutant % PER_BYTE;
    int mixed = (mutant + 0x9e3779b9 * (SEED + 1)) * 0x85ebca6b;
    mixed ^= mixed >>> 15;
    switch (round == 0 ? mixed & 3 : round % 6) {
      case 0 -> bytes[place] ^= (byte) (1 << (mixed >>> 8 & 7));
      case 1 -> bytes[place] = (byte) 0xff;
      case 2 -> bytes[place] = (byte) (bytes[place] + 1);
      case 3 -> bytes[place] ^= (byte) (mixed >>> 16 | 1);
      case 4 -> bytes[place] = 0;
      default -> {
        // A few bytes at once, as a bad block leaves them.
        for (int k = place; k < Math.min(place + 8, bytes.length); k++) {
          bytes[k] ^= (byte) (mixed >>> (k - place));
        }
      }
    }
    return bytes;
  }

  /** The process: reads mutants from number {@code args[2]} on. */
  public static void work(String[] args, Reader reader, List<String> expected) throws Exception {
    byte[] whole = Files.readAllBytes(Path.of(args[0]));
    int stride = Integer.parseInt(args[3]);
    for (int mutant = Integer.parseInt(args[2]);
        mutant < whole.length * PER_BYTE;
        mutant += stride) {
      System.out.println(mutant);
      Path file = Path.of(args[1], "mutant" + mutant + ".h5");
      Files.write(file, mutated(whole, mutant));
      try {
        reader.read(file);
      } catch (Throwable e) {
        if (!expected.contains(e.getClass().getSimpleName())) {
          System.out.println("! " + mutant + ": " + e);
          e.printStackTrace();
        }
      }
      Files.delete(file);
    }
  }

  /** Says all that is in a file. */
  public interface Text {
    String of(Path file) throws Exception;
  }

  /**
   * The process of {@link #assertFlipsAreTold}: flips bits of {@code args[0]}, one at a time, and
   * prints those after which another text is read, or that fail in an unexpected way.
   */
  public static void flipBits(String[] args, Text text, List<String> expected) throws Exception {
    Path file = Path.of(args[0]);
    String whole = text.of(file);
    byte[] bytes = Files.readAllBytes(file);
    int stride = Integer.parseInt(args[3]);
    int told = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int bit = 0; bit < Byte.SIZE * bytes.length; bit += stride) {
        int place = bit / Byte.SIZE;
        byte flipped = (byte) (bytes[place] ^ 1 << bit % Byte.SIZE);
        channel.write(ByteBuffer.wrap(new byte[] {flipped}), place);
        try {
          String read = text.of(file);
          if (!read.equals(whole)) {
            System.out.println("! bit " + bit + ": " + read);
          }
        } catch (Throwable e) {
          told++;
          if (!expected.contains(e.getClass().getSimpleName())) {
            System.out.println("! bit " + bit + ": " + e);
          }
        }
        channel.write(ByteBuffer.wrap(bytes, place, 1), place);
      }
    }
    System.out.println(told);
  }

  /**
   * Has a process of little memory flip bits of a file: none may change what is read.
   *
   * @param stride every so many bits are flipped; a soak flips all
   */
  public static void assertFlipsAreTold(Class<?> worker, Path file, Path folder, int stride)
      throws Exception {
    List<String> failures = new ArrayList<>();
    AtomicLong told = new AtomicLong();
    assertEquals(0, run(worker, file, folder, 0, PER_BYTE > 1 ? 1 : stride, told, failures));
    assertEquals(List.of(), failures);
    assertTrue(told.get() > 0);
  }

  /**
   * Has a process read the mutants of a file.
   *
   * @param stride every so many bytes are changed; a soak changes all
   */
  public static void assertSurvived(Class<?> worker, Path file, Path folder, int stride)
      throws Exception {
    List<String> failures = new ArrayList<>();
    int from = 0;
    long size = Files.size(file) * PER_BYTE;
    while (from < size && failures.size() < MOST_FAILURES) {
      AtomicLong last = new AtomicLong(from);
      int step = PER_BYTE == 1 ? stride : Files.size(file) > LARGE ? LARGE_STRIDE : 1;
      int status = run(worker, file, folder, from, step, last, failures);
      if (status == 0) {
        break;
      }
      failures.add("mutant " + last.get() + " ended the process with status " + status);
      from = (int) last.get() + 1;
    }
    assertEquals(List.of(), failures, file.toString());
  }

  private static int run(
      Class<?> worker,
      Path file,
      Path folder,
      int from,
      int stride,
      AtomicLong last,
      List<String> failures)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:" + (PER_BYTE > 1 ? "+" : "-") + "StackTraceInThrowable",
                "-Xmx64m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                "-Dstarling.mutants=" + PER_BYTE,
                "-Dstarling.mutants.seed=" + SEED,
                "-cp",
                System.getProperty("java.class.path").replace(File.pathSeparator + ".", ""),
                worker.getName(),
                file.toString(),
                folder.toString(),
                Integer.toString(from),
                Integer.toString(stride))
            .redirectError(folder.resolve("worker.err").toFile())
            .start();
    AtomicLong heard = new AtomicLong(System.nanoTime());
    Thread watch =
        new Thread(
            () -> {
              try {
                while (!process.waitFor(1, TimeUnit.SECONDS)) {
                  if (System.nanoTime() - heard.get() > SILENCE_SECONDS * 1_000_000_000L) {
                    process.destroyForcibly();
                  }
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    watch.setDaemon(true);
    watch.start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard.set(System.nanoTime());
        if (line.startsWith("!")) {
          failures.add(line);
        } else if (line.matches("[0-9]+")) {
          last.set(Long.parseLong(line));
        }
      }
    }
    return process.waitFor();
  }
}
