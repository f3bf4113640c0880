package org.starlingqcd.correlators.definition;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The definitions that come with the program and are known by name. */
public final class ShippedDefinitions {
  private static final List<String> NAMES =
      List.of(
          ("a1_rhopi b1_derivative charge_pion delta_h f0d2 f0d4 ff_pion"
                  + " kaon_to_pion kpi_i32 lambda_uds nn_i1 nn_t1 npi_001_g1 npi_100_g1"
                  + " npi_111_f1 npi_g1u npi_i12 npi_i32 nucleon nucleon_charges nucleon_ff"
                  + " nucleon_g1u pigamma_to_pipi pion pipi_i2 pipi_to_rho pipipi_i3"
                  + " rho_001_e rho_011_b1 rho_011_d1 rho_111_e rho_d1_t2 rho_pipi rho_to_pi"
                  + " sigma sigma_terms tcc tcc_flight written_out zc")
              .split(" "));

  private ShippedDefinitions() {}

  /** Their names, sorted. */
  public static List<String> names() {
    return NAMES;
  }

  /** What one of them is: the comment in its first line. */
  public static String description(String name) {
    return text(name).lines().findFirst().orElse("").replaceFirst("^#\\s*", "");
  }

  /** The YAML text of one of them. */
  static String text(String name) {
    String resource = "/org/starlingqcd/correlators/definitions/" + name + ".yaml";
    try (InputStream stream = ShippedDefinitions.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("missing from the program: " + resource);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
