package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.format.ArrayEntry.Complex;
import org.starlingqcd.hadron.format.ArrayEntry.Kind;
import org.starlingqcd.hadron.format.ArrayEntry.Storage;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlDocument;
import org.starlingqcd.hadron.yaml.YamlException;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * Reads mapping files (docs/your-data.md). A mapping may begin with one that comes with the
 * program.
 */
final class MappingReader {
  /** Mappings that come with the program. */
  static final List<String> SHIPPED =
      List.of("EasyDistillation", "Hadrons", "PerambulatorContractions.jl");

  private static final long LONGEST = 4 << 20;
  private static final long LARGEST_EXTENT = 1 << 20;
  private static final Pattern SPLIT =
      Pattern.compile("split\\s*\\(\\s*([^,()\\s]+)\\s*,\\s*([^,()\\s]+)\\s*\\)");
  private static final Pattern COMPOUND = Pattern.compile("compound\\s*(\\([^()]*\\))?");
  private static final Pattern NUMBER = Pattern.compile("[<>]?[cf](4|8|16)");

  private final Path path;
  private final Optional<Path> folder;
  private final String file;

  private MappingReader(Path path, boolean shipped) {
    this.path = path;
    this.folder =
        shipped
            ? Optional.empty()
            : Optional.of(
                path.toAbsolutePath().normalize().getParent() == null
                    ? Path.of("/")
                    : path.toAbsolutePath().normalize().getParent());
    this.file = path.toString();
  }

