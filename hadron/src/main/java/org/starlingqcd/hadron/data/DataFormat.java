package org.starlingqcd.hadron.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * A format of distillation data. Implementations are services (META-INF/services) with a public
 * constructor without arguments.
 */
public interface DataFormat {
  /** Bytes of a file that {@link #recognizes} sees; fewer if the file is shorter. */
  int HEAD_BYTES = 512;

  /**
   * What the user says about data.
   *
   * @param header what files do not say about themselves
   * @param labels label in the data to the label of definitions
   */
  record Facts(PartialHeader header, Map<String, String> labels) {
    /** Nothing. */
    public static final Facts NONE = new Facts(PartialHeader.UNKNOWN, Map.of());

    /** Copies the map. */
    public Facts {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * What was given beside the files of a format.
   *
   * @param facts what the user says about the data
   * @param folders the folders among the paths, in which a mapping file looks for its files;
   *     without any it looks in its own folder
   * @param others files that no format recognizes, for a mapping file to explain
   * @param onFault told of a file that cannot be used; if it returns, the others are used
   */
  record Context(
      Facts facts, List<Path> folders, List<Path> others, Consumer<DistillationException> onFault) {
    /** Copies the lists. */
    public Context {
      folders = List.copyOf(folders);
      others = List.copyOf(others);
    }

    /** Hands over every file; one that cannot be used is reported, and the others go on. */
    public void forEach(List<Path> files, Consumer<Path> use) {
      for (Path file : files) {
        try {
          use.accept(file);
        } catch (DistillationException e) {
          onFault.accept(e);
        }
      }
    }
  }

  /** Its name for people, such as {@code Chroma SDB}. */
  String name();

  /**
   * Whether a file is of this format. Called for every file of a folder, so it decides by {@code
   * head} and opens the file only if that leaves doubt.
   *
   * @param head the first bytes of the file
   */
  boolean recognizes(Path file, byte[] head);

  /**
   * What a mapping file says about all data beside it.
   *
   * @throws DistillationException when it cannot be read
   */
  default Facts facts(Path file) {
    return Facts.NONE;
  }

  /** Whether its files explain other files, so that folders and unrecognized files concern it. */
  default boolean explainsOthers() {
    return false;
  }

  /** What a file that no format recognizes needs, as far as this format knows; empty otherwise. */
  default String advice(Path file) {
    return "";
  }

  /**
   * Groups files of this format into sources. A source may need several files, and a file may stand
   * for several configurations.
   *
   * @param files files that {@link #recognizes} accepted, of one label of the command line
   * @throws DistillationException when nothing can be used
   */
  List<DataSource> sources(List<Path> files, Context context);

  /** Whether the first bytes of a file are those of HDF5. */
  static boolean isHdf5(byte[] head) {
    byte[] signature = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return head.length >= signature.length
        && Arrays.equals(head, 0, signature.length, signature, 0, signature.length);
  }

  /** Starling's own format, which most files have. */
  static DataFormat own() {
    return Hdf5Format.OWN;
  }

  /** All formats: {@link #own} and the services. */
  static List<DataFormat> all() {
    List<DataFormat> all = new ArrayList<>(Services.ALL);
    all.add(0, own());
    return all;
  }

  /** What some format says about a file that none recognizes, with a separator before it. */
  static String adviceOn(Path file) {
    return all().stream()
        .map(format -> format.advice(file))
        .filter(advice -> !advice.isEmpty())
        .findFirst()
        .map(advice -> "; " + advice)
        .orElse("");
  }

  /**
   * The format of a file; null when none recognizes it. A format may know a name for which there is
   * no file that can be read; it then sees no bytes.
   */
  static @Nullable DataFormat of(Path file) {
    if (PlainFile.special(file) != null) {
      return null;
    }
    byte[] head = new byte[0];
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(HEAD_BYTES);
    } catch (IOException e) {
      // There are no bytes to see.
    }
    if (own().recognizes(file, head)) {
      return own();
    }
    for (DataFormat format : Services.ALL) {
      if (format.recognizes(file, head)) {
        return format;
      }
    }
    return null;
  }

  /** The formats of other programs, loaded once, where a file is not of {@link #own}. */
  final class Services {
    private static final List<DataFormat> ALL =
        ServiceLoader.load(DataFormat.class, DataFormat.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private Services() {}
  }
}
