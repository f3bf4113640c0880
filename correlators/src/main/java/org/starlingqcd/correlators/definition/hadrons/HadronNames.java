package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.hadron.text.Quoted;

/** The hadrons that a definition can name: the built-in ones and its own. */
public final class HadronNames {
  private final Map<String, MesonField> ownMesons = new LinkedHashMap<>();
  private final Map<String, Baryon> ownBaryons = new LinkedHashMap<>();
  private final MesonNames mesons = new MesonNames(ownMesons);

  /** Names of mesons. */
  public MesonNames mesons() {
    return mesons;
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
