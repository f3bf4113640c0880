package org.starlingqcd.correlators.cli.option;

import java.util.List;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.graph.PairColour;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The option by which commands that write data write elementals of tetraquarks, too. */
public final class TetraquarkOption {
  @Option(
      names = "--tetraquark",
      paramLabel = "COLOUR",
      split = ",",
      converter = Colour.class,
      description =
          "Also write elementals of tetraquarks with these colours, 3bar3 and 66bar, which have about"
              + " N^4/4 numbers for each time and momentum.")
  private List<PairColour> colours = List.of();

  /** The colours, each once. */
  public List<PairColour> colours() {
    return colours.stream().distinct().toList();
  }

  /** A colour as the value of an option. */
  static final class Colour implements ITypeConverter<PairColour> {
    private static final String UNKNOWN =
        "'%s' is no colour of a tetraquark; there are 3bar3 and 66bar";

    @Override
    public PairColour convert(String text) {
      return PairColour.named(text.strip())
          .orElseThrow(() -> new InputException(UNKNOWN.formatted(text)));
    }
  }
}
