package org.starlingqcd.correlators.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.starlingqcd.hadron.text.Printable;

/**
 * Passes text on to a terminal, with everything escaped that would act on it ({@link Printable});
 * line breaks and tabs pass.
 */
final class PrintableWriter extends FilterWriter {
  private PrintableWriter(Writer target) {
    super(target);
  }

  /** What prints to {@code target}, and flushes it with every line. */
  static PrintWriter to(PrintWriter target) {
    return new PrintWriter(new PrintableWriter(target), true);
  }

  @Override
  public void write(int character) throws IOException {
    if (character != '\n' && character != '\t' && Printable.isHidden(character)) {
      out.write(Printable.escaped(character));
    } else {
      out.write(character);
    }
  }

  @Override
  public void write(char[] text, int from, int count) throws IOException {
    write(new String(text, from, count), 0, count);
  }

  @Override
  public void write(String text, int from, int count) throws IOException {
    int start = from;
    for (int k = from; k < from + count; k++) {
      char c = text.charAt(k);
      if (c != '\n' && c != '\t' && Printable.isHidden(c)) {
        out.write(text, start, k - start);
        out.write(Printable.escaped(c));
        start = k + 1;
      }
    }
    out.write(text, start, from + count - start);
  }
}
