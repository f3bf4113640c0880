package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.GluonicHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.MesonField;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.hadrons.Tetraquark;
import org.starlingqcd.correlators.definition.hadrons.TetraquarkHadron;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * Reads the hadrons that a definition names itself, under {@code mesons}, {@code baryons} and
 * {@code tetraquarks}, and those of its operators. A name may be used in the definitions of hadrons
 * that follow it.
 */
final class HadronReader {
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}\\s,:(){}\\[\\]]{1,100}");

  private final DefinitionHeader header;
  private final HadronNames names;
  private final ProfileReader profiles;

  /**
   * Reads the definition's own hadrons.
   *
   * @param earlierNames whether kaons have the names that they had before version 0.1
   */
  HadronReader(DefinitionHeader header, Fields definition, boolean earlierNames) {
    this.header = header;
    names = new HadronNames(earlierNames);
    profiles = new ProfileReader(definition);
    for (String kind : List.of("meson", "baryon", "tetraquark")) {
      String key = kind + "s";
      if (definition.has(key)) {
        Fields entries = definition.fields(key, key);
        for (String name : entries.names()) {
          Place place = entries.place(name).in(kind + " " + Quoted.of(name));
          checkName(name, place);
          switch (kind) {
            case "meson" -> names.add(ownMeson(name, entries.node(name), place));
            case "baryon" -> names.add(ownBaryon(name, entries.node(name), place));
            default ->
                names.add(TetraquarkReader.own(header, profiles, name, entries.node(name), place));
          }
        }
      }
    }
  }

  /** The profiles that the definition names. */
  ProfileReader profiles() {
    return profiles;
  }

  private void checkName(String name, Place place) {
    if (!NAME.matcher(name).matches()) {
      throw place.error(
          "the name of a hadron has no blanks, commas, colons, brackets and control characters");
    }
    try {
      names.checkFree(name);
    } catch (IllegalArgumentException e) {
      throw place.error(e);
    }
  }

  private MesonField ownMeson(String name, YamlNode node, Place place) {
    if (node instanceof YamlNode.Sequence parts) {
      return combination(name, parts.items(), List.of(), place);
    }
    Fields fields = Fields.of(node, "a meson of one's own", place);
    if (fields.has("like") == fields.has("combination")) {
      throw fields
          .place()
          .error(
              "a meson of one's own is like another with another flavour, or a combination; found %s",
              fields.has("like") ? "both" : "neither");
    }
    if (fields.has("combination")) {
      fields.allow(List.of("combination", "momenta"));
      List<Momentum> momenta = new ArrayList<>();
      if (fields.has("momenta")) {
        fields
            .filledList("momenta")
            .forEach(n -> momenta.add(DefinitionReader.momentum(fields, n, "momenta")));
      }
      return combination(name, fields.list("combination"), momenta, place);
    }
    fields.allow(List.of("like", "strange"));
    MesonField like = fields.value("like", names::meson);
    String strange = fields.value("strange", this::strange);
    try {
      return like.like(name, strange);
    } catch (IllegalArgumentException e) {
      throw fields.place("like").error(e);
    }
  }

  private MesonField combination(
      String name, List<YamlNode> nodes, List<Momentum> momenta, Place place) {
    if (nodes.isEmpty()) {
      throw place.error("the combination is an empty list");
    }
    List<MesonField.Part> parts = new ArrayList<>();
    for (YamlNode node : nodes) {
      Fields part = Fields.of(node, "a part of a combination", place);
      part.allow(
          Stream.of(List.of("meson", "coefficient"), ProfileReader.OF_A_MESON)
              .flatMap(List::stream)
              .toList());
      MesonField meson = part.value("meson", names::meson);
      List<String> some = profiles.meson(part);
      ProfileReader.checkOnce(part, meson.name(), meson.hasProfiles(), some);
      parts.add(new MesonField.Part(OperatorReader.coefficient(part), meson, some));
    }
    try {
      return MesonField.combination(name, parts, momenta);
    } catch (IllegalArgumentException e) {
      throw place.error(e);
    }
  }

  private Baryon ownBaryon(String name, YamlNode node, Place place) {
    Fields fields = Fields.of(node, "a baryon of one's own", place);
    fields.allow(List.of("like", "strange"));
    Baryon like = fields.value("like", names::baryon);
    String strange = fields.value("strange", this::strange);
    if (!like.kind().hasStrange()) {
      throw fields.error(
          "like", "%s has no strange quark that another flavour could replace", like.name());
    }
    return new Baryon(name, like.kind(), strange);
  }

  /** The flavour in the place of the strange quark. */
  private String strange(String flavour) {
    if (flavour.equals("u") || flavour.equals("d")) {
      throw new IllegalArgumentException(
          "expected a flavour without isospin, not the light " + flavour);
    }
    return OperatorReader.flavour(header, flavour);
  }

  /**
   * The hadrons under the key {@code hadrons} of an operator, baryons before tetraquarks before
   * mesons.
   */
  List<HadronFactor> hadrons(Fields fields) {
    List<HadronFactor> hadrons = new ArrayList<>();
    for (YamlNode node : fields.filledList("hadrons")) {
      Fields hadron = Fields.of(node, "a hadron", fields.place());
      List<String> kinds = new ArrayList<>(List.of("baryon", "tetraquark", "meson", "gluonic"));
      kinds.retainAll(hadron.names());
      if (kinds.size() > 1) {
        throw hadron.error(
            "a hadron is a meson, a baryon, a tetraquark or a gluonic factor, found "
                + String.join(" and ", kinds));
      }
      HadronFactor before = hadrons.isEmpty() ? null : hadrons.get(hadrons.size() - 1);
      if (hadron.has("baryon") && before != null && !before.isBaryon()) {
        throw hadron.error(
            before instanceof TetraquarkHadron
                ? "a baryon after a tetraquark: baryons come before tetraquarks"
                : "a baryon after a meson: baryons come before mesons");
      }
      if (hadron.has("tetraquark") && before != null && !before.isBaryon()) {
        throw hadron.error(
            before instanceof TetraquarkHadron
                ? "a product of 2 tetraquarks: one can be contracted"
                : "a tetraquark after a meson: tetraquarks come before mesons");
      }
      hadrons.add(
          switch (kinds.isEmpty() ? "meson" : kinds.get(0)) {
            case "baryon" -> baryon(hadron);
            case "tetraquark" -> tetraquark(hadron);
            case "gluonic" -> gluonic(hadron);
            default -> meson(hadron);
          });
    }
    return hadrons;
  }

  private static HadronFactor gluonic(Fields fields) {
    fields.allow(List.of("gluonic", "momentum", "transforms", "row"));
    Irrep irrep =
        fields.value(
            "transforms",
            Irrep.of("A1+", Momentum.ZERO),
            text -> {
              List<Irrep> all = Irrep.all(Momentum.ZERO, false);
              return all.stream()
                  .filter(known -> known.name().equals(text))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "expected an irrep at rest, one of %s, found %s"
                                  .formatted(
                                      String.join(", ", all.stream().map(Irrep::name).toList()),
                                      Quoted.of(text))));
            });
    if (irrep.dimension() > 1 && !fields.has("row")) {
      throw fields
          .place()
          .error("missing row: %s needs %s", irrep.name(), String.join(", ", irrep.rows()));
    }
    return new GluonicHadron(
        OperatorReader.gluonicName(fields, "gluonic"),
        irrep,
        DefinitionReader.momentum(fields, "momentum"),
        fields.has("row") ? DefinitionReader.row(fields, "row", irrep) : 0);
  }

  private HadronFactor meson(Fields fields) {
    fields.allow(
        List.of(
            "meson", "momentum", "polarization", "profile", "quark_profile", "antiquark_profile"));
    MesonHadron meson = meson(fields, DefinitionReader.momentum(fields, "momentum"));
    List<String> some = profiles.meson(fields);
    ProfileReader.checkOnce(fields, meson.name(), meson.meson().hasProfiles(), some);
    return new MesonHadron(meson.meson(), meson.momentum(), meson.row(), some);
  }

  private HadronFactor tetraquark(Fields fields) {
    fields.allow(List.of("tetraquark", "momentum", "polarization", "profile"));
    Tetraquark tetraquark = fields.value("tetraquark", names::tetraquark);
    List<String> some = profiles.tetraquark(fields);
    ProfileReader.checkOnce(fields, tetraquark.name(), tetraquark.hasProfiles(), some);
    return new TetraquarkHadron(
        tetraquark,
        DefinitionReader.momentum(fields, "momentum"),
        polarization(fields, tetraquark.name(), tetraquark.irrep()),
        some);
  }

  /** The row under the key {@code polarization}. */
  private static int polarization(Fields fields, String hadron, Irrep irrep) {
    List<String> rows = irrep.rows();
    boolean polarized = rows.size() > 1;
    String alternatives = HadronNames.oneOf(rows);
    if (polarized && !fields.has("polarization")) {
      throw fields.place().error("missing polarization: %s needs %s", hadron, alternatives);
    }
    if (!polarized && fields.has("polarization")) {
      throw fields.error(
          "polarization",
          "polarization: %s %s none; leave it out",
          hadron,
          irrep.stem().equals("A1")
              ? "has spin 0 and"
              : "is in the one-dimensional irrep " + irrep.name() + " and has");
    }
    return fields.value(
        "polarization",
        0,
        text -> {
          if (!rows.contains(text)) {
            throw new IllegalArgumentException(
                "expected %s, found %s".formatted(alternatives, Quoted.of(text)));
          }
          return rows.indexOf(text);
        });
  }

  /** The meson under the keys {@code meson} and {@code polarization}. */
  MesonHadron meson(Fields fields, Momentum momentum) {
    MesonField meson = fields.value("meson", names::meson);
    int row = polarization(fields, meson.name(), meson.irrep());
    List<Momentum> bounds = meson.boundsAgainst(momentum);
    if (!bounds.isEmpty()) {
      throw fields.error(
          "momentum",
          "momentum %s: %s is a combination for momenta equivalent to %s; define another for this"
              + " momentum",
          momentum,
          meson,
          String.join(", ", bounds.stream().map(Momentum::toString).toList()));
    }
    return new MesonHadron(meson, momentum, row);
  }

  private HadronFactor baryon(Fields fields) {
    fields.allow(List.of("baryon", "momentum", "component", "parity", "profile"));
    Baryon baryon = fields.value("baryon", names::baryon);
    Momentum momentum = DefinitionReader.momentum(fields, "momentum");
    int component = OperatorReader.component(fields);
    int states = baryon.twiceSpin() + 1;
    boolean nucleon = baryon.kind() == Baryon.Kind.N;
    if (component > states && !(nucleon && !header.deGrandRossi())) {
      throw fields.error(
          "component",
          "component %d of %s%s",
          component,
          baryon.name(),
          nucleon
              ? " is a copy of component %d: with %s expected 1 or 2"
                  .formatted(component - states, header.target() == null ? "orientation" : "irrep")
              : ": expected 1 or 2, spin +1/2 or -1/2");
    }
    boolean deGrandRossi = header.deGrandRossi() || baryon.twiceSpin() > 1;
    return new BaryonHadron(
        baryon,
        momentum,
        component,
        OperatorReader.parity(fields),
        deGrandRossi,
        profiles.baryon(fields));
  }
}
