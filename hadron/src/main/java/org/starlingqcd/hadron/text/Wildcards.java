package org.starlingqcd.hadron.text;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Names with stars and question marks as patterns. */
public final class Wildcards {
  private static final Pattern TOKEN = Pattern.compile("\\*+|[^*]+");

  private Wildcards() {}

  /**
   * A pattern for whole names. What follows a star is taken where it stands first: stars before the
   * last one never have to be longer, so that the time is linear in a name's length, whatever the
   * number of stars. Only each of several stars behind one another, which stand for any characters,
   * multiplies it.
   *
   * @param character a regular expression for the characters that a star or a question mark stands
   *     for
   */
  public static Pattern pattern(String text, String character) {
    List<String> tokens = TOKEN.matcher(text).results().map(MatchResult::group).toList();
    StringBuilder regex = new StringBuilder();
    for (int k = 0; k < tokens.size(); k++) {
      String token = tokens.get(k);
      if (!token.startsWith("*")) {
        regex.append(literal(token, character));
      } else if (token.length() > 1) {
        regex.append(".*");
      } else if (k + 2 < tokens.size()) {
        String next = literal(tokens.get(++k), character);
        regex.append("(?>").append(character).append("*?").append(next).append(')');
      } else {
        regex.append(character).append('*');
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String literal(String text, String character) {
    return Pattern.quote(text).replace("?", "\\E" + character + "\\Q");
  }
}
