package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;
import org.starlingqcd.hadron.text.Printable;

/**
 * HDF5 files of Hadrons: perambulators {@code iDT_<t0>.<traj>.h5} and distillation meson fields
 * {@code rho-rho.<traj>/Identity_p<x>_<y>_<z>.h5}. Only exact distillation can be read. The axes
 * are those of the mapping {@code Hadrons}.
 */
public final class HadronsFormat implements DataFormat {
  private static final Logger LOG = LoggerFactory.getLogger(HadronsFormat.class);
  private static final String NAME = "Hadrons";
  private static final String PERAMBULATOR = "Perambulator";
  private static final String MESON_FIELD = "DistilMesonField";
  private static final Pattern PERAMBULATOR_FILE =
      Pattern.compile("iDT_(\\d{1,9})\\.(\\d{1,9})\\.h5");
  private static final Pattern FIELDS = Pattern.compile("(rho|phi)-(rho|phi)\\.(\\d{1,9})");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    if (!DataFormat.isHdf5(head)) {
      return false;
    }
    try (Hdf5File opened = Hdf5File.open(file)) {
      return opened.kind(MESON_FIELD) == ObjectKind.GROUP
          || (opened.kind(PERAMBULATOR) == ObjectKind.DATASET
              && (metadata(opened) != null
                  || PERAMBULATOR_FILE.matcher(file.getFileName().toString()).matches()));
    } catch (Hdf5Exception e) {
      return false;
    }
  }

  /** The group with metadata of a perambulator. */
  private static @Nullable String metadata(Hdf5File file) {
    for (String name : List.of("MetaData", "Metadata")) {
      if (file.kind(name) == ObjectKind.GROUP) {
        return name;
      }
    }
    return null;
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<Path> used = new ArrayList<>();
    context.forEach(
        files,
        file -> {
          if (isUsed(file)) {
            used.add(file);
          }
        });
    return used.isEmpty()
        ? List.of()
        : MappedFormat.explained("Hadrons", NAME, List.copyOf(used), context);
  }

  private static boolean isUsed(Path file) {
    String name = file.getFileName().toString();
    try (Hdf5File opened = Hdf5File.open(file)) {
      if (opened.kind(MESON_FIELD) != ObjectKind.GROUP) {
        checkPerambulator(opened, name);
        return true;
      }
      checkField(opened);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
    Path folder = file.toAbsolutePath().getParent();
    String fields = folder == null ? "" : folder.getFileName().toString();
    Matcher matcher = FIELDS.matcher(fields);
    if (!matcher.matches()) {
      throw new DistillationException(
          ("%s: expected this meson field in a folder such as rho-rho.1000, whose name "
                  + "tells its fields and the trajectory; found '%s'")
              .formatted(file, fields));
    }
    if (!matcher.group(1).equals("rho") || !matcher.group(2).equals("rho")) {
      throw new DistillationException(
          ("%s: is a field of solutions (phi), from which elementals cannot be taken "
                  + "apart; Starling reads rho-rho with gamma Identity")
              .formatted(file));
    }
    if (!name.startsWith("Identity_p")) {
      LOG.info("left out: {}: of the gamma matrices, Identity alone is needed", file);
      return false;
    }
    return true;
  }

  /** The axes are sink time, sink vector, source vector, noise, source spin and sink spin. */
  private static void checkExact(Hdf5File file) {
    try (Hdf5Dataset dataset = file.dataset(PERAMBULATOR)) {
      long[] extents = dataset.extents();
      if (extents.length == 6
          && (extents[2] != extents[1] || extents[3] != 1 || extents[4] != extents[5])) {
        throw new DistillationException(
            ("%s: '%s' is diluted: %s noises, %s combinations of %s eigenvectors, %s of "
                    + "%s spins; Starling reads exact distillation, with one noise, all "
                    + "eigenvectors and all spins")
                .formatted(
                    file.path(),
                    PERAMBULATOR,
                    extents[3],
                    extents[2],
                    extents[1],
                    extents[4],
                    extents[5]));
      }
    }
  }

  /** Without dilution in time, the matrix of time t is that of the dilution indices t and t. */
  private static void checkField(Hdf5File file) {
    for (String time : file.children(MESON_FIELD)) {
      String group = MESON_FIELD + "/" + time;
      if (!time.matches("\\d{1,9}") || file.kind(group) != ObjectKind.GROUP) {
        continue;
      }
      for (String pair : file.children(group)) {
        if (!pair.equals(time + "-" + time)) {
          throw new DistillationException(
              ("%s: '%s' has a matrix '%s', expected '%s-%s' alone: its vectors are diluted "
                      + "in time, so it is no exact distillation")
                  .formatted(file.path(), group, Printable.of(pair), time, time));
        }
      }
    }
  }

  /** The source time stands in the name, and in metadata, which must agree. */
  private static void checkPerambulator(Hdf5File file, String name) {
    Matcher matcher = PERAMBULATOR_FILE.matcher(name);
    if (!matcher.matches()) {
      throw new DistillationException(
          file.path()
              + ": expected the name iDT_<source time>.<trajectory>.h5 for a perambulator of Hadrons");
    }
    checkExact(file);
    String group = metadata(file);
    Hdf5Attributes attributes = file.attributes(group == null ? "/" : group);
    for (String attribute : attributes.names()) {
      if (attribute.toLowerCase(Locale.ROOT).equals("timedilutionindex")
          && attributes.type(attribute) == ElementType.INTEGER
          && attributes.integer(attribute) != Long.parseLong(matcher.group(1))) {
        throw new DistillationException(
            "%s: its name says source time %s, its attribute %s %s"
                .formatted(
                    file.path(), matcher.group(1), attribute, attributes.integer(attribute)));
      }
    }
  }
}
