package org.starlingqcd.graph;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.graph.wick.WickContraction;

/** The classic channels as operators written out, one term a line, from the test resources. */
public final class Channels {
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange");

  private Channels() {}

  public static CorrelationMatrix read(String name) {
    List<Operator> operators = new ArrayList<>();
    List<Term> terms = new ArrayList<>();
    String operator = "";
    boolean onePoint = false;
    for (String line : lines(name)) {
      if (line.equals("one-point")) {
        onePoint = true;
      } else if (line.startsWith("operator ")) {
        if (!terms.isEmpty()) {
          operators.add(new Operator(operator, terms));
        }
        terms = new ArrayList<>();
        operator = line.substring("operator ".length());
      } else {
        terms.add(term(line));
      }
    }
    operators.add(new Operator(operator, terms));
    return new CorrelationMatrix(name, operators, LABELS, onePoint);
  }

  public static DiagramSet diagrams(String name) {
    return WickContraction.contract(List.of(read(name)));
  }

  private static Term term(String line) {
    String[] words = line.split(" ");
    List<Factor> factors = new ArrayList<>();
    for (int k = 1; k < words.length; k++) {
      String[] p = words[k].split(",");
      Momentum momentum =
          new Momentum(Integer.parseInt(p[3]), Integer.parseInt(p[4]), Integer.parseInt(p[5]));
      factors.add(new Bilinear(p[0], Gamma.parse(p[1]), p[2], momentum, "none"));
    }
    return new Term(new Complex(Double.parseDouble(words[0]), 0), factors);
  }

  private static List<String> lines(String name) {
    try (InputStream stream =
        Objects.requireNonNull(Channels.class.getResourceAsStream(name + ".txt"))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
