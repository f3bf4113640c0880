package org.starlingqcd.hadron.chroma;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.ChunkCaches;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.PartialHeader;

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
    for (Path file : files) {
      try (S3tSource source = S3tSource.open(file)) {
        sources.add(new Found(file, source.header()));
      } catch (DistillationException e) {
        context.onFault().accept(e);
      }
    }
    return sources;
  }

  private record Found(Path path, PartialHeader header) implements DataSource {
    @Override
    public List<Path> files() {
      return List.of(path);
    }

    @Override
    public String format() {
      return NAME;
    }

    @Override
    public BlockSource open(ChunkCaches caches) {
      return S3tSource.open(path);
    }
  }
}
