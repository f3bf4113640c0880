package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionLoaderTest {
  private static final String TEXT =
      "# ours\nname: pion\noperators:\n  - name: A\n    terms: [{mesons: [{bar: u, gamma: g4g5,"
          + " quark: d, momentum: [0, 0, 0]}]}]\n";

  @TempDir Path folder;
  private DefinitionLoader loader = new DefinitionLoader();

  @BeforeEach
  void lookInFolder() {
    loader = new DefinitionLoader(folder);
  }

  @Test
  void load_bareName_isTheShippedDefinition() {
    Definition pion = loader.load("pion");
    assertEquals("shipped definition pion", pion.origin());
    assertEquals("pi", pion.operators().get(0).name());
  }

  @Test
  void load_fileOfTheSameName_wins() throws IOException {
    for (String file : List.of("pion.yml", "pion.yaml", "pion")) {
      write(file, TEXT);
      Definition pion = loader.load("pion");
      assertEquals(file, pion.origin());
      assertEquals(TEXT, pion.text());
      assertEquals("A", pion.operators().get(0).name());
    }
  }

  @Test
  void load_folderOfTheSameName_isPassedOver() throws IOException {
    Files.createDirectory(folder.resolve("pion"));
    assertEquals("shipped definition pion", loader.load("pion").origin());
  }

  @Test
  void load_pathInAFolder_isReadAndNamedInErrors() throws IOException {
    Files.createDirectory(folder.resolve("sub"));
    write("sub/x.yaml", "name: [\n");
    assertTrue(message("sub/x.yaml").startsWith("sub/x.yaml, line 2: not YAML: "));
    write("sub/x.yaml", TEXT);
    assertEquals("sub/x.yaml", loader.load("sub/x.yaml").origin());
    assertEquals(
        folder.resolve("sub/x.yaml").toString(),
        new DefinitionLoader().load(folder.resolve("sub/x.yaml").toString()).origin());
  }

  @Test
  void load_byteOrderMark_isIgnored() throws IOException {
    write("x.yaml", "\uFEFF" + TEXT);
    assertEquals("pion", loader.load("x").name());
  }

  @Test
  void load_noSuchFile_listsTheNames() {
    assertEquals(
        "no definition 'kaon': there is no such file, and the definitions known by name are "
            + String.join(", ", ShippedDefinitions.names()),
        message("kaon"));
    assertTrue(message("").startsWith("no definition '': there is no such file"));
    assertTrue(message("a\0b").startsWith("no definition 'a\\u0000b': not a path: "));
  }

  @Test
  void load_directory_isRefused() throws IOException {
    Files.createDirectory(folder.resolve("runs"));
    assertEquals("runs: is a directory; expected the file of a definition", message("runs"));
  }

  @Test
  void load_emptyFile_isRefused() throws IOException {
    write("x.yaml", "");
    assertEquals("x.yaml, line 1: the text is empty", message("x.yaml"));
  }

  @Test
  void load_anotherEncoding_isRefused() throws IOException {
    Files.write(folder.resolve("x.yaml"), TEXT.getBytes(StandardCharsets.UTF_16));
    assertEquals("x.yaml: not UTF-8 text, which a definition is", message("x.yaml"));
  }

  @Test
  void load_hugeFile_isRefusedWithoutReadingIt() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("x.yaml").toFile(), "rw")) {
      file.setLength(40L << 30); // a hole, no disk space
    }
    assertEquals("x.yaml: is larger than 8 MiB", message("x.yaml"));
  }

  @Test
  void loadAll_twoOfOneName_areRefused() throws IOException {
    write("other.yaml", TEXT);
    assertEquals(
        List.of("pion", "sigma"),
        loader.loadAll(List.of("pion", "sigma")).stream().map(Definition::name).toList());
    assertEquals(
        "two definitions are named pion, and would be written to one file: shipped definition pion"
            + " and other.yaml",
        assertThrows(
                DefinitionException.class,
                () -> loader.loadAll(List.of("pion", "sigma", "other.yaml")))
            .getMessage());
  }

  @Test
  void loadEvery_bothKinds_areReturned() throws IOException {
    write("ff.yaml", ShippedDefinitions.text("ff_pion"));
    assertEquals(
        List.of("pion", "ff_pion"),
        loader.loadEvery(List.of("pion", "ff.yaml")).stream().map(AnyDefinition::name).toList());
    assertTrue(loader.loadAny("ff.yaml") instanceof CurrentDefinition);
    assertTrue(DefinitionLoader.isDefinition(folder.resolve("ff.yaml").toString()));
    assertEquals(
        "ff.yaml: a definition of three-point functions, with source and insertions; expected one of"
            + " two-point functions, with operators",
        message("ff.yaml"));
  }

  private String message(String pathOrName) {
    return assertThrows(DefinitionException.class, () -> loader.load(pathOrName)).getMessage();
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
