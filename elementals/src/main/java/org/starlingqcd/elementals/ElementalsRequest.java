package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Which elementals are computed.
 *
 * @param momenta the momenta
 * @param displacements displacements of mesons: {@code none}, {@code nabla_k}, {@code D_k}, {@code
 *     D_jD_k}
 * @param baryons whether baryon elementals are computed too, without displacement
 */
public record ElementalsRequest(
    List<Momentum> momenta, List<String> displacements, boolean baryons) {
  /** Copies the lists. */
  public ElementalsRequest {
    momenta = List.copyOf(momenta);
    displacements = List.copyOf(displacements);
  }

  /** All momenta n with n² of at most {@code bound}, in ascending order of their components. */
  public static List<Momentum> momenta(int bound) {
    List<Momentum> all = new ArrayList<>();
    int side = (int) Math.sqrt(bound);
    for (int x = -side; x <= side; x++) {
      for (int y = -side; y <= side; y++) {
        for (int z = -side; z <= side; z++) {
          if (x * x + y * y + z * z <= bound) {
            all.add(new Momentum(x, y, z));
          }
        }
      }
    }
    return all;
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

  /** Bytes of the elementals of one time slice. */
  public long bytesOfTime(VectorHeader header) {
    long n = header.eigenvectors();
    return 16 * n * n * (mesons(header).size() + n * baryonNames().size());
  }
}
