package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;

/** S3T files of Chroma: perambulators and baryon elementals. */
public final class S3tFormat implements DataFormat {
  private static final String NAME = "Chroma S3T";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return S3tFile.isS3t(head);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(
        files,
        file -> {
          try (S3tSource source = S3tSource.open(file)) {
            sources.add(DataSource.of(file, NAME, source.header(), caches -> S3tSource.open(file)));
          }
        });
    return sources;
  }
}
