package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Which elementals are computed.
 *
 * @param momenta the momenta
 * @param displacements displacements of mesons: {@code none}, {@code nabla_k}, {@code D_k}, {@code
 *     D_jD_k}
 * @param baryons whether baryon elementals are computed too, without displacement
 * @param tetraquarks colours of the elementals of tetraquarks that are computed too
 */
public record ElementalsRequest(
    List<Momentum> momenta,
    List<String> displacements,
    boolean baryons,
    List<PairColour> tetraquarks) {
  /** Without tetraquarks. */
  public ElementalsRequest(List<Momentum> momenta, List<String> displacements, boolean baryons) {
    this(momenta, displacements, baryons, List.of());
  }

  /** Copies the lists. */
  public ElementalsRequest {
    tetraquarks = List.copyOf(tetraquarks);
    momenta = List.copyOf(momenta);
    displacements = List.copyOf(displacements);
  }

  /** Whether some displacement needs gauge links. */
  public boolean needsLinks() {
    return displacements.stream().anyMatch(name -> !Displacement.of(name).axes().isEmpty());
  }

  /** The meson elementals that do not vanish identically on this lattice, momentum by momentum. */
  public List<ElementalName> mesons(VectorHeader header) {
    List<ElementalName> names = new ArrayList<>();
    for (Momentum momentum : momenta) {
      for (String displacement : displacements) {
        ElementalName name = new ElementalName(displacement, momentum);
        if (!name.vanishes(header.spatialExtent())) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** The baryon elementals. */
  public List<ElementalName> baryonNames() {
    return baryons
        ? momenta.stream().map(momentum -> new ElementalName("none", momentum)).toList()
        : List.of();
  }

  /** Momenta of the elementals of tetraquarks: of n and -n the greater, since K(-n) is K(n)†. */
  public List<Momentum> tetraquarkMomenta() {
    return momenta.stream()
        .filter(n -> n.compareTo(n.negate()) >= 0 || !momenta.contains(n.negate()))
        .toList();
  }

  /** The elementals of tetraquarks. */
  public List<ElementalName> tetraquarkNames() {
    return tetraquarks.stream()
        .flatMap(
            colour ->
                tetraquarkMomenta().stream().map(n -> new ElementalName(colour.toString(), n)))
        .toList();
  }
}
