package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads one operator: a product of hadrons, or terms written out. */
final class OperatorReader {
  /** The spin bases of components, as they are written. */
  static final String DEGRAND_ROSSI = "DeGrand-Rossi";

  static final String DATA = "data";

  private static final int MOST_BARYONS = 2;
  private static final int MOST_HADRONS = 15;

  /** Names of displacements and gluonic factors are names of groups in data files. */
  private static final Pattern GROUP = Pattern.compile("[^\\p{Cntrl}/]+");

  /** The denominator is not 0. */
  private static final Pattern FRACTION = Pattern.compile("([+-]?\\d+) */ *(0*[1-9]\\d*)");

  private final DefinitionHeader header;
  private final HadronReader hadrons;
  private final @Nullable Irrep irrep;

  OperatorReader(DefinitionHeader header, HadronReader hadrons) {
    this.header = header;
    this.hadrons = hadrons;
    irrep = header.irrep();
  }

  OperatorDefinition read(Fields unnamed) {
    String name = unnamed.text("name");
    Fields fields = unnamed.in("operator " + Quoted.of(name));
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw fields.error("name", "the name of an operator has no control characters");
    }
    fields.allow(
        List.of("name", "coefficient", "hadrons", "seed_row", "intermediate_isospin", "terms"));
    boolean terms = fields.has("terms");
    if (fields.has("hadrons") == terms) {
      throw fields
          .place()
          .error("an operator has either hadrons or terms, found %s", terms ? "both" : "neither");
    }
    for (String key : List.of("coefficient", "seed_row", "intermediate_isospin")) {
      if (terms && fields.has(key)) {
        throw fields.error(
            key,
            "%s belongs to hadrons; terms are used as they stand%s",
            key,
            key.equals("coefficient") ? ", each with its own coefficient" : "");
      }
    }
    if (terms && header.orientation() != null) {
      throw fields.error(
          "terms", "terms with orientation: an operator that is written out cannot be turned");
    }
    OperatorDefinition operator =
        terms
            ? new OperatorDefinition.WrittenOut(
                name, fields.filledList("terms").stream().map(t -> term(t, fields)).toList())
            : product(name, fields);
    checkKind(fields, operator);
    if (operator.hasBaryons() && header.onePoint()) {
      throw fields.error(
          "vev: true with a baryon: operators with baryons have no one-point functions");
    }
    return operator;
  }

  /** Rejects a single-valued irrep for an odd number of baryons, and a double-valued one else. */
  private void checkKind(Fields fields, OperatorDefinition operator) {
    if (irrep == null || operator.hasOddBaryons() == irrep.isDoubleValued()) {
      return;
    }
    LittleGroup.Kind kind = irrep.group().kind();
    String remedy;
    if (kind == LittleGroup.Kind.C1 && operator.hasOddBaryons()) {
      remedy = "the momentum " + header.momentum() + " has no double-valued irrep: leave it out";
    } else if (operator instanceof OperatorDefinition.Product product) {
      remedy = "the product contains " + new ProductContent(product.hadrons()).text();
    } else {
      remedy =
          "expected one of "
              + String.join(
                  ", ",
                  irrep.isDoubleValued() ? kind.singleValuedIrreps() : kind.doubleValuedIrreps());
    }
    throw fields
        .place()
        .error(
            irrep.isDoubleValued()
                ? "irrep %s is double-valued, for an odd number of baryons, and the operator has an"
                    + " even number; %s"
                : "irrep %s is single-valued, for an even number of baryons, and the operator has an"
                    + " odd number; %s",
            irrep.name(),
            remedy);
  }

  private OperatorDefinition product(String name, Fields fields) {
    if (header.isospin() == null) {
      throw fields.error(
          "hadrons", "hadrons need the total isospin: write isospin: [I, I3] at the top");
    }
    Map<String, String> quarks = header.quarks();
    if (!header.isIsospinSymmetric()) {
      throw fields.error(
          "hadrons",
          "isospin needs one perambulator label for u and d, but quarks has u: %s, d: %s; write the"
              + " operator out in terms instead",
          quarks.get("u"),
          quarks.get("d"));
    }
    List<HadronFactor> product = hadrons.hadrons(fields);
    long baryons = product.stream().filter(HadronFactor::isBaryon).count();
    List<Momentum> momenta = product.stream().map(HadronFactor::momentum).toList();
    check(fields.place("hadrons"), baryons, momenta, header);
    Complex coefficient = coefficient(fields);
    if (coefficient.abs() == 0) {
      throw fields.error("coefficient", "coefficient: the operator vanishes with 0");
    }
    return new OperatorDefinition.Product(
        name, coefficient, product, seedRow(fields), intermediate(fields, product.size()));
  }

  private int seedRow(Fields fields) {
    DefinitionHeader.Target target = header.target();
    if (irrep == null || target == null) {
      if (fields.has("seed_row")) {
        throw fields.error("seed_row", "seed_row without irrep");
      }
      return 0;
    }
    return fields.has("seed_row") ? DefinitionReader.row(fields, "seed_row", irrep) : target.row();
  }

  private static List<HalfInteger> intermediate(Fields fields, int hadrons) {
    List<HalfInteger> values =
        fields.has("intermediate_isospin")
            ? fields.values("intermediate_isospin", DefinitionReader::halfInteger)
            : List.of();
    int needed = Math.max(0, hadrons - 2);
    if (values.size() != needed) {
      throw fields.error(
          "intermediate_isospin",
          "intermediate_isospin: %d %s %d %s, one per coupling before the last, found %d",
          hadrons,
          hadrons == 1 ? "hadron needs" : "hadrons need",
          needed,
          needed == 1 ? "value" : "values",
          values.size());
    }
    return values;
  }

  /** Checks the numbers of hadrons and baryons and the total momentum of a product. */
  static void check(Place place, long baryons, List<Momentum> momenta, DefinitionHeader header) {
    if (momenta.size() > MOST_HADRONS) {
      throw place.error(
          "a product of %d hadrons: at most %d can be contracted", momenta.size(), MOST_HADRONS);
    }
    if (baryons > MOST_BARYONS) {
      throw place.error(
          "a product of %d baryons: products of at most two baryons are supported", baryons);
    }
    long[] sum = new long[3];
    for (Momentum momentum : momenta) {
      for (int axis = 0; axis < sum.length; axis++) {
        sum[axis] += momentum.component(axis);
      }
    }
    Momentum total = header.momentum();
    if (!Arrays.equals(sum, new long[] {total.x(), total.y(), total.z()})) {
      throw place.error(
          "the momenta add up to %s, but the total momentum is %s", Arrays.toString(sum), total);
    }
  }

  private static void checkTetraquarks(Place place, long count) {
    if (count > 1) {
      throw place.error("a product of %d tetraquarks: one can be contracted", count);
    }
  }

  private Term term(YamlNode node, Fields operator) {
    Fields fields = Fields.of(node, "a term", operator.place());
    fields.allow(List.of("coefficient", "baryons", "tetraquarks", "mesons", "gluonic"));
    List<Factor> factors = new ArrayList<>();
    Map<String, Function<YamlNode, Factor>> kinds = new LinkedHashMap<>();
    Place place = operator.place();
    kinds.put("baryons", factor -> baryon(Fields.of(factor, "a baryon factor", place)));
    kinds.put(
        "tetraquarks",
        factor ->
            TetraquarkReader.factor(
                header, hadrons.profiles(), Fields.of(factor, "a tetraquark factor", place)));
    kinds.put("mesons", factor -> meson(Fields.of(factor, "a meson factor", place)));
    kinds.put("gluonic", factor -> gluonic(Fields.of(factor, "a gluonic factor", place)));
    kinds.forEach(
        (kind, reader) -> {
          if (fields.has(kind)) {
            fields.list(kind).forEach(factor -> factors.add(reader.apply(factor)));
          }
        });
    if (factors.isEmpty()) {
      throw fields.error("a term needs mesons, baryons, tetraquarks or gluonic factors");
    }
    long baryons = factors.stream().filter(BaryonFactor.class::isInstance).count();
    check(fields.place(), baryons, factors.stream().map(Factor::momentum).toList(), header);
    checkTetraquarks(
        fields.place(), factors.stream().filter(TetraquarkFactor.class::isInstance).count());
    return new Term(coefficient(fields), factors);
  }

  /** The key {@code coefficient}, 1 where it is missing. */
  static Complex coefficient(Fields fields) {
    return fields.has("coefficient") ? coefficient(fields, "coefficient") : Complex.ONE;
  }

  /** The coefficient under a key: a real number, a fraction, or real and imaginary part. */
  static Complex coefficient(Fields fields, String key) {
    List<Double> parts = fields.oneOrMore(key, OperatorReader::real);
    if (!(fields.node(key) instanceof YamlNode.Sequence)) {
      return new Complex(parts.get(0), 0);
    }
    if (parts.size() != 2) {
      throw fields.error(
          key, "%s is a real number or [re, im], found %d numbers", key, parts.size());
    }
    return new Complex(parts.get(0), parts.get(1));
  }

  private static double real(String text) {
    Matcher fraction = FRACTION.matcher(text);
    return fraction.matches()
        ? Fields.real(fraction.group(1)) / Fields.real(fraction.group(2))
        : Fields.real(text);
  }

  private static Factor gluonic(Fields fields) {
    fields.allow(List.of("name", "row", "momentum"));
    return new Gluonic(
        gluonicName(fields, "name"),
        fields.has("row") ? gluonicName(fields, "row") : "",
        DefinitionReader.momentum(fields, "momentum"));
  }

  /** The name of a gluonic factor, or of its row; the data have a group of that name. */
  static String gluonicName(Fields fields, String key) {
    return groupName(fields, key, fields.text(key), "");
  }

  private Factor meson(Fields fields) {
    fields.allow(
        List.of(
            "bar",
            "gamma",
            "quark",
            "momentum",
            "displacement",
            "profile",
            "quark_profile",
            "antiquark_profile"));
    String displacement = Profiles.of(displacement(fields), hadrons.profiles().meson(fields));
    return new Bilinear(
        fields.value("bar", text -> flavour(header, text)),
        fields.value("gamma", OperatorReader::gamma),
        fields.value("quark", text -> flavour(header, text)),
        DefinitionReader.momentum(fields, "momentum"),
        displacement);
  }

  /** The name under the key {@code displacement}, {@code none} where it is missing. */
  static String displacement(Fields fields) {
    String displacement = fields.text("displacement", ElementalRef.NO_DISPLACEMENT);
    return groupName(fields, "displacement", displacement, ", as none, nabla_x, D_x or D_xD_y");
  }

  private static String groupName(Fields fields, String key, String name, String examples) {
    if (!GROUP.matcher(name).matches() || name.matches("[.]{1,2}")) {
      throw fields.error(
          key,
          "%s: expected a name of the data without / and control characters%s; found %s",
          key,
          examples,
          Quoted.of(name));
    }
    return name;
  }

  private Factor baryon(Fields fields) {
    fields.allow(
        List.of("quarks", "diquark", "parity", "component", "basis", "momentum", "profile"));
    List<String> quarks = fields.values("quarks", text -> flavour(header, text));
    if (quarks.size() != 3) {
      throw fields.error("quarks", "a baryon has three quarks, found %d", quarks.size());
    }
    return new BaryonFactor(
        quarks.get(0),
        quarks.get(1),
        quarks.get(2),
        fields.value("diquark", Gamma.G5, OperatorReader::diquark),
        parity(fields),
        component(fields),
        DefinitionReader.momentum(fields, "momentum"),
        Profiles.of(ElementalRef.NO_DISPLACEMENT, hadrons.profiles().baryon(fields)),
        fields.value("basis", header.deGrandRossi(), OperatorReader::isDeGrandRossi));
  }

  /** Whether components are those of the DeGrand-Rossi basis or of the data's basis. */
  private static boolean isDeGrandRossi(String text) {
    if (!List.of(DEGRAND_ROSSI, DATA).contains(text)) {
      throw new IllegalArgumentException(
          "the basis in which component counts is data or DeGrand-Rossi, found " + Quoted.of(text));
    }
    return text.equals(DEGRAND_ROSSI);
  }

  /** A flavour of the definition. */
  static String flavour(DefinitionHeader header, String text) {
    if (!header.quarks().containsKey(text)) {
      throw new IllegalArgumentException(
          "unknown flavour %s, expected one of %s; more are added with quarks: {flavour: label} at the top"
              .formatted(Quoted.of(text), String.join(", ", header.quarks().keySet())));
    }
    return text;
  }

  /** A product of gammas. */
  static Gamma gamma(String text) {
    try {
      return Gamma.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown gamma structure %s, expected 1 or a product of g1 … g5 such as g5 or g3g5"
              .formatted(Quoted.of(text)),
          e);
    }
  }

  /** C followed by gammas. */
  static Gamma diquark(String text) {
    if (!text.startsWith("C") || text.equals("C1")) {
      throw new IllegalArgumentException(
          "expected C followed by gammas, such as C, Cg5 or Cg1g5, found " + Quoted.of(text));
    }
    return text.equals("C") ? Gamma.ONE : gamma(text.substring(1));
  }

  /** Parity of a baryon, +1 or -1. */
  static int parity(Fields fields) {
    return fields.value("parity", 1, text -> DefinitionReader.sign(text, "plus or minus"));
  }

  /** Spin component of a baryon, 1 … 4. */
  static int component(Fields fields) {
    return fields.value("component", text -> (int) Fields.integer(text, 1, 4));
  }
}
