package org.starlingqcd.hadron.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.FileVersion;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Starling's own format: HDF5 with the root attribute {@code format}. */
final class Hdf5Format implements DataFormat {
  static final Hdf5Format OWN = new Hdf5Format();

  private static final String NAME = "Starling HDF5";
  private static final String FORMAT = "format";

  /** Headers of files between recognition and use, so that a file is opened once for both. */
  private static final Map<Path, KeptHeaders.Kept> SEEN =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, KeptHeaders.Kept> eldest) {
              return size() > MOST_SEEN;
            }
          });

  private static final int MOST_SEEN = 1 << 16;

  @Override
  public String name() {
    return NAME;
  }

  /** The format of a file, whose header may be known; null when none recognizes it. */
  static @Nullable DataFormat of(Path file, @Nullable FileVersion version, KeptHeaders kept) {
    KeptHeaders.Kept header = kept.find(file, version);
    if (header != null) {
      SEEN.put(file, header);
      return OWN;
    }
    DataFormat format = DataFormat.of(file);
    kept.note(file, SEEN.get(file));
    return format;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    SEEN.remove(file);
    if (!DataFormat.isHdf5(head)) {
      return false;
    }
    @Nullable FileVersion version = version(file);
    try (Hdf5File opened = Hdf5File.open(file)) {
      Hdf5Attributes root = opened.attributes("/");
      boolean own = root.has(FORMAT) && root.string(FORMAT).equals(DistillationHeader.FORMAT);
      if (own && version != null) {
        try {
          SEEN.put(file, new KeptHeaders.Kept(version, DistillationHeader.read(opened)));
        } catch (DistillationException e) {
          // It is told when the file is used.
        }
      }
      return own;
    } catch (Hdf5Exception damaged) {
      return false;
    }
  }

  /** The header, without a look into a file that was just recognized. */
  private static DistillationHeader header(Path file) {
    KeptHeaders.Kept seen = SEEN.remove(file);
    return seen != null && seen.version().equals(version(file))
        ? seen.header()
        : DistillationFile.readHeader(file);
  }

  private static @Nullable FileVersion version(Path file) {
    try {
      return FileVersion.of(file);
    } catch (IOException e) {
      // Opening it tells what is wrong.
      return null;
    }
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files,
        file ->
            sources.add(
                DataSource.of(
                    List.of(file),
                    NAME,
                    PartialHeader.of(header(file)),
                    caches -> DistillationFile.open(file, caches))));
    return sources;
  }
}
