package org.starlingqcd.graph.wick;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.wick.ProductContraction.Meson;

/**
 * The flavours of the fields of a product, as numbers: contraction asks again and again which
 * fields have one flavour, and then compares no names.
 */
final class FieldFlavours {
  private final List<String> names = new ArrayList<>();
  private final int[] ofLeg;
  private final int[] ofQuark;
  private final int[] legsWith;
  private final int[] barsWith;

  /**
   * Numbers them.
   *
   * @param legs flavours of the legs where paths begin
   * @param ends flavours of the legs where paths end
   */
  FieldFlavours(List<Meson> mesons, List<String> legs, List<String> ends) {
    ofLeg = legs.stream().mapToInt(this::number).toArray();
    ofQuark = new int[mesons.size()];
    for (int k = 0; k < ofQuark.length; k++) {
      ofQuark[k] = number(mesons.get(k).quark());
    }
    // Flavours of the other fields alone contract with nothing.
    legsWith = new int[names.size()];
    for (int leg = 0; leg < ends.size(); leg++) {
      mark(legsWith, ends.get(leg), leg);
    }
    barsWith = new int[names.size()];
    for (int k = 0; k < mesons.size(); k++) {
      mark(barsWith, mesons.get(k).bar(), k);
    }
  }

  private int number(String name) {
    int known = names.indexOf(name);
    if (known < 0) {
      names.add(name);
      return names.size() - 1;
    }
    return known;
  }

  private void mark(int[] with, String name, int field) {
    int flavour = names.indexOf(name);
    if (flavour >= 0) {
      with[flavour] |= 1 << field;
    }
  }

  /** Number of flavours of the legs where paths begin and of the mesons' quarks. */
  int size() {
    return names.size();
  }

  String name(int flavour) {
    return names.get(flavour);
  }

  /** The flavour of a leg where a path begins. */
  int ofLeg(int leg) {
    return ofLeg[leg];
  }

  /** The flavour of a meson's quark. */
  int ofQuark(int meson) {
    return ofQuark[meson];
  }

  /** The legs where paths end with a flavour, as bits. */
  int legsWith(int flavour) {
    return legsWith[flavour];
  }

  /** The mesons whose antiquark has a flavour, as bits. */
  int barsWith(int flavour) {
    return barsWith[flavour];
  }
}
