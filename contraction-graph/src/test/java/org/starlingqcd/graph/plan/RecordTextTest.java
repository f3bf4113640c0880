package org.starlingqcd.graph.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

class RecordTextTest {
  private static final Operator OPERATOR =
      new Operator(
          "a name (with [blanks] and %)",
          List.of(
              new Term(
                  new Complex(1.0 / 3, -0.0),
                  List.of(
                      new BaryonFactor("u", "d", "s", Gamma.g(5), -1, 3, Momentum.ZERO, "none"),
                      new Bilinear("u", Gamma.g(3), "", new Momentum(0, -1, 2), "ä"))),
              new Term(new Complex(Double.MIN_VALUE, 1e300), List.of())));

  @Test
  void parse_whatWasWritten_isEqual() {
    assertEquals(OPERATOR, RecordText.parse(RecordText.of(OPERATOR), Operator.class));
  }

  @Test
  void parse_anotherClassOrTooMuchOrTooLittle_isRefused() {
    String text = RecordText.of(OPERATOR);
    assertThrows(IllegalArgumentException.class, () -> RecordText.parse(text, Momentum.class));
    assertThrows(
        IllegalArgumentException.class, () -> RecordText.parse(text + " )", Operator.class));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> RecordText.parse(text.substring(0, text.length() - 4), Operator.class));
  }

  @Test
  void layout_differsBetweenClasses() {
    assertEquals(RecordText.layout(Term.class), RecordText.layout(Term.class));
    assertNotEquals(RecordText.layout(Term.class), RecordText.layout(Operator.class));
  }
}
