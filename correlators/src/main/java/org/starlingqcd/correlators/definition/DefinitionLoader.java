package org.starlingqcd.correlators.definition;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starlingqcd.correlators.TextFile;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.text.Suggestion;

/**
 * Finds and reads definitions.
 *
 * <p>What the user writes is a path or a bare name. The first of these that exists is read: the
 * file of that path; for a bare name, the file {@code name.yaml} or {@code name.yml} in the working
 * folder; the shipped definition of that name.
 *
 * <p>{@link #loadAny}, {@link #loadEvery} and {@link #parseAny} return definitions of two-point and
 * of three-point functions. {@link #load}, {@link #loadAll} and {@link #parse} refuse the latter.
 */
public final class DefinitionLoader {
  /**
   * The first line of a definition whose hadrons have the names of versions before 0.1: I3 has the
   * opposite sign, and kaons and antikaons have each other's names.
   */
  public static final String EARLIER_NAMES = DefinitionReader.EARLIER_NAMES;

  /** Largest definition that is read. */
  private static final int MAX_BYTES = 8 << 20;

  private static final Pattern OPERATORS =
      Pattern.compile("(?m)^[\"']?(operators|insertions)[\"']?\\s*:");

  private final Path folder;

  /** Creates a loader that resolves relative paths in the working folder. */
  public DefinitionLoader() {
    this(Path.of(""));
  }

