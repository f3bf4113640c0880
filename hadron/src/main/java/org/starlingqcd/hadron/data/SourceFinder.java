package org.starlingqcd.hadron.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.data.DistillationFiles.Candidate;
import org.starlingqcd.hadron.data.DistillationFiles.Found;

/** Finds out which formats files have, and makes sources of them. */
final class SourceFinder {
  /** Files that a conversion or `synth` has not finished, and its list of what is done. */
  private static final Pattern UNFINISHED = Pattern.compile("\\.part(\\.done)?$");

  private static final Logger LOG = LoggerFactory.getLogger(SourceFinder.class);

  private final DataRequest request;
  private final Consumer<DistillationException> onFault;
  private final Map<String, Group> groups = new LinkedHashMap<>();

  /** Files of one label of the command line; the label "" stands for none. */
  private static final class Group {
    final Map<DataFormat, Set<Path>> known = new LinkedHashMap<>();
    final Map<Path, Boolean> unknown = new LinkedHashMap<>();
    final Set<Path> folders = new LinkedHashSet<>();
  }

  SourceFinder(DataRequest request, Consumer<DistillationException> onFault) {
    this.request = request;
    this.onFault = onFault;
  }

  /** All sources, in the order of the paths as far as formats allow. */
  List<Found> find() {
    request.paths().forEach(this::sort);
    Path mapping = request.mapping();
    if (mapping != null) {
      DataFormat format = DataFormat.of(mapping);
      if (format == null || !format.explainsOthers()) {
        throw new DistillationException(
            mapping
                + (Files.exists(mapping)
                    ? ": is not a mapping file; docs/your-data.md shows one"
                    : ": no such file"));
      }
      if (groups.isEmpty()) {
        groups.put("", new Group());
      }
      groups
          .values()
          .forEach(
              group ->
                  group.known.computeIfAbsent(format, f -> new LinkedHashSet<>()).add(mapping));
    }
    DataFormat.Facts facts = facts();
    List<Found> found = new ArrayList<>();
    groups.forEach(
        (label, group) -> {
          boolean explained = group.known.keySet().stream().anyMatch(DataFormat::explainsOthers);
          DataFormat.Context context =
              new DataFormat.Context(
                  facts,
                  List.copyOf(group.folders),
                  explained ? List.copyOf(group.unknown.keySet()) : List.of(),
                  onFault);
          group.known.forEach(
              (format, files) -> {
                for (DataSource source : format.sources(List.copyOf(files), context)) {
                  found.add(new Found(source, label.isEmpty() ? null : label, facts));
                }
              });
          if (!explained) {
            group.unknown.forEach(this::refuse);
          }
        });
    return found;
  }

  private void sort(String typed) {
    DataRequest.Labelled labelled = DataRequest.labelled(typed);
    Group group = groups.computeIfAbsent(labelled.label(), l -> new Group());
    Map<Path, Candidate> candidates = candidates(labelled.path(), group);
    KeptHeaders kept = new KeptHeaders(candidates.keySet(), new UserCache("headers"));
    for (Map.Entry<Path, Candidate> candidate : candidates.entrySet()) {
      Path file = candidate.getKey();
      if (UNFINISHED.matcher(file.toString()).find()) {
        continue;
      }
      DataFormat format = Hdf5Format.of(file, candidate.getValue().version(), kept);
      if (format == null) {
        group.unknown.merge(file, candidate.getValue().named(), Boolean::logicalOr);
      } else {
        group.known.computeIfAbsent(format, f -> new LinkedHashSet<>()).add(file);
      }
    }
    kept.write();
  }

  private Map<Path, Candidate> candidates(String path, Group group) {
    boolean folder = DataRequest.exists(path) && Files.isDirectory(Path.of(path));
    if (folder) {
      group.folders.add(Path.of(path));
    }
    try {
      return DistillationFiles.find(List.of(path));
    } catch (DistillationException e) {
      if (folder && request.mapping() != null) {
        // The mapping file knows the names of the files.
        return Map.of();
      }
      throw e;
    }
  }

  /** What mapping files and options say together; options come first. */
  private DataFormat.Facts facts() {
    PartialHeader header = PartialHeader.UNKNOWN;
    Map<String, String> labels = new LinkedHashMap<>();
    for (Group group : groups.values()) {
      for (Map.Entry<DataFormat, Set<Path>> entry : group.known.entrySet()) {
        if (entry.getKey().explainsOthers()) {
          for (Path file : entry.getValue()) {
            DataFormat.Facts facts = entry.getKey().facts(file);
            header = header.or(facts.header());
            labels.putAll(facts.labels());
          }
        }
      }
    }
    labels.putAll(request.labels());
    return new DataFormat.Facts(header, labels);
  }

  /** Says why a file that no format recognizes is none, if the user means it to be one. */
  private void refuse(Path file, boolean named) {
    try {
      if (!Files.isRegularFile(file) || DistillationFiles.hasHdf5Name(file)) {
        DistillationFile.readHeader(file);
      }
      throw DistillationException.of(
          "%s: is not a distillation file of a known format (%s)%s",
          file,
          String.join(", ", DataFormat.all().stream().map(DataFormat::name).toList()),
          DataFormat.adviceOn(file));
    } catch (DistillationException e) {
      if (named || !String.valueOf(e.getMessage()).contains("is not a distillation file")) {
        onFault.accept(e);
      } else {
        LOG.info("left out: {}", e.getMessage());
      }
    }
  }
}
