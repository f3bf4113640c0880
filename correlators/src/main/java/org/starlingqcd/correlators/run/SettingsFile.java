package org.starlingqcd.correlators.run;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.yaml.YamlDocument;
import org.starlingqcd.correlators.definition.yaml.YamlException;
import org.starlingqcd.correlators.definition.yaml.YamlNode;

/**
 * The file that describes a run ({@code run.yaml}): a mapping of the names of {@link SettingName}
 * to one value or a list. Paths in it begin at its own folder.
 */
public final class SettingsFile {
  private static final Set<SettingName> PATHS =
      Set.of(
          SettingName.DATA,
          SettingName.OUT,
          SettingName.SPILL_DIRECTORY,
          SettingName.TRACE,
          SettingName.PLAN);

  private SettingsFile() {}

  /**
   * Reads a file.
   *
   * @throws InputException naming file and line when it cannot be read or is not a description of a
   *     run
   */
  public static Map<SettingName, List<String>> read(Path file) {
    try {
      return parse(file, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": no such file", e);
    } catch (MalformedInputException e) {
      throw new InputException(file + ": is not UTF-8 text", e);
    } catch (IOException e) {
      throw new InputException(
          file + (Files.isDirectory(file) ? ": is a folder" : ": cannot be read: " + e), e);
    }
  }

  private static Map<SettingName, List<String>> parse(Path file, String text) {
    YamlNode root;
    try {
      root = YamlDocument.parse(text);
    } catch (YamlException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
    if (!(root instanceof YamlNode.Mapping mapping)) {
      throw error(file, root.line(), "expected a mapping of settings, found " + root.kind());
    }
    Map<SettingName, List<String>> values = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              SettingName name =
                  SettingName.find(key)
                      .orElseThrow(
                          () ->
                              error(
                                  file,
                                  entry.line(),
                                  "unknown setting '"
                                      + key
                                      + "'; there are: "
                                      + String.join(", ", SettingName.keys())));
              List<String> texts = texts(file, key, entry.value());
              UnaryOperator<String> place = place(file, name);
              values.put(name, texts.stream().map(place).toList());
            });
    return values;
  }

  private static List<String> texts(Path file, String key, YamlNode value) {
    List<YamlNode> nodes = value instanceof YamlNode.Sequence list ? list.items() : List.of(value);
    List<String> texts = new ArrayList<>();
    for (YamlNode node : nodes) {
      if (!(node instanceof YamlNode.Scalar scalar) || scalar.text().isEmpty()) {
        throw error(
            file, node.line(), "'" + key + "': expected a value or a list, found " + node.kind());
      }
      texts.add(scalar.text());
    }
    return texts;
  }

  /** How a value is to be read from the working folder. */
  private static UnaryOperator<String> place(Path file, SettingName name) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder == null) {
      return UnaryOperator.identity();
    }
    if (PATHS.contains(name)) {
      return text -> folder.resolve(text).toString();
    }
    if (name == SettingName.DEFINITIONS) {
      // A bare name may also be that of a definition that comes with the program.
      return text ->
          Stream.of("", ".yaml", ".yml")
              .map(ending -> folder.resolve(text + ending))
              .filter(Files::isRegularFile)
              .map(Path::toString)
              .findFirst()
              .orElse(text);
    }
    return UnaryOperator.identity();
  }

  private static InputException error(Path file, int line, String message) {
    return new InputException(file + ":" + line + ": " + message);
  }
}
