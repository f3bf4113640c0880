package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.cli.Cli;

/**
 * Where links of pages lead, and the page {@code docs/glossary.md}: its order, its words in the
 * other pages, and its numbers.
 */
final class PagesTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| (.+) \\|$");

  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)]*))?\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");

  /** The pages of the repository, without those of build folders. */
  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(Path.of("../README.md"), Path.of("../CHANGELOG.md")));
    for (String folder : List.of("docs", "benchmarks", "python", "packaging")) {
      try (Stream<Path> files = Files.walk(Path.of("..", folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static List<String> anchors(Path page) throws IOException {
    return CODE.matcher(Files.readString(page))
        .replaceAll("")
        .lines()
        .filter(line -> line.matches("#{1,6} .*"))
        .map(line -> line.replaceAll("^#+ |\\]\\([^)]*\\)|[^\\p{L}\\p{N}_ -]", ""))
        .map(line -> line.strip().toLowerCase(Locale.ROOT).replace(' ', '-'))
        .toList();
  }

  @Test
  void links_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
      while (link.find()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (!Files.exists(target)
            || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
          broken.add(page + ": " + link.group());
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** Each promise of the page on security names tests that are there. */
  @Test
  void security_everyPromiseNamesItsTests() throws IOException {
    Set<String> tests = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.java"))
          .forEach(name -> tests.add(name.replace(".java", "")));
    }
    String page = Files.readString(DOCS.resolve("developers/security.md"));
    List<String> rows =
        page.lines()
            .filter(row -> row.matches("\\| (?!---).*") && !row.endsWith("| tests |"))
            .toList();
    assertTrue(rows.size() > 20, rows.toString());
    for (String row : rows) {
      List<String> named =
          Pattern.compile("`(\\w+Test)`").matcher(row).results().map(m -> m.group(1)).toList();
      assertTrue(!named.isEmpty() && tests.containsAll(named), row);
    }
  }

  private static Map<String, String> words() throws IOException {
    Map<String, String> words = new LinkedHashMap<>();
    Matcher row = ROW.matcher(Files.readString(DOCS.resolve("glossary.md")));
    while (row.find()) {
      if (!row.group(1).matches("word|---")) {
        assertEquals(null, words.put(row.group(1), row.group(2)), row.group(1) + " stands twice");
      }
    }
    assertTrue(words.size() > 40, words.keySet().toString());
    return words;
  }

  @Test
  void words_areInOrder_andReferencesAreWords() throws IOException {
    Map<String, String> words = words();
    List<String> sorted = new ArrayList<>(words.keySet());
    sorted.sort(
        Comparator.comparing(
            word -> word.replaceAll("[^A-Za-z]", ""), String.CASE_INSENSITIVE_ORDER));
    assertEquals(sorted, List.copyOf(words.keySet()));
    for (String meaning : words.values()) {
      Matcher see = Pattern.compile("^see (.+)$").matcher(meaning);
      assertTrue(!see.matches() || words.containsKey(see.group(1)), meaning);
    }
  }

  /** A word that no other page uses needs no explanation. */
  @Test
  void words_areUsedElsewhere() throws IOException {
    StringBuilder others = new StringBuilder();
    try (Stream<Path> pages = Files.walk(DOCS)) {
      for (Path page : pages.filter(path -> path.toString().endsWith(".md")).toList()) {
        if (!page.endsWith("glossary.md")) {
          others.append(Files.readString(page));
        }
      }
    }
    for (String word : words().keySet()) {
      for (String one : word.split(", ")) {
        assertTrue(
            Pattern.compile(one.replace(" ", "[ _-]"), Pattern.CASE_INSENSITIVE)
                .matcher(others)
                .find(),
            one);
      }
    }
  }

  private static long bytes(String definition, int eigenvectors) throws IOException {
    Cli plan =
        Cli.run("plan", definition, "--json", "--tensor-size", Integer.toString(eigenvectors)).ok();
    JsonNode report = new ObjectMapper().readTree(plan.out());
    return report.get("inputs").get("bytes").asLong();
  }

  /** What a plan reads for a pion and a nucleon, in numbers of 16 bytes as the page counts them. */
  @Test
  void sizes_areThoseThatAPlanReads() throws IOException {
    Map<String, String> words = words();
    assertTrue(words.get("perambulator").endsWith("; 16 N² numbers"), words.get("perambulator"));
    assertTrue(words.get("elemental").endsWith("; N² numbers"), words.get("elemental"));
    assertTrue(words.get("baryon elemental").endsWith("; N³ numbers"), words.get("elemental"));
    long n = 10;
    // Two perambulators, there and back, and an elemental at source and sink.
    assertEquals(16 * (2 * 16 * n * n + 2 * n * n), bytes("pion", (int) n));
    // One perambulator, and a baryon elemental at source and sink.
    assertEquals(16 * (16 * n * n + 2 * n * n * n), bytes("nucleon", (int) n));
  }
}
