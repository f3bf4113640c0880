package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ExpandedDefinition;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.QuantumNumbers;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code starling expand}: prints every operator of a definition written out in bilinears and
 * baryon factors, and every current in its terms.
 */
@Command(
    description = {
      "Prints every operator of a definition written out in quark bilinears and baryon factors, and"
          + " every current in its terms.",
      "With --json it prints a definition of the same correlators."
    })
public final class ExpandCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DEFINITION",
      completionCandidates = KnownNames.OfDefinitions.class,
      description = "A definition file, or the name of a definition that comes with the program.")
  private String definition = "";

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    AnyDefinition loaded = new DefinitionLoader().loadAny(definition);
    if (loaded instanceof CurrentDefinition current) {
      output.write(() -> ExpandedDefinition.describe(current), out -> print(current, out));
    } else if (loaded instanceof Definition twoPoint) {
      output.write(() -> new ExpandedDefinition(twoPoint).describe(), out -> print(twoPoint, out));
    }
    return ErrorReport.SUCCESS;
  }

  private static void print(Definition definition, PrintWriter out) {
    out.println(definition.name() + ": " + title(definition));
    printOperators(definition, out);
    definition.mixedChargeParity().ifPresent(note -> out.println("\n" + note));
  }

  private static void print(CurrentDefinition definition, PrintWriter out) {
    out.println(
        definition.name()
            + ": three-point functions"
            + (definition.disconnected() ? " with loops" : ""));
    out.println();
    if (definition.sink().equals(definition.source())) {
      out.println("sink and source: " + title(definition.source()));
    } else {
      out.println("sink: " + title(definition.sink()));
      printOperators(definition.sink(), out);
      out.println();
      out.println("source: " + title(definition.source()));
    }
    printOperators(definition.source(), out);
    out.println();
    out.println("insertions:");
    for (int k = 0; k < definition.insertions().size(); k++) {
      Insertion insertion = definition.insertions().get(k);
      out.println();
      out.println(insertion.name() + terms(insertion.terms().size()));
      insertion.terms().forEach(term -> out.println(ExpandedDefinition.line(term)));
      List<CurrentTerm> omitted = definition.omitted().get(k).terms();
      if (!omitted.isEmpty()) {
        out.println("  left out, because they contribute to no pair of operators:");
        omitted.forEach(term -> out.println(ExpandedDefinition.line(term)));
      }
    }
  }

  private static void printOperators(Definition definition, PrintWriter out) {
    ExpandedDefinition expanded = new ExpandedDefinition(definition);
    List<QuantumNumbers> quantumNumbers = QuantumNumbers.of(definition);
    List<Operator> operators = definition.toCorrelationMatrix().operators();
    for (int k = 0; k < operators.size(); k++) {
      QuantumNumbers numbers = quantumNumbers.get(k);
      out.println();
      out.println(numbers.operator() + terms(operators.get(k).terms().size()));
      out.println("  flavour: " + numbers.flavour());
      out.println("  isospin: " + numbers.isospin());
      out.println("  G: " + numbers.gParity() + "; C: " + numbers.cParity());
      out.println("  irrep: " + numbers.irrep());
      out.println("  conjugation with parity: " + numbers.conjugation());
      operators.get(k).terms().forEach(term -> out.println(expanded.line(term)));
    }
  }

  private static String terms(int terms) {
    return " (" + terms + (terms == 1 ? " term)" : " terms)");
  }

  /** The quantum numbers of a definition. */
  private static String title(Definition definition) {
    DefinitionHeader header = definition.header();
    StringBuilder title = new StringBuilder();
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
