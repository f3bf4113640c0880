package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.format.Mapping.Complex;
import org.starlingqcd.hadron.format.Mapping.Entry;
import org.starlingqcd.hadron.format.Mapping.Kind;
import org.starlingqcd.hadron.format.Mapping.Storage;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
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

  static final int LONGEST = 4 << 20;
  private static final long LARGEST_EXTENT = 1 << 20;
  private static final long LARGEST_NUMBER = Long.MAX_VALUE / 10;
  private static final long LARGEST_BYTES = Long.MAX_VALUE / 1_000_000;

  private static final List<String> OF_MAPPING =
      words(
          "like gamma_basis source_gamma temporal_boundary ensemble configuration spatial_extent"
              + " temporal_extent num_eigenvectors labels perambulators generalized_perambulators"
              + " loops elementals");
  private static final List<String> OF_ELEMENTALS = words("meson baryon");
  private static final String OF_ARRAY =
      "file dataset fixed axes complex byte_order shape offset type factor ";
  private static final String OF_MOMENTA = OF_ARRAY + "phase momenta momentum_order only times ";
  private static final Map<Kind, List<String>> OF_KINDS =
      Map.of(
          Kind.PERAMBULATOR,
          words(OF_ARRAY + "source_times sink_times gamma5_hermitian"),
          Kind.GENERALIZED,
          words(OF_MOMENTA + "gammas displacement source_times sink_times"),
          Kind.LOOP,
          words(OF_MOMENTA + "gammas displacement"),
          Kind.MESON,
          words(OF_MOMENTA),
          Kind.BARYON,
          words(OF_MOMENTA));
  private static final List<String> ORDERS = words("xyz xzy yxz yzx zxy zyx");

  private static final Pattern SPLIT =
      Pattern.compile("split\\s*\\(\\s*([^,()\\s]+)\\s*,\\s*([^,()\\s]+)\\s*\\)");
  private static final Pattern COMPOUND = Pattern.compile("compound\\s*(\\([^()]*\\))?");
  private static final Pattern NUMBER = Pattern.compile("[<>]?[cf](4|8|16)");

  private final Path path;
  private final @Nullable Path folder;
  private final Place start;

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  private MappingReader(Path path, @Nullable Path folder) {
    this.path = path;
    this.folder = folder;
    this.start =
        Place.start(
                (line, part, message, cause) ->
                    new DistillationException(
                        path + ": line " + line + ": " + part + ": " + message, cause))
            .in("mapping");
  }

  /** The mapping that comes with the program under a name; empty for any other name. */
  static Optional<String> shipped(String name) {
    return SHIPPED.stream().filter(known -> known.equalsIgnoreCase(name)).findFirst();
  }

  /**
   * Reads a mapping file, or one that comes with the program if there is no such file.
   *
   * @throws DistillationException when it cannot be read; the message names file and line
   */
  static Mapping read(Path path) {
    Optional<String> shipped = Files.exists(path) ? Optional.empty() : shipped(path.toString());
    return shipped.isPresent()
        ? new MappingReader(path, null).mapping(resource(shipped.get()))
        : new MappingReader(path, path.toAbsolutePath().resolveSibling("").normalize())
            .mapping(FileFaults.text(path, LONGEST, "mapping file"));
  }

  /** The text of a mapping that comes with the program. */
  static String resource(String name) {
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
      throw start.at(e.line()).error(e);
    }
  }

  private Mapping mapping(String text) {
    YamlNode root = parse(text);
    Fields own = Fields.of(root, "a mapping", start);
    own.names();
    if (!own.has("like")) {
      return mapping(own);
    }
    String name =
        own.value(
            "like",
            base ->
                shipped(base)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "expected one of %s, found %s"
                                    .formatted(String.join(", ", SHIPPED), Quoted.of(base)))));
    return mapping(Fields.of(merged(parse(resource(name)), root), "a mapping", start));
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

  private Mapping mapping(Fields root) {
    root.allow(OF_MAPPING);
    String basis = word(root, "gamma_basis", DistillationHeader.DEGRAND_ROSSI, SpinBases.names());
    boolean sourceG4 = isWord(root, "source_gamma", "g4", "none", "g4");
    PartialHeader header =
        new PartialHeader(
            read(root, "ensemble", text -> text),
            read(root, "configuration", text -> Fields.integer(text, 0, LARGEST_NUMBER)),
            read(root, "spatial_extent", MappingReader::extent),
            read(root, "temporal_extent", MappingReader::extent),
            read(root, "num_eigenvectors", MappingReader::extent),
            null,
            read(root, "temporal_boundary", text -> Fields.word(text, "antiperiodic", "periodic")));
    Map<String, String> labels = new LinkedHashMap<>();
    if (root.has("labels")) {
      Fields names = root.in("mapping: labels").fields("labels", "labels");
      names.names().forEach(name -> labels.put(name, names.text(name)));
    }
    List<Entry> entries = new ArrayList<>();
    for (Kind kind : List.of(Kind.PERAMBULATOR, Kind.GENERALIZED, Kind.LOOP)) {
      if (root.has(kind.key)) {
        addEntries(root, kind.key, kind, entries);
      }
    }
    if (root.has("elementals")) {
      Fields elementals =
          root.in("mapping: elementals").fields("elementals", "elementals").allow(OF_ELEMENTALS);
      for (String kind : elementals.names()) {
        addEntries(
            elementals, kind, kind.equals(Kind.MESON.key) ? Kind.MESON : Kind.BARYON, entries);
      }
    }
    return new Mapping(
        path, folder, header, labels, SpinBases.known(basis), sourceG4, List.copyOf(entries));
  }

  private static int extent(String text) {
    return (int) Fields.integer(text, 1, LARGEST_EXTENT);
  }

  /** The value of a key; null without it. */
  private static <T> @Nullable T read(Fields keys, String key, Function<String, T> reader) {
    return keys.has(key) ? keys.value(key, reader) : null;
  }

  private static String word(Fields keys, String key, String otherwise, List<String> words) {
    return keys.value(key, otherwise, text -> Fields.word(text, words.toArray(String[]::new)));
  }

  /** Whether the value of a key is a certain one of some words, of which the first is implied. */
  private static boolean isWord(Fields keys, String key, String asked, String... words) {
    return keys.value(key, words[0], text -> Fields.word(text, words)).equals(asked);
  }

  private static List<Long> integers(Fields keys, String key, long least, long most) {
    return keys.has(key) ? keys.values(key, text -> Fields.integer(text, least, most)) : List.of();
  }

  private void addEntries(Fields keys, String under, Kind kind, List<Entry> entries) {
    String part = keys.place().part() + ": " + under;
    Fields named = keys.in(part).fields(under, under);
    for (String name : named.names()) {
      YamlNode node = named.node(name);
      for (YamlNode array : node instanceof YamlNode.Sequence all ? all.items() : List.of(node)) {
        Fields entry = Fields.of(array, "an array", named.in(part + ": " + name).place(name));
        entries.add(entry(entry.allow(Objects.requireNonNull(OF_KINDS.get(kind))), kind, name));
      }
    }
  }

  private Entry entry(Fields keys, Kind kind, String name) {
    boolean perambulator = kind == Kind.PERAMBULATOR;
    if (!keys.has("file")) {
      throw keys.error("expected a key 'file', the name of the files");
    }
    Map<String, Long> fixed = new LinkedHashMap<>();
    if (keys.has("fixed")) {
      Fields indices = keys.fields("fixed", "fixed");
      for (String axis : indices.names()) {
        fixed.put(axis, indices.value(axis, text -> Fields.integer(text, 0, Integer.MAX_VALUE)));
      }
    }
    if (!keys.has("axes")) {
      throw keys.error("expected a key 'axes', the meaning of each axis of the array");
    }
    List<Axis> axes;
    try {
      axes = Axis.read(keys.values("axes", text -> text), fixed, kind.meanings());
    } catch (IllegalArgumentException e) {
      throw keys.error("axes", "axes: %s", e.getMessage());
    }
    String phase = perambulator ? "minus" : word(keys, "phase", "", List.of("plus", "minus"));
    Entry entry =
        new Entry(
            path,
            kind,
            name,
            keys.place().line(),
            keys.value("file", NameTemplate::new),
            read(keys, "dataset", NameTemplate::new),
            axes,
            storage(keys),
            factor(keys),
            phase.equals("plus") ? -1 : 1,
            momenta(keys),
            isWord(keys, "momentum_order", "zyx", "xyz", "zyx"),
            keys.has("only")
                ? triples(keys, "only").stream().map(n -> List.of(n[0], n[1], n[2])).toList()
                : List.of(),
            integers(keys, "source_times", 0, LARGEST_EXTENT),
            integers(keys, perambulator ? "sink_times" : "times", 0, LARGEST_EXTENT),
            perambulator ? List.of() : integers(keys, "sink_times", 0, LARGEST_EXTENT),
            isWord(keys, "gamma5_hermitian", "true", "true", "false"),
            keys.has("gammas") ? keys.values("gammas", MappingReader::gamma) : List.of(),
            keys.text("displacement", ElementalRef.NO_DISPLACEMENT));
    if (phase.isEmpty()) {
      throw keys.error(
          "expected a key 'phase': plus if the file has e^{+ip·x}, minus for e^{-ip·x}");
    }
    checkIndices(keys, entry);
    return entry;
  }

  /** A product of g1 … g5, or the number of Chroma: g1 for bit 0, …, g4 for bit 3. */
  private static Gamma gamma(String text) {
    return text.matches("[02-9]|1[0-5]") ? new Gamma(Integer.parseInt(text), 1) : Gamma.parse(text);
  }

  /** A real number, or a list of real and imaginary part. */
  private static double[] factor(Fields keys) {
    List<Double> parts = keys.oneOrMore("factor", Fields::real);
    boolean list = keys.has("factor") && keys.node("factor") instanceof YamlNode.Sequence;
    if (list && parts.size() != 2) {
      throw keys.error("factor", "factor: expected a number or [real part, imaginary part]");
    }
    return new double[] {parts.isEmpty() ? 1 : parts.get(0), list ? parts.get(1) : 0};
  }

  private static List<long[]> triples(Fields keys, String key) {
    List<long[]> triples = new ArrayList<>();
    for (YamlNode item : keys.list(key)) {
      if (!(item instanceof YamlNode.Sequence list) || list.items().size() != 3) {
        throw keys.error(key, "%s: expected momenta such as [0, 0, 1]", key);
      }
      triples.add(
          keys
              .values(
                  item,
                  key,
                  text -> Fields.integer(text, -MomentumList.LARGEST, MomentumList.LARGEST))
              .stream()
              .mapToLong(Long::longValue)
              .toArray());
    }
    return triples;
  }

  private static Storage storage(Fields keys) {
    String complex = keys.text("complex", "");
    String order = isWord(keys, "byte_order", "big", "little", "big") ? ">" : "<";
    List<Long> shape = integers(keys, "shape", 1, LARGEST_BYTES);
    long offset = keys.value("offset", 0L, text -> Fields.integer(text, 0, LARGEST_BYTES));
    String type = keys.text("type", "");
    if (!type.isEmpty() && !NUMBER.matcher(type).matches()) {
      throw keys.error("type", "type: expected c16, c8, f8 or f4, found %s", Quoted.of(type));
    }
    Matcher split = SPLIT.matcher(complex);
    boolean parts = split.matches();
    boolean lastAxis = complex.equals("last axis 2");
    if (parts || lastAxis) {
      type = type.isEmpty() ? "f8" : type;
    } else if (NUMBER.matcher(complex).matches() && complex.contains("c")) {
      type = complex;
    } else if (!complex.isEmpty() && !COMPOUND.matcher(complex).matches()) {
      throw keys.error(
          "complex",
          "complex: expected c16, c8, compound(re, im), last axis 2 or split(real, imag), found %s",
          Quoted.of(complex));
    }
    return new Storage(
        parts ? Complex.SPLIT : lastAxis ? Complex.LAST_AXIS : Complex.NATIVE,
        parts ? List.of(split.group(1), split.group(2)) : List.of(),
        type.isEmpty() ? null : type.matches("[<>].*") ? type : order + type,
        shape,
        offset);
  }

  private @Nullable MomentumList momenta(Fields keys) {
    if (!keys.has("momenta")) {
      return null;
    }
    if (keys.node("momenta") instanceof YamlNode.Sequence) {
      List<long[]> written = triples(keys, "momenta");
      return beside -> written;
    }
    if (keys.node("momenta") instanceof YamlNode.Mapping) {
      Fields inner =
          keys.in(keys.place().part() + ": momenta")
              .fields("momenta", "momenta")
              .allow(List.of("dataset", "squared", "slowest"));
      if (inner.has("dataset")) {
        return MomentumList.inDataset(inner.text("dataset"));
      }
      if (!inner.has("squared")) {
        throw inner.error("expected a key 'dataset' or 'squared'");
      }
      List<long[]> ball =
          MomentumList.ball(
              inner.value("squared", text -> Fields.integer(text, 0, 10_000)),
              word(inner, "slowest", "zyx", ORDERS));
      return beside -> ball;
    }
    String list = keys.text("momenta");
    if (list.indexOf('\0') >= 0) {
      throw keys.error("momenta", "momenta: the character U+0000 cannot stand in a name");
    }
    return MomentumList.inFile(folder == null ? Path.of(list) : folder.resolve(list));
  }

  /** Every index must stand once: along an axis or in a name. */
  private static void checkIndices(Fields keys, Entry entry) {
    entry.kind().indices().forEach((what, places) -> require(keys, entry, what, places));
    if (entry.kind().isCurrent()) {
      if (entry.gammas().isEmpty()) {
        throw keys.error(
            "expected a key 'gammas', the matrices along the axis gamma: products of g1 … g5, or"
                + " numbers of Chroma");
      }
      if (entry.gammas().size() > 1) {
        require(keys, entry, "the gamma", "gamma");
      }
      if (entry.gammas().stream().map(Gamma::unsigned).distinct().count() < entry.gammas().size()) {
        throw keys.error("gammas", "gammas: two are the same up to a sign");
      }
    }
    if (entry.hasAxis("alpha") != entry.hasAxis("beta")) {
      throw keys.error("axes", "axes: expected both spins, alpha and beta, or none");
    }
    if (entry.kind() != Kind.PERAMBULATOR) {
      if (!entry.hasAxis("momentum")) {
        for (String axis : List.of("x", "y", "z")) {
          require(keys, entry, "the " + axis + " component of the momentum", "{n" + axis + "}");
        }
      } else if (entry.momenta() == null) {
        throw keys.error(
            "expected a key 'momenta': a file with a momentum in each line, a list, or {dataset:"
                + " NAME}");
      }
    }
    if (entry.storage().complex() == Complex.SPLIT && !entry.hasPlaceholder("part")) {
      throw keys.error(
          "complex", "complex: split(…) needs the placeholder {part} in 'file' or 'dataset'");
    }
  }

  private static void require(Fields keys, Entry entry, String what, String... places) {
    List<String> found =
        Stream.of(places)
            .filter(
                place ->
                    place.startsWith("{")
                        ? entry.hasPlaceholder(place.replaceAll("[{}]", ""))
                        : entry.hasAxis(place))
            .toList();
    if (found.isEmpty()) {
      throw keys.error(
          "%s is missing: expected %s, an axis or a placeholder of a name"
              .formatted(what, String.join(" or ", places)));
    }
    if (found.size() > 1) {
      throw keys.error(what + " stands twice: " + String.join(" and ", found));
    }
  }
}
