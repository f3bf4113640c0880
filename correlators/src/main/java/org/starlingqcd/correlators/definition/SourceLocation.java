package org.starlingqcd.correlators.definition;

import org.jspecify.annotations.Nullable;

/**
 * A place in a definition, for messages.
 *
 * @param file the file, or what else the text came from
 * @param line from 1
 * @param operator how the operator is called, if it stands in one
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