  /** The mapping that comes with the program under a name; empty for any other name. */
  static Optional<String> shipped(String name) {
    return SHIPPED.stream()
        .filter(known -> known.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /**
   * Reads a mapping file, or one that comes with the program if there is no such file.
   *
   * @throws DistillationException when it cannot be read; the message names file and line
   */
  static Mapping read(Path path) {
    Optional<String> shipped = Files.exists(path) ? Optional.empty() : shipped(path.toString());
    String text = shipped.isPresent() ? resource(shipped.get()) : text(path);
    return new MappingReader(path, shipped.isPresent()).mapping(text);
  }

  private static String text(Path path) {
    try {
      PlainFile.check(path);
      if (Files.size(path) > LONGEST) {
        throw new DistillationException(path + ": is no mapping file: it has more than 4 MiB");
      }
      return Files.readString(path, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new DistillationException(path + ": is no mapping file: it is not text in UTF-8", e);
    } catch (IOException e) {
      throw new DistillationException(path + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = MappingReader.class.getResourceAsStream(name + ".yaml")) {
      if (in == null) {
        throw new IllegalStateException("the mapping " + name + " is missing in the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new DistillationException(name + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private YamlNode parse(String text) {
    try {
      return YamlDocument.parse(text);
    } catch (YamlException e) {
      throw Keys.fault(file, e.line(), String.valueOf(e.getMessage()));
    }
  }

  private Mapping mapping(String text) {
    YamlNode root = parse(text);
    Optional<String> base = Keys.of(file, "mapping", root).text("like");
    if (base.isPresent()) {
      String name =
          shipped(base.get())
              .orElseThrow(
                  () ->
                      Keys.of(file, "mapping", root)
                          .fault(
                              "like",
                              "expected one of %s, found %s"
                                  .formatted(String.join(", ", SHIPPED), Quoted.of(base.get()))));
      return mapping(Keys.of(file, "mapping", merged(parse(resource(name)), root)));
    }
    return mapping(Keys.of(file, "mapping", root));
  }

  /**
   * A tree whose values replace those of another; mappings are joined key by key, and a key without
   * a value removes one.
   */
  private static YamlNode merged(YamlNode base, YamlNode changes) {
    if (!(base instanceof YamlNode.Mapping below) || !(changes instanceof YamlNode.Mapping above)) {
      return changes;
    }
    LinkedHashMap<String, YamlNode.Entry> entries = new LinkedHashMap<>(below.entries());
    above
        .entries()
        .forEach(
            (key, entry) -> {
              if (entry.value() instanceof YamlNode.Scalar scalar
                  && scalar.plain()
                  && scalar.text().isEmpty()) {
                entries.remove(key);
                return;
              }
              entries.merge(
                  key,
                  entry,
                  (old, changed) ->
                      new YamlNode.Entry(changed.line(), merged(old.value(), changed.value())));
            });
    return new YamlNode.Mapping(
        above.line(), below.size() + above.size(), entries, above.repeated());
  }

  private Mapping mapping(Keys root) {
    root.text("like");
    String basis =
        root.word("gamma_basis", SpinBases.names()).orElse(DistillationHeader.DEGRAND_ROSSI);
    boolean sourceG4 = root.word("source_gamma", List.of("none", "g4")).orElse("none").equals("g4");
    Optional<String> boundary = root.word("temporal_boundary", List.of("antiperiodic", "periodic"));
    PartialHeader header =
        new PartialHeader(
            root.text("ensemble").orElse(null),
            root.integer("configuration", 0, Long.MAX_VALUE / 10).orElse(null),
            extent(root, "spatial_extent"),
            extent(root, "temporal_extent"),
            extent(root, "num_eigenvectors"),
            null,
            boundary.orElse(null));
    Map<String, String> labels = new LinkedHashMap<>();
    root.keys("labels")
        .ifPresent(
            keys -> keys.names().forEach(name -> labels.put(name, keys.text(name).orElse(name))));
    List<ArrayEntry> entries = new ArrayList<>();
    root.keys("perambulators").ifPresent(keys -> entries(keys, Kind.PERAMBULATOR, entries));
    root.keys("elementals")
        .ifPresent(
            keys -> {
              keys.keys("meson").ifPresent(k -> entries(k, Kind.MESON, entries));
              keys.keys("baryon").ifPresent(k -> entries(k, Kind.BARYON, entries));
              keys.finish();
            });
    root.finish();
    GammaBasis matrices = SpinBases.known(basis);
    return new Mapping(
        path, folder.orElse(null), header, labels, matrices, basis, sourceG4, entries);
  }

  private static @Nullable Integer extent(Keys root, String key) {
    return root.integer(key, 1, LARGEST_EXTENT).map(Long::intValue).orElse(null);
  }

  private void entries(Keys keys, Kind kind, List<ArrayEntry> entries) {
    for (String name : keys.names()) {
      keys.keys(name).ifPresent(entry -> entries.add(entry(entry, kind, name)));
    }
  }

  private ArrayEntry entry(Keys keys, Kind kind, String name) {
    boolean elemental = kind != Kind.PERAMBULATOR;
    NameTemplate files =
        template(keys, "file")
            .orElseThrow(() -> keys.fault("expected a key 'file', the name of the files"));
    Optional<NameTemplate> dataset = template(keys, "dataset");
    Map<String, Long> fixed = new LinkedHashMap<>();
    keys.keys("fixed")
        .ifPresent(
            indices -> {
              for (String axis : indices.names()) {
                indices
                    .integer(axis, 0, Integer.MAX_VALUE)
                    .ifPresent(index -> fixed.put(axis, index));
              }
            });
    List<String> texts =
        keys.texts("axes")
            .orElseThrow(
                () -> keys.fault("expected a key 'axes', the meaning of each axis of the array"));
    List<Axis> axes;
    try {
      axes = Axis.read(texts, fixed, meanings(kind));
    } catch (IllegalArgumentException e) {
      throw keys.fault("axes", String.valueOf(e.getMessage()));
    }
    Storage storage = storage(keys);
    double[] factor = keys.complex("factor", 1);
    Optional<String> phase =
        elemental ? keys.word("phase", List.of("plus", "minus")) : Optional.of("minus");
    MomentumList momenta = elemental ? momenta(keys) : new MomentumList.None();
    ArrayEntry entry =
        new ArrayEntry(
            kind,
            name,
            keys.line(),
            files,
            dataset.orElse(null),
            axes,
            storage,
            factor[0],
            factor[1],
            phase.orElse("").equals("plus") ? 1 : -1,
            momenta,
            elemental ? keys.word("momentum_order", List.of("xyz", "zyx")).orElse("xyz") : "xyz",
            elemental ? keys.triples("only", MomentumList.LARGEST).orElse(List.of()) : List.of(),
            times(keys, elemental),
            elemental
                || keys.word("gamma5_hermitian", List.of("true", "false"))
                    .orElse("true")
                    .equals("true"));
    keys.finish();
    if (phase.isEmpty()) {
      throw keys.fault(
          "expected a key 'phase': plus if the file has e^{+ip·x}, minus for e^{-ip·x}");
    }
    checkIndices(keys, entry);
    return entry;
  }

  private static Set<String> meanings(Kind kind) {
    return new LinkedHashSet<>(
        switch (kind) {
          case PERAMBULATOR ->
              List.of("t_src", "t_snk", "dt", "alpha_snk", "beta_src", "i_snk", "j_src");
          case MESON -> List.of("momentum", "t", "i", "j", "alpha", "beta");
          case BARYON -> List.of("momentum", "t", "i", "j", "k");
        });
  }

  private static Optional<NameTemplate> template(Keys keys, String key) {
    return keys.text(key)
        .map(
            text -> {
              try {
                return new NameTemplate(text);
              } catch (IllegalArgumentException e) {
                throw keys.fault(key, String.valueOf(e.getMessage()));
              }
            });
  }

  private static ArrayEntry.Times times(Keys keys, boolean elemental) {
    return new ArrayEntry.Times(
        elemental ? List.of() : keys.integers("source_times", 0, LARGEST_EXTENT).orElse(List.of()),
        keys.integers(elemental ? "times" : "sink_times", 0, LARGEST_EXTENT).orElse(List.of()));
  }

  private static Storage storage(Keys keys) {
    String complex = keys.text("complex").orElse("");
    String order =
        keys.word("byte_order", List.of("little", "big")).orElse("little").equals("big")
            ? ">"
            : "<";
    List<Long> shape = keys.integers("shape", 1, Long.MAX_VALUE / 1_000_000).orElse(List.of());
    long offset = keys.integer("offset", 0, Long.MAX_VALUE / 1_000_000).orElse(0L);
    String type = keys.text("type").orElse("");
    if (!type.isEmpty() && !NUMBER.matcher(type).matches()) {
      throw keys.fault("type", "expected c16, c8, f8 or f4, found " + Quoted.of(type));
    }
    Matcher split = SPLIT.matcher(complex);
    if (split.matches()) {
      return new Storage(
          Complex.SPLIT,
          split.group(1),
          split.group(2),
          ordered(type.isEmpty() ? "f8" : type, order),
          shape,
          offset);
    }
    if (complex.equals("last axis 2")) {
      return new Storage(
          Complex.LAST_AXIS, "", "", ordered(type.isEmpty() ? "f8" : type, order), shape, offset);
    }
    boolean number = NUMBER.matcher(complex).matches() && complex.contains("c");
    if (!complex.isEmpty() && !number && !COMPOUND.matcher(complex).matches()) {
      throw keys.fault(
          "complex",
          "expected c16, c8, compound(re, im), last axis 2 or split(real, imag), found "
              + Quoted.of(complex));
    }
    String kept = number ? complex : type;
    return new Storage(
        Complex.NATIVE, "", "", kept.isEmpty() ? null : ordered(kept, order), shape, offset);
  }

  private static String ordered(String type, String order) {
    return type.startsWith("<") || type.startsWith(">") ? type : order + type;
  }

  private MomentumList momenta(Keys keys) {
    Optional<YamlNode> node = keys.node("momenta");
    if (node.isEmpty()) {
      return new MomentumList.None();
    }
    if (node.get() instanceof YamlNode.Sequence) {
      return new MomentumList.Written(
          keys.triples("momenta", MomentumList.LARGEST).orElse(List.of()));
    }
    if (node.get() instanceof YamlNode.Mapping) {
      Keys inner = keys.keys("momenta").orElseThrow();
      Optional<String> dataset = inner.text("dataset");
      Optional<Long> squared = inner.integer("squared", 0, 10_000);
      String slowest =
          inner.word("slowest", List.of("xyz", "xzy", "yxz", "yzx", "zxy", "zyx")).orElse("zyx");
      inner.finish();
      if (dataset.isPresent()) {
        return new MomentumList.InDataset(dataset.get());
      }
      return new MomentumList.Written(
          MomentumList.ball(
              squared.orElseThrow(() -> inner.fault("expected a key 'dataset' or 'squared'")),
              slowest));
    }
    Path list = Path.of(keys.text("momenta").orElse(""));
    return new MomentumList.InFile(folder.map(below -> below.resolve(list)).orElse(list));
  }

  /** Every index must stand once: along an axis or in a name. */
  private static void checkIndices(Keys keys, ArrayEntry entry) {
    if (entry.kind() == Kind.PERAMBULATOR) {
      require(keys, entry, "the sink time", "t_snk", "dt", "{t}", "{dt}");
      require(keys, entry, "the source time", "t_src", "{t0}");
      require(keys, entry, "the sink spin", "alpha_snk", "{alpha}");
      require(keys, entry, "the source spin", "beta_src", "{beta}");
      require(keys, entry, "the sink vector", "i_snk");
      require(keys, entry, "the source vector", "j_src");
    } else {
      require(keys, entry, "the time", "t", "{t}");
      require(keys, entry, "the first vector", "i");
      require(keys, entry, "the second vector", "j");
      if (entry.kind() == Kind.BARYON) {
        require(keys, entry, "the third vector", "k");
      }
      if (entry.hasAxis("alpha") != entry.hasAxis("beta")) {
        throw keys.fault("axes", "expected both spins, alpha and beta, or none");
      }
      if (entry.hasAxis("momentum")) {
        if (entry.momenta() instanceof MomentumList.None) {
          throw keys.fault(
              "expected a key 'momenta': a file with a momentum in each line, a list, or {dataset:"
                  + " NAME}");
        }
      } else {
        require(keys, entry, "the x component of the momentum", "{nx}");
        require(keys, entry, "the y component of the momentum", "{ny}");
        require(keys, entry, "the z component of the momentum", "{nz}");
      }
    }
    if (entry.storage().complex() == Complex.SPLIT && !entry.hasPlaceholder("part")) {
      throw keys.fault("complex", "split(…) needs the placeholder {part} in 'file' or 'dataset'");
    }
  }

  private static void require(Keys keys, ArrayEntry entry, String what, String... places) {
    List<String> found = new ArrayList<>();
    for (String place : places) {
      boolean there =
          place.startsWith("{")
              ? entry.hasPlaceholder(place.substring(1, place.length() - 1))
              : entry.hasAxis(place);
      if (there) {
        found.add(place);
      }
    }
    if (found.isEmpty()) {
      throw keys.fault(
          "%s is missing: expected %s, an axis or a placeholder of a name"
              .formatted(what, String.join(" or ", places)));
    }
    if (found.size() > 1) {
      throw keys.fault(what + " stands twice: " + String.join(" and ", found));
    }
  }
}
