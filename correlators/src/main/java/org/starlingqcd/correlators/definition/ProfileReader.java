package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * Reads distillation profiles: those that a definition names under {@code profiles}, and those of
 * hadrons and factors, by name or written out in the same form. Names end here; {@link Profiles}
 * says how a profile is written from here on.
 */
final class ProfileReader {
  private static final String GAUSSIAN = "gaussian";
  private static final String WEIGHTS = "weights";
  private static final String PROFILE = "profile";

  /** Keys of a meson's profiles by quark, in the order of its indices. */
  private static final List<String> OF_QUARKS = List.of("antiquark_profile", "quark_profile");

  /** All keys of a meson's profiles. */
  static final List<String> OF_A_MESON = List.of(PROFILE, OF_QUARKS.get(0), OF_QUARKS.get(1));

  private final Map<String, String> named = new LinkedHashMap<>();

  ProfileReader(Fields definition) {
    if (definition.has("profiles")) {
      Fields entries = definition.fields("profiles", "profiles");
      for (String name : entries.names()) {
        named.put(
            name,
            profile(entries.node(name), entries.place(name).in("profile " + Quoted.of(name))));
      }
    }
  }

  private static String profile(YamlNode node, Place place) {
    Fields fields = Fields.of(node, "a profile", place).allow(List.of(GAUSSIAN, WEIGHTS));
    if (fields.has(GAUSSIAN) == fields.has(WEIGHTS)) {
      throw fields
          .place()
          .error(
              "a profile is gaussian: σ or weights: […], found %s",
              fields.has(GAUSSIAN) ? "both" : "neither");
    }
    if (fields.has(GAUSSIAN)) {
      double sigma = fields.value(GAUSSIAN, Fields::real);
      if (!(sigma > 0)) {
        throw fields.error(GAUSSIAN, "gaussian: expected σ > 0, found %s", sigma);
      }
      return GAUSSIAN + " " + sigma;
    }
    List<YamlNode> items = fields.filledList(WEIGHTS);
    List<String> times = new ArrayList<>();
    boolean byTime = items.get(0) instanceof YamlNode.Sequence;
    for (YamlNode time : byTime ? items : List.of(fields.node(WEIGHTS))) {
      List<Double> weights = fields.values(time, WEIGHTS, Fields::real);
      if (weights.stream().allMatch(weight -> weight == 0)) {
        throw fields.error(WEIGHTS, "weights: all are 0, with which operators vanish");
      }
      times.add(weights.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
    if (times.stream().map(t -> t.split(" ").length).distinct().count() > 1) {
      throw fields.error(WEIGHTS, "weights: every time has as many weights as the others");
    }
    return WEIGHTS + " " + String.join(";", times);
  }

  /** The profile under a key, by name or written out. */
  private String profile(Fields fields, String key) {
    return profile(fields, key, fields.node(key));
  }

  private String profile(Fields fields, String key, YamlNode node) {
    if (node instanceof YamlNode.Mapping) {
      return profile(node, fields.place(key));
    }
    String name = fields.text(node, key);
    String known = named.get(name);
    if (known == null) {
      throw fields.error(
          key,
          "%s: unknown profile %s; the definition's profiles are %s",
          key,
          Quoted.of(name),
          named.isEmpty() ? "none" : String.join(", ", named.keySet()));
    }
    return known;
  }

  /** The profiles of a meson: of the antiquark, and of the quark. */
  List<String> meson(Fields fields) {
    if (fields.has(PROFILE)) {
      for (String key : OF_QUARKS) {
        if (fields.has(key)) {
          throw fields.error(key, "%s beside profile, which is for both quarks", key);
        }
      }
      return Collections.nCopies(2, profile(fields, PROFILE));
    }
    List<String> profiles = new ArrayList<>();
    for (String key : OF_QUARKS) {
      profiles.add(fields.has(key) ? profile(fields, key) : "");
    }
    return profiles;
  }

  /** The profiles of a baryon: one for all quarks, or one for each. */
  List<String> baryon(Fields fields) {
    return ofAll(fields, "a baryon", 3);
  }

  /** The profiles of a tetraquark: one for all fields, or one for each, antiquarks first. */
  List<String> tetraquark(Fields fields) {
    return ofAll(fields, "a tetraquark", 4);
  }

  private List<String> ofAll(Fields fields, String hadron, int quarks) {
    if (!fields.has(PROFILE)) {
      return List.of();
    }
    if (!(fields.node(PROFILE) instanceof YamlNode.Sequence list)) {
      return Collections.nCopies(quarks, profile(fields, PROFILE));
    }
    if (list.items().size() != quarks) {
      throw fields.error(
          PROFILE,
          "profile: %s has one profile, or a list of %d, found %d",
          hadron,
          quarks,
          list.items().size());
    }
    return list.items().stream().map(node -> profile(fields, PROFILE, node)).toList();
  }

  /**
   * Refuses profiles of a hadron that has some already.
   *
   * @param name the hadron
   * @param own whether its definition gives it profiles
   * @param profiles those given where it is used
   */
  static void checkOnce(Fields fields, String name, boolean own, List<String> profiles) {
    if (own && !profiles.stream().allMatch(String::isEmpty)) {
      throw fields.error(
          "profiles of %s, whose definition gives it profiles already; leave them out here"
              .formatted(name));
    }
  }

  /** The keys that say the profiles of a meson with two indices, written out. */
  static Map<String, Object> describeMeson(String displacement) {
    List<String> profiles = Profiles.in(displacement);
    Map<String, Object> map = new LinkedHashMap<>();
    if (!profiles.isEmpty() && profiles.get(0).equals(profiles.get(1))) {
      map.put(PROFILE, describe(profiles.get(0)));
    } else if (!profiles.isEmpty()) {
      for (int k = 0; k < 2; k++) {
        if (!profiles.get(k).isEmpty()) {
          map.put(OF_QUARKS.get(k), describe(profiles.get(k)));
        }
      }
    }
    return map;
  }

  /** The key that says the profiles of a baryon or a tetraquark, written out; none for none. */
  static Map<String, Object> describe(List<String> profiles) {
    return profiles.isEmpty()
        ? Map.of()
        : Map.of(PROFILE, profiles.stream().map(ProfileReader::describe).toList());
  }

  private static Map<String, Object> describe(String profile) {
    String numbers = profile.substring(profile.indexOf(' ') + 1);
    if (profile.startsWith(GAUSSIAN)) {
      return Map.of(GAUSSIAN, Double.parseDouble(numbers));
    }
    List<List<Double>> times =
        Arrays.stream(numbers.split(";"))
            .map(time -> Arrays.stream(time.split(" ")).map(Double::valueOf).toList())
            .toList();
    return Map.of(WEIGHTS, times.size() == 1 ? times.get(0) : times);
  }
}
