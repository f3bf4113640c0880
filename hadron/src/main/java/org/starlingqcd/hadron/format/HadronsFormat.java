package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataSource;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

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
    return Stream.of("MetaData", "Metadata")
        .filter(name -> file.kind(name) == ObjectKind.GROUP)
        .findFirst()
        .orElse(null);
  }

  @Override
  public List<DataSource> sources(List<Path> files, Context context) {
    List<Path> used = new ArrayList<>();
    context.forEach(
        files,
        file -> {
          boolean isUsed =
              DistillationFile.hdf5(
                  () -> {
                    try (Hdf5File opened = Hdf5File.open(file)) {
                      return isUsed(opened, new FileFaults(file));
                    }
                  });
          if (isUsed) {
            used.add(file);
          }
        });
    return used.isEmpty()
        ? List.of()
        : MappedFormat.explained("Hadrons", NAME, List.copyOf(used), context);
  }

  private static boolean isUsed(Hdf5File file, FileFaults faults) {
    String name = file.path().getFileName().toString();
    if (file.kind(MESON_FIELD) != ObjectKind.GROUP) {
      checkPerambulator(file, name, faults);
      return true;
    }
    checkField(file, faults);
    Path folder = file.path().toAbsolutePath().getParent();
    String fields = folder == null ? "" : folder.getFileName().toString();
    faults.check(
        fields.matches("(rho|phi)-(rho|phi)\\.(\\d{1,9})"),
        "expected this meson field in a folder such as rho-rho.1000, whose name tells its fields"
            + " and the trajectory; found '%s'",
        fields);
    faults.check(
        fields.startsWith("rho-rho"),
        "is a field of solutions (phi), from which elementals cannot be taken apart; Starling reads"
            + " rho-rho with gamma Identity");
    if (!name.startsWith("Identity_p")) {
      LOG.info("left out: {}: of the gamma matrices, Identity alone is needed", file.path());
      return false;
    }
    return true;
  }

  /** Without dilution in time, the matrix of time t is that of the dilution indices t and t. */
  private static void checkField(Hdf5File file, FileFaults faults) {
    for (String time : file.children(MESON_FIELD)) {
      String group = MESON_FIELD + "/" + time;
      if (time.matches("\\d{1,9}") && file.kind(group) == ObjectKind.GROUP) {
        for (String pair : file.children(group)) {
          faults.check(
              pair.equals(time + "-" + time),
              "'%s' has a matrix '%s', expected '%s-%s' alone: its vectors are diluted in time, so"
                  + " it is no exact distillation",
              group,
              pair,
              time,
              time);
        }
      }
    }
  }

  /**
   * The source time stands in the name, and in metadata, which must agree. The axes are sink time,
   * sink vector, source vector, noise, source spin and sink spin.
   */
  private static void checkPerambulator(Hdf5File file, String name, FileFaults faults) {
    Matcher matcher = PERAMBULATOR_FILE.matcher(name);
    faults.check(
        matcher.matches(),
        "expected the name iDT_<source time>.<trajectory>.h5 for a perambulator of Hadrons");
    try (Hdf5Dataset dataset = file.dataset(PERAMBULATOR)) {
      long[] e = dataset.extents();
      if (e.length == 6 && (e[2] != e[1] || e[3] != 1 || e[4] != e[5])) {
        throw faults.fault(
            "'%s' is diluted: %s noises, %s combinations of %s eigenvectors, %s of %s spins;"
                + " Starling reads exact distillation, with one noise, all eigenvectors and all"
                + " spins",
            PERAMBULATOR, e[3], e[2], e[1], e[4], e[5]);
      }
    }
    String group = metadata(file);
    Hdf5Attributes attributes = file.attributes(group == null ? "/" : group);
    for (String attribute : attributes.names()) {
      if (attribute.equalsIgnoreCase("timeDilutionIndex")
          && attributes.type(attribute) == ElementType.INTEGER) {
        long index = attributes.integer(attribute);
        faults.check(
            index == Long.parseLong(matcher.group(1)),
            "its name says source time %s, its attribute %s %s",
            matcher.group(1),
            attribute,
            index);
      }
    }
  }
}
