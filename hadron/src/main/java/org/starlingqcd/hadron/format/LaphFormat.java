package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators of quda_laph in IOMap files, one for each source time and source spin. Elementals
 * of this family are not public; they come from elsewhere, made with the same eigenvectors.
 */
public final class LaphFormat implements DataFormat {
  @Override
  public String name() {
    return "LapH IOMap";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return IoMapFile.isIoMap(head, PerambulatorFile.IDENTIFIER);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    Map<List<Object>, List<PerambulatorFile>> groups = new LinkedHashMap<>();
    context.forEach(
        files,
        path -> {
          PerambulatorFile file = PerambulatorFile.read(IoMapFile.open(path));
          // What files of one source have in common; some may be null.
          List<Object> key =
              Arrays.asList(
                  file.label(),
                  file.ensemble(),
                  file.configuration(),
                  file.boundary(),
                  file.eigenvectors());
          groups.computeIfAbsent(key, absent -> new ArrayList<>()).add(file);
        });
    return groups.values().stream().map(this::source).toList();
  }

  private DataSource source(List<PerambulatorFile> files) {
    PerambulatorFile first = files.get(0);
    int last = files.stream().mapToInt(PerambulatorFile::lastTime).max().orElse(0);
    PartialHeader header =
        new PartialHeader(
            first.ensemble(),
            first.configuration(),
            null,
            last + 1,
            first.eigenvectors(),
            DistillationHeader.EXPLICIT,
            first.boundary());
    return DataSource.of(
        files.stream().map(PerambulatorFile::path).toList(),
        name(),
        header,
        caches -> LaphSource.open(files, header));
  }
}
