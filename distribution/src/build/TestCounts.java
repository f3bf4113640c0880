import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints how many tests a build ran in all modules, and why some were skipped. The build runs it last, as a source file: {@code java
 * TestCounts.java ROOT START}, with the root of the project and the time at which the build began.
 */
final class TestCounts {
  private int tests;
  private int failed;
  private int skipped;
  private double seconds;
  private final Map<String, Integer> reasons = new TreeMap<>();

  public static void main(String[] arguments) throws Exception {
    Instant start = Instant.parse(arguments[1]);
    TestCounts counts = new TestCounts();
    try (Stream<Path> files = Files.walk(Path.of(arguments[0]), 6)) {
      for (Path file : files.filter(TestCounts::isReport).sorted().toList()) {
        // Reports of earlier builds may be of tests that are gone.
        if (!Files.getLastModifiedTime(file).toInstant().isBefore(start)) {
          counts.add(file);
        }
      }
    }
    counts.print();
  }

  private static boolean isReport(Path file) {
    return file.toString().matches(".*/surefire-reports/TEST-[^/]*\\.xml");
  }

  private void add(Path file) throws Exception {
    Element suite;
    try {
      suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (IOException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    tests += Integer.parseInt(suite.getAttribute("tests"));
    failed += Integer.parseInt(suite.getAttribute("failures")) + Integer.parseInt(suite.getAttribute("errors"));
    skipped += Integer.parseInt(suite.getAttribute("skipped"));
    seconds += Double.parseDouble(suite.getAttribute("time"));
    NodeList left = suite.getElementsByTagName("skipped");
    for (int k = 0; k < left.getLength(); k++) {
      Element one = (Element) left.item(k);
      String text = one.hasAttribute("message") ? one.getAttribute("message") : one.getTextContent();
      String reason = text.strip().lines().findFirst().orElse("").replaceFirst("^[\\w.]+: (Assumption failed: )?", "");
      String test = suite.getAttribute("name").replaceFirst(".*\\.", "");
      reasons.merge(test + (reason.isEmpty() ? "" : ": " + reason), 1, Integer::sum);
    }
  }

  private void print() {
    System.out.printf("%nTests run: %d, failed: %d, skipped: %d, in %.0f s%n", tests, failed, skipped, seconds);
    reasons.forEach((reason, count) -> System.out.printf("  skipped %d of %s%n", count, reason));
  }
}
