package org.starlingqcd.correlators.cli;

import java.io.FilterOutputStream;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.text.Printable;
import picocli.CommandLine.Model.CommandSpec;

/** Standard output and standard error of a command. */
public final class Console {
  private Console() {}

  /** The writer for results. */
  public static PrintWriter out(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getOut());
  }

  /** The writer for progress, warnings and errors. */
  public static PrintWriter err(@Nullable CommandSpec spec) {
    return PrintableWriter.to(checked(spec).commandLine().getErr());
  }

  private static CommandSpec checked(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("picocli did not create this command");
    }
    return spec;
  }

  /**
   * Passes text on to a terminal, with everything escaped that would act on it ({@link Printable});
   * line breaks and tabs pass.
   */
  static final class PrintableWriter extends FilterWriter {
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

  /**
   * Standard output, which remembers that something could not be written; the writers above it do
   * not tell.
   */
  static final class StandardOutput extends FilterOutputStream {
    /** The reader has gone, as {@code head} does when it has seen enough: it misses nothing. */
    private static final String READER_GONE = "Broken pipe";

    private @Nullable String failure;

    StandardOutput(OutputStream target) {
      super(target);
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        failure = String.valueOf(e.getMessage());
        throw e;
      }
    }

    /** Why something could not be written that somebody misses; null if nothing. */
    @Nullable String failure() {
      return READER_GONE.equals(failure) ? null : failure;
    }
  }
}
