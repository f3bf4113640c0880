package org.starlingqcd.correlators.cli.option;

import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import picocli.CommandLine.ITypeConverter;

/** A precision as the value of an option. */
public final class PrecisionName implements ITypeConverter<Precision> {
  @Override
  public Precision convert(String text) {
    return Precision.of(text)
        .orElseThrow(() -> new InputException("expected double or single: " + text));
  }
}
