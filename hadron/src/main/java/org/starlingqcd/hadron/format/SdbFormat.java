package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.PartialHeader;

/** SDB files of Chroma: perambulators, meson and baryon elementals. */
public final class SdbFormat extends FileFormat {
  @Override
  public String name() {
    return "Chroma SDB";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return FiledbHeader.isFiledb(head);
  }

  @Override
  protected PartialHeader header(Path file) {
    try (FiledbFile opened = FiledbFile.open(file)) {
      return SdbSource.describe(opened).header();
    }
  }

  @Override
  protected BlockSource open(Path file) {
    return SdbSource.open(file, new IndexCache());
  }
}
