package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ExpandedDefinition;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.QuantumNumbers;
import org.starlingqcd.graph.Operator;
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
    ExpandedDefinition expanded = new ExpandedDefinition(loaded);
    PrintWriter out = Console.out(spec);
    if (json) {
      out.println(Json.text(expanded.describe()));
    } else {
      out.println(title(loaded));
      List<QuantumNumbers> quantumNumbers = QuantumNumbers.of(loaded);
      List<Operator> operators = loaded.toCorrelationMatrix().operators();
      for (int k = 0; k < operators.size(); k++) {
        QuantumNumbers numbers = quantumNumbers.get(k);
        int terms = operators.get(k).terms().size();
        out.println();
        out.println(numbers.operator() + " (" + terms + (terms == 1 ? " term)" : " terms)"));
        out.println("  flavour: " + numbers.flavour());
        out.println("  isospin: " + numbers.isospin());
        out.println("  G: " + numbers.gParity() + "; C: " + numbers.cParity());
        out.println("  irrep: " + numbers.irrep());
        out.println("  conjugation with parity: " + numbers.conjugation());
        operators.get(k).terms().forEach(term -> out.println(expanded.line(term)));
      }
      loaded.mixedChargeParity().ifPresent(note -> out.println("\n" + note));
    }
    return ErrorReport.SUCCESS;
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
}
