package org.starlingqcd.correlators.cli.option;

import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.PairColour;
import picocli.CommandLine.ITypeConverter;

/** Colours of tetraquarks, as values of options. */
public final class ColourName implements ITypeConverter<PairColour> {
  private static final String UNKNOWN =
      "'%s' is no colour of a tetraquark; there are 3bar3 and 66bar";

  @Override
  public PairColour convert(String text) {
    return PairColour.named(text.strip())
        .orElseThrow(() -> new InputException(UNKNOWN.formatted(text)));
  }
}
