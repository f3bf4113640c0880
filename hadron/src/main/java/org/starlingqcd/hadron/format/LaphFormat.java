package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators of quda_laph in IOMap files, one for each source time and source spin. Elementals
 * of this family are not public; they come from elsewhere, made with the same eigenvectors.
 */
public final class LaphFormat implements DataFormat {
  private static final String NAME = "LapH IOMap";

  /** Files of one source have these in common. */
  private record Key(
      String label, Object ensemble, Object configuration, Object boundary, int eigenvectors) {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return IoMapFile.isIoMap(head, PerambulatorFile.IDENTIFIER);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    Map<Key, List<PerambulatorFile>> groups = new LinkedHashMap<>();
    context.forEach(
        files,
        path -> {
          PerambulatorFile file = PerambulatorFile.read(IoMapFile.open(path));
          Key key =
              new Key(
                  file.label(),
                  String.valueOf(file.ensemble()),
                  String.valueOf(file.configuration()),
                  String.valueOf(file.boundary()),
                  file.eigenvectors());
          groups.computeIfAbsent(key, absent -> new ArrayList<>()).add(file);
        });
    List<DataSource> sources = new ArrayList<>();
    groups.values().forEach(group -> sources.add(new Found(List.copyOf(group))));
    return sources;
  }

  private record Found(List<PerambulatorFile> parts) implements DataSource {
    @Override
    public List<Path> files() {
      return parts.stream().map(PerambulatorFile::path).toList();
    }

    @Override
    public PartialHeader header() {
      PerambulatorFile first = parts.get(0);
      int last = parts.stream().mapToInt(PerambulatorFile::lastTime).max().orElse(0);
      return new PartialHeader(
          first.ensemble(),
          first.configuration(),
          null,
          last + 1,
          first.eigenvectors(),
          DistillationHeader.EXPLICIT,
          first.boundary());
    }

    @Override
    public String format() {
      return NAME;
    }

    @Override
    public BlockSource open(ChunkCaches caches) {
      return new LaphSource(parts, header());
    }
  }
}
