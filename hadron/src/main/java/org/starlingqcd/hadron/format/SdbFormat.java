package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/** SDB files of Chroma: perambulators, meson and baryon elementals. */
public final class SdbFormat implements DataFormat {
  private static final String NAME = "Chroma SDB";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return FiledbHeader.isFiledb(head);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<DataSource> sources = new ArrayList<>();
    context.forEach(files, file -> sources.add(source(file)));
    return sources;
  }

  private static DataSource source(Path path) {
    try (FiledbFile file = FiledbFile.open(path)) {
      if (file.header().configurations() > 1) {
        throw new DistillationException(
            path
                + ": holds "
                + file.header().configurations()
                + " configurations in one file; Starling reads files of one configuration");
      }
      ChromaMetadata metadata = ChromaMetadata.parse(path, file.metadata());
      String id = metadata.text("id");
      SdbContents.Kind kind = SdbContents.Kind.of(id);
      if (kind == null) {
        throw new DistillationException(
            path
                + ": the metadata call this SDB file '"
                + Printable.of(id == null ? "" : id)
                + "'; Starling reads propElemOp (perambulators), mesonElemOp and baryonElemOp");
      }
      SdbSource.First first = SdbSource.first(file);
      int[] lattice = metadata.lattice();
      PartialHeader header =
          new PartialHeader(
              null,
              ConfigurationNumber.of(path),
              lattice == null ? null : lattice[0],
              lattice == null ? null : lattice[3],
              first == null ? null : first.eigenvectors(),
              kind == SdbContents.Kind.PERAMBULATORS ? DistillationHeader.DEGRAND_ROSSI : null,
              null);
      boolean derivatives =
          kind == SdbContents.Kind.MESONS && first != null && first.type() == SdbSource.DERIVATIVE;
      return DataSource.of(
          path,
          NAME,
          header,
          caches -> SdbSource.open(path, header, kind, derivatives, new IndexCache()));
    }
  }
}
