package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The container recipes, read as their builders read them, and looked at by linters that are
 * installed: hadolint or dockerfilelint for the Dockerfile, shellcheck for what both recipes run.
 */
final class RecipesTest {
  private static final Path DOCKERFILE = Path.of("../packaging/Dockerfile");
  private static final Path DEFINITION = Path.of("../packaging/starling.def");
  private static final String ARCHIVE = "distribution/target/starling-0.0.0.tar.gz";

  private static final Set<String> INSTRUCTIONS =
      Set.of(
          "FROM",
          "ARG",
          "ADD",
          "COPY",
          "RUN",
          "ENV",
          "WORKDIR",
          "ENTRYPOINT",
          "CMD",
          "LABEL",
          "EXPOSE",
          "USER",
          "VOLUME",
          "STOPSIGNAL",
          "HEALTHCHECK",
          "SHELL",
          "ONBUILD");

  private static final Set<String> SECTIONS =
      Set.of(
          "arguments",
          "files",
          "post",
          "environment",
          "runscript",
          "startscript",
          "test",
          "labels",
          "help",
          "setup",
          "pre");

  /** An image with a registry's name and a tag that says which version, not "latest". */
  private static final Pattern IMAGE =
      Pattern.compile("[a-z0-9./-]+:(?!latest$)[\\w.-]*\\d[\\w.-]*");

  @TempDir Path folder;

  /** An instruction of a Dockerfile, with ${VERSION} replaced. */
  private record Instruction(String name, String text) {}

  private static List<Instruction> dockerfile() throws IOException {
    List<Instruction> instructions = new ArrayList<>();
    String text = Files.readString(DOCKERFILE).replaceAll("(?m)^#.*\n", "").replace("\\\n", " ");
    Set<String> arguments =
        Pattern.compile("(?m)^ARG (\\w+)=")
            .matcher(text)
            .results()
            .map(m -> m.group(1))
            .collect(Collectors.toSet());
    for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
      String[] parts = line.split(" +", 2);
      assertTrue(INSTRUCTIONS.contains(parts[0]) && parts.length == 2, line);
      Matcher variable = Pattern.compile("\\$\\{(\\w+)}").matcher(parts[1]);
      while (variable.find()) {
        assertTrue(arguments.contains(variable.group(1)), line + " uses what no ARG declares");
      }
      instructions.add(new Instruction(parts[0], parts[1].replace("${VERSION}", "0.0.0").strip()));
    }
    return instructions;
  }

  private static List<String> texts(String name) throws IOException {
    return dockerfile().stream().filter(i -> i.name.equals(name)).map(i -> i.text).toList();
  }

  @Test
  void dockerfile_isReadAsItsBuilderReadsIt() throws IOException {
    assertEquals("FROM", dockerfile().get(0).name);
    assertEquals(1, texts("FROM").size());
    assertTrue(IMAGE.matcher(texts("FROM").get(0)).matches(), texts("FROM").toString());
    // ADD of an archive unpacks it: the folder that the next step links is the archive's.
    assertEquals(List.of(ARCHIVE + " /opt/"), texts("ADD"));
    assertEquals(List.of(), texts("COPY"));
    for (String name : List.of("ENTRYPOINT", "CMD")) {
      assertEquals(1, texts(name).size());
      assertTrue(
          texts(name).get(0).matches("\\[\"[^\"]+\"]"), "not the form of a list: " + texts(name));
    }
    assertTrue(texts("WORKDIR").stream().allMatch(place -> place.startsWith("/")));
    for (String command : texts("RUN")) {
      assertTrue(command.contains("/opt/starling-0.0.0 /opt/starling "), command);
      check(command);
    }
  }

  @Test
  void definition_isReadAsItsBuilderReadsIt() throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    String[] parts = Files.readString(DEFINITION).split("(?m)^%", -1);
    List<String> header =
        parts[0].lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    assertEquals("Bootstrap: docker", header.get(0));
    assertTrue(IMAGE.matcher(header.get(1).replaceFirst("^From: ", "")).matches(), header.get(1));
    assertEquals(2, header.size());
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String name = part.lines().findFirst().orElseThrow();
      assertTrue(SECTIONS.contains(name), name);
      String body = part.substring(name.length()).replace("{{ VERSION }}", "0.0.0");
      assertFalse(body.contains("{{"), body);
      assertFalse(sections.containsKey(name), name + " stands twice");
      sections.put(name, body);
    }
    assertEquals(
        Files.readString(DOCKERFILE)
            .lines()
            .filter(l -> l.startsWith("FROM "))
            .findFirst()
            .orElseThrow()
            .substring(5),
        header.get(1).substring(6));
    assertEquals(
        ARCHIVE + " /opt/starling.tar.gz", Objects.toString(sections.get("files")).strip());
    for (String name : List.of("post", "environment", "runscript", "test")) {
      check(Objects.requireNonNull(sections.get(name), name));
    }
  }

  @Test
  void dockerfile_pleasesALinter() throws IOException {
    Optional<Path> linter = program("hadolint").or(() -> program("dockerfilelint"));
    Assumptions.assumeTrue(
        linter.isPresent(),
        "neither hadolint nor dockerfilelint is on the path, so no linter is asked");
    assertEquals("", output(List.of(linter.get().toString(), DOCKERFILE.toString())));
  }

  /** Syntax by sh, and everything that shellcheck finds where it is installed. */
  private void check(String commands) throws IOException {
    Path script = Files.writeString(folder.resolve("commands.sh"), "#!/bin/sh\n" + commands + "\n");
    assertEquals("", output(List.of("sh", "-n", script.toString())));
    Optional<Path> shellcheck = program("shellcheck");
    if (shellcheck.isPresent()) {
      assertEquals("", output(List.of(shellcheck.get().toString(), script.toString())));
    }
  }

  /** The launchers are shell, too. */
  @Test
  void launchers_pleaseShellcheck() throws IOException {
    Optional<Path> shellcheck = program("shellcheck");
    Assumptions.assumeTrue(shellcheck.isPresent(), "shellcheck is not on the path");
    for (String script :
        List.of(
            "../starling", "src/bin/starling", "src/bin/starling-archive-classes", "../.ci/run")) {
      assertEquals("", output(List.of(shellcheck.get().toString(), script)), script);
    }
  }

  private static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** What a command prints if it fails; empty if it succeeds. */
  private static String output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return process.waitFor() == 0 ? "" : "fails: " + text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
