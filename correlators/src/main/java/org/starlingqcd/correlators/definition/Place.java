package org.starlingqcd.correlators.definition;

import org.jspecify.annotations.Nullable;

/**
 * A place in a definition, for messages.
 *
 * @param file the file, or what else the text came from
 * @param line from 1
 * @param operator how the operator is called, if it stands in one
 */
record Place(String file, int line, @Nullable String operator) {
  Place at(int otherLine) {
    return new Place(file, otherLine, operator);
  }

  Place in(String otherOperator) {
    return new Place(file, line, otherOperator);
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
