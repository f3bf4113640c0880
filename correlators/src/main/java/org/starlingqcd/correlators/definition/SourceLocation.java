package org.starlingqcd.correlators.definition;

import org.jspecify.annotations.Nullable;

/**
 * A location in a definition, for messages.
 *
 * @param file the file, or another origin of the text
 * @param line line number, from 1
 * @param operator name of the operator, if the location is inside one
 */
record SourceLocation(String file, int line, @Nullable String operator) {
  SourceLocation at(int otherLine) {
    return new SourceLocation(file, otherLine, operator);
  }

  SourceLocation in(String otherOperator) {
    return new SourceLocation(file, line, otherOperator);
  }

  DefinitionException error(String message) {
    return new DefinitionException(prefix() + message);
  }

  DefinitionException error(RuntimeException cause) {
    return new DefinitionException(prefix() + cause.getMessage(), cause);
  }

  private String prefix() {
    return file + ", line " + line + (operator == null ? "" : ", " + operator) + ": ";
  }
}
