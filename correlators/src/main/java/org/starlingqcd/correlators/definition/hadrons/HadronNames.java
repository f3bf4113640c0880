package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.hadron.text.Quoted;

/** The hadrons that a definition can name: the built-in ones and its own. */
public final class HadronNames {
  private final Map<String, MesonField> ownMesons = new LinkedHashMap<>();
  private final Map<String, Baryon> ownBaryons = new LinkedHashMap<>();

  /** Before version 0.1 K annihilated an antikaon, and Kbar a kaon. */
  private static final Pattern KAON = Pattern.compile("K(star)?(bar)?(xD.*)?");

  private final MesonNames mesons = new MesonNames(ownMesons);
  private final boolean earlierNames;

  /**
   * The built-in names.
   *
   * @param earlierNames whether kaons have the names that they had before version 0.1
   */
  public HadronNames(boolean earlierNames) {
    this.earlierNames = earlierNames;
  }

  /**
   * The meson of a name.
   *
   * @throws IllegalArgumentException when there is none, saying what there is
   */
  public MesonField meson(String name) {
    Matcher kaon = KAON.matcher(name);
    return mesons.named(
        earlierNames && kaon.matches()
            ? "K"
                + Objects.toString(kaon.group(1), "")
                + (kaon.group(2) == null ? "bar" : "")
                + Objects.toString(kaon.group(3), "")
            : name);
  }

  /**
   * The baryon of a name.
   *
   * @throws IllegalArgumentException if there is none, with the known names
   */
  public Baryon baryon(String name) {
    Baryon own = ownBaryons.get(name);
    return own != null
        ? own
        : Baryon.named(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown baryon "
                            + Quoted.of(name)
                            + ", expected one of "
                            + String.join(", ", known())
                            + "; or write the operator out in terms"
                            + (mesons.isTaken(name)
                                ? "; " + name + " is a meson"
                                : Suggestion.text(name, known()))));
  }

  private List<String> known() {
    List<String> known = new ArrayList<>(Baryon.names());
    known.addAll(ownBaryons.keySet());
    return known;
  }

  /**
   * Refuses a name that another hadron has, or that has the form of a meson with derivatives.
   *
   * @throws IllegalArgumentException when the name is taken
   */
  public void checkFree(String name) {
    boolean meson = mesons.isTaken(name);
    if (meson || ownBaryons.containsKey(name) || Baryon.named(name).isPresent()) {
      throw new IllegalArgumentException(
          "the name "
              + Quoted.of(name)
              + " is taken: it is that of a "
              + (meson ? "meson" : "baryon")
              + "; choose another");
    }
  }

  /** Adds a meson under its name. */
  public void add(MesonField meson) {
    checkFree(meson.name());
    ownMesons.put(meson.name(), meson);
  }

  /** Adds a baryon under its name. */
  public void add(Baryon baryon) {
    checkFree(baryon.name());
    ownBaryons.put(baryon.name(), baryon);
  }
}