  /** Creates a loader that resolves relative paths in a folder. */
  public DefinitionLoader(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads several definitions for one run.
   *
   * @throws DefinitionException as {@link #loadAny}, and if two of them have the same name
   */
  public List<AnyDefinition> loadEvery(List<String> pathsOrNames) {
    List<AnyDefinition> definitions = new ArrayList<>();
    Map<String, AnyDefinition> byName = new HashMap<>();
    for (String pathOrName : pathsOrNames) {
      AnyDefinition definition = loadAny(pathOrName);
      AnyDefinition earlier = byName.putIfAbsent(definition.name(), definition);
      if (earlier != null) {
        throw new DefinitionException(
            "two definitions are named %s, and would be written to one file: %s and %s"
                .formatted(definition.name(), earlier.origin(), definition.origin()));
      }
      definitions.add(definition);
    }
    return definitions;
  }

  /**
   * Reads several definitions of two-point functions.
   *
   * @throws DefinitionException as {@link #loadEvery}, and for one of three-point functions
   */
  public List<Definition> loadAll(List<String> pathsOrNames) {
    return loadEvery(pathsOrNames).stream().map(DefinitionLoader::twoPoint).toList();
  }

  /**
   * Reads a definition from a path or by its name.
   *
   * @throws DefinitionException if there is none, or if anything is wrong with it
   */
  public AnyDefinition loadAny(String pathOrName) {
    Optional<String> file = file(pathOrName);
    if (file.isPresent()) {
      return parseAny(file.get(), read(folder.resolve(file.get()), file.get()));
    }
    if (ShippedDefinitions.names().contains(pathOrName)) {
      return parseAny("shipped definition " + pathOrName, ShippedDefinitions.text(pathOrName));
    }
    throw missing(pathOrName);
  }

  /**
   * Reads a definition of two-point functions.
   *
   * @throws DefinitionException as {@link #loadAny}, and for one of three-point functions
   */
  public Definition load(String pathOrName) {
    return twoPoint(loadAny(pathOrName));
  }

  private static Definition twoPoint(AnyDefinition definition) {
    if (definition instanceof Definition twoPoint) {
      return twoPoint;
    }
    throw new DefinitionException(
        definition.origin()
            + ": a definition of three-point functions, with source and insertions; expected one of"
            + " two-point functions, with operators");
  }

  /**
   * Whether an argument that may also be a path of data is a definition: a name that is known, or a
   * YAML file with the key {@code operators} or {@code insertions}.
   */
  public static boolean isDefinition(String argument) {
    DefinitionLoader loader = new DefinitionLoader();
    Optional<String> file = loader.file(argument);
    if (file.isEmpty()) {
      return ShippedDefinitions.names().contains(argument) && !Files.exists(Path.of(argument));
    }
    String name = file.get();
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && OPERATORS.matcher(read(Path.of(name), name)).find();
  }

  /**
   * Reads a definition from a text, such as the one kept in a result file.
   *
   * @param origin its name in messages
   * @throws DefinitionException if anything is wrong with it
   */
  public static AnyDefinition parseAny(String origin, String text) {
    return DefinitionReader.read(origin, text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  /**
   * Reads a definition of two-point functions from a text.
   *
   * @throws DefinitionException as {@link #parseAny}, and for one of three-point functions
   */
  public static Definition parse(String origin, String text) {
    return twoPoint(parseAny(origin, text));
  }

  /**
   * Whether two texts define the same correlators, however they are written. A text that this
   * version does not understand matches only an identical text.
   */
  public static boolean isSame(String first, String second) {
    try {
      return first.equals(second)
          || parseAny("first definition", first).equals(parseAny("second definition", second));
    } catch (DefinitionException e) {
      return false;
    }
  }

  /** The text, said to have the names of earlier versions. */
  public static String withEarlierNames(String text) {
    return DefinitionReader.hasEarlierNames(text) ? text : EARLIER_NAMES + "\n" + text;
  }

  /**
   * Whether a text would define the same correlators as one with the names of earlier versions,
   * perhaps with more operators, if it had these names too.
   */
  public static boolean differInNames(String earlier, String text) {
    return DefinitionReader.hasEarlierNames(earlier)
        && !DefinitionReader.hasEarlierNames(text)
        && hasGrown(earlier, withEarlierNames(text));
  }

  /**
   * Whether a text defines the same correlators as an earlier one, perhaps with more operators. A
   * text that this version does not understand matches only an identical text.
   */
  public static boolean hasGrown(String earlier, String text) {
    try {
      return earlier.equals(text)
          || parseAny("definition", text).hasGrownFrom(parseAny("earlier definition", earlier));
    } catch (DefinitionException e) {
      return false;
    }
  }

  /** The file in the user's spelling. */
  private Optional<String> file(String pathOrName) {
    try {
      boolean bare = Path.of(pathOrName).getNameCount() == 1 && !pathOrName.isEmpty();
      return (bare ? Stream.of("", ".yaml", ".yml") : Stream.of(""))
          .map(ending -> pathOrName + ending)
          .filter(name -> Files.exists(folder.resolve(name)))
          .filter(name -> !Files.isDirectory(folder.resolve(name)))
          .findFirst();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private DefinitionException missing(String pathOrName) {
    String shown = Quoted.of(pathOrName);
    try {
      if (!pathOrName.isEmpty() && Files.isDirectory(folder.resolve(pathOrName))) {
        return new DefinitionException(
            pathOrName + ": is a directory; expected the file of a definition");
      }
    } catch (InvalidPathException e) {
      return new DefinitionException(
          "no definition " + shown + ": not a path: " + e.getReason(), e);
    }
    return new DefinitionException(
        "no definition %s: there is no such file, and the definitions known by name are %s%s"
            .formatted(
                shown,
                String.join(", ", ShippedDefinitions.names()),
                Suggestion.text(pathOrName, ShippedDefinitions.names())));
  }

  private static String read(Path file, String shown) {
    try {
      return TextFile.read(file, MAX_BYTES);
    } catch (CharacterCodingException e) {
      throw new DefinitionException(shown + ": not UTF-8 text, which a definition is", e);
    } catch (AccessDeniedException e) {
      throw new DefinitionException(shown + ": cannot be read: permission denied", e);
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "cannot be read: " + e.getMessage() : e.getReason();
      throw new DefinitionException(shown + ": " + reason, e);
    } catch (IOException e) {
      throw new DefinitionException(shown + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
