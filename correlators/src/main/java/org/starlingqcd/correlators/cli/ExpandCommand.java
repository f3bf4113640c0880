package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.QuantumNumbers;
import org.starlingqcd.correlators.definition.WrittenOut;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code starling expand}: prints every operator of a definition written out in bilinears and
 * baryon factors.
 */
@Command(
    description =
        "Prints every operator of a definition written out in quark bilinears and baryon factors.")
public final class ExpandCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DEFINITION",
      completionCandidates = KnownNames.OfDefinitions.class,
      description = "A definition file, or the name of a definition that comes with the program.")
  private String definition = "";

  @Option(
      names = "--json",
      description = "Print one JSON object instead. It is a definition of the same correlators.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Definition loaded = new DefinitionLoader().load(definition);
    WrittenOut written = WrittenOut.of(loaded);
    PrintWriter out = Console.out(spec);
    if (json) {
      out.println(Json.text(written));
    } else {
      print(written, title(loaded), out);
      loaded.mixedChargeParity().ifPresent(note -> out.println("\n" + note));
    }
    return ErrorReport.SUCCESS;
  }

  private static void print(WrittenOut definition, String title, PrintWriter out) {
    out.println(title);
    for (int k = 0; k < definition.operators().size(); k++) {
      WrittenOut.OperatorTerms operator = definition.operators().get(k);
      QuantumNumbers numbers = definition.quantumNumbers().get(k);
      int terms = operator.terms().size();
      out.println();
      out.println(operator.name() + " (" + terms + (terms == 1 ? " term)" : " terms)"));
      out.println("  flavour: " + numbers.flavour());
      out.println("  isospin: " + numbers.isospin());
      out.println("  G: " + numbers.gParity() + "; C: " + numbers.cParity());
      out.println("  irrep: " + numbers.irrep());
      out.println("  conjugation with parity: " + numbers.conjugation());
      operator.terms().forEach(term -> out.println(line(term)));
    }
  }

  private static String title(Definition definition) {
    DefinitionHeader header = definition.header();
    StringBuilder title = new StringBuilder(header.name()).append(": ");
    Isospin isospin = header.isospin();
    if (isospin != null) {
      title.append("I = ").append(isospin.total()).append(", I3 = ").append(isospin.third());
      title.append(", ");
    }
    title.append("total momentum ").append(header.momentum());
    if (header.target() != null) {
      title.append(", irrep ").append(header.target().irrep());
    }
    header.rowName().ifPresent(row -> title.append(", row ").append(row));
    if (header.orientation() != null) {
      title.append(", turned to ").append(header.orientation());
    }
    return title.append(header.onePoint() ? ", with one-point functions" : "").toString();
  }

  private static String line(WrittenOut.WrittenTerm term) {
    double re = term.coefficient().get(0);
    double im = term.coefficient().get(1);
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "  %22s",
                im == 0 ? number(re) : "[" + number(re) + ", " + number(im) + "]"));
    for (WrittenOut.WrittenBaryon b : term.baryons()) {
      line.append("  (").append(b.quarks().get(0));
      line.append(' ').append(b.diquark());
      line.append(' ').append(b.quarks().get(1));
      line.append(") ").append(b.quarks().get(2));
      line.append(b.parity().equals("plus") ? " + " : " - ").append(b.component());
      line.append(b.basis() == null ? "" : " of " + b.basis());
      line.append(' ').append(b.momentum());
    }
    for (WrittenOut.WrittenMeson m : term.mesons()) {
      line.append("  ").append(m.bar()).append("bar ").append(m.gamma());
      if (m.displacement() != null) {
        line.append(' ').append(m.displacement());
      }
      line.append(' ').append(m.quark()).append(' ').append(m.momentum());
    }
    return line.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString(Math.round(value))
        : Double.toString(value);
  }
}
