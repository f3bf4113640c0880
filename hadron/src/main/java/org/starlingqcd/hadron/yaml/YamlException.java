package org.starlingqcd.hadron.yaml;

/** A text that is not one well-formed YAML document, or one that is refused for its size. */
public final class YamlException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int line;

  YamlException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The line it is about, from 1. */
  public int line() {
    return line;
  }
}
