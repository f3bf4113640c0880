package org.starlingqcd.hadron.text;

import java.util.Collection;
import java.util.Locale;

/** Finds the known name that a user probably meant. */
public final class Suggestion {
  /** The share of a name's letters that may be wrong. */
  private static final int LETTERS_PER_ERROR = 3;

  private Suggestion() {}

  /**
   * The end of a message about an unknown name: {@code "; did you mean NAME?"}, or nothing if no
   * known name is close. A name is close if at most a third of its letters have to be inserted,
   * deleted, replaced or exchanged with their neighbours; case does not count.
   */
  public static String text(String unknown, Collection<String> known) {
    String best = "";
    int least = Math.max(1, unknown.length() / LETTERS_PER_ERROR) + 1;
    for (String name : known) {
      int distance = distance(unknown.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (distance < least && distance < Math.max(name.length(), unknown.length())) {
        least = distance;
        best = name;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + best + "?";
  }

  /** Damerau's distance with adjacent exchanges (optimal string alignment). */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
