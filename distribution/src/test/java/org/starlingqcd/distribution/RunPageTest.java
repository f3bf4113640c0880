package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that follows one run names classes and methods that there are. */
final class RunPageTest {
  private static final Path PAGE = Path.of("../docs/developers/a-run.md");

  /** {@code Class}, {@code Class.method} or {@code Class.Nested}. */
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)(?:\\.([A-Za-z]\\w*))?`");

  private static boolean has(JavaClass of, String member) {
    return of.getAllMethods().stream().anyMatch(method -> method.getName().equals(member))
        || of.getAllFields().stream().anyMatch(field -> field.getName().equals(member));
  }

  @Test
  void everyName_isOneOfTheCode() throws IOException {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new LayeringTest.WithoutTests())
            .importPackages("org.starlingqcd");
    List<String> unknown = new ArrayList<>();
    int found = 0;
    for (Matcher name = NAME.matcher(Files.readString(PAGE)); name.find(); found++) {
      String member = name.group(2);
      boolean known =
          classes.stream()
              .anyMatch(
                  of ->
                      of.getSimpleName().equals(member)
                          || (of.getSimpleName().equals(name.group(1))
                              && (member == null || has(of, member))));
      if (!known) {
        unknown.add(name.group());
      }
    }
    assertEquals(List.of(), unknown);
    assertTrue(found > 80, "names on the page: " + found);
  }
}
