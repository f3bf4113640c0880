package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.DefinitionLoader;
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
    name = "expand",
    description =
        "Prints every operator of a definition written out in quark bilinears and baryon factors.")
public final class ExpandCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DEFINITION",
      description = "A definition file, or the name of a definition that comes with the program.")
  private String definition = "";

  @Option(
      names = "--json",
      description = "Print one JSON object instead. It is a definition of the same correlators.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    WrittenOut written = WrittenOut.of(new DefinitionLoader().load(definition));
    PrintWriter out = Console.out(spec);
    if (json) {
      out.println(Json.text(written));
    } else {
      print(written, out);
    }
    return ErrorReport.SUCCESS;
  }

  private static void print(WrittenOut definition, PrintWriter out) {
    out.println(title(definition));
    for (WrittenOut.OperatorTerms operator : definition.operators()) {
      int terms = operator.terms().size();
      out.println();
      out.println(operator.name() + " (" + terms + (terms == 1 ? " term)" : " terms)"));
      operator.terms().forEach(term -> out.println(line(term)));
    }
  }

  private static String title(WrittenOut definition) {
    StringBuilder title = new StringBuilder(definition.name()).append(": ");
    List<String> isospin = definition.isospin();
    if (isospin != null) {
      title.append("I = ").append(isospin.get(0)).append(", I3 = ").append(isospin.get(1));
      title.append(", ");
    }
    title.append("total momentum ").append(definition.momentum());
    if (definition.irrep() != null) {
      title.append(", irrep ").append(definition.irrep());
    }
    if (definition.row() != null) {
      title.append(", row ").append(definition.row());
    }
    return title.append(definition.vev() ? ", with one-point functions" : "").toString();
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
