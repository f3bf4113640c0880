package org.starlingqcd.correlators.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import org.starlingqcd.graph.Insertion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code starling definitions}: lists the definitions that come with the program. */
@Command(
    description = "Lists the definitions that come with the program, which commands take by name.")
public final class DefinitionsCommand implements Callable<Integer> {
  private static final int COLUMN = 16;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    output.print(() -> Map.of("definitions", list()), DefinitionsCommand::text);
    return ErrorReport.SUCCESS;
  }

  private static List<Map<String, Object>> list() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (String name : ShippedDefinitions.names()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", name);
      one.put("description", ShippedDefinitions.description(name));
      AnyDefinition definition = new DefinitionLoader().loadAny(name);
      if (definition instanceof CurrentDefinition current) {
        one.put("sink_operators", current.operatorNames());
        one.put("source_operators", current.source().operatorNames());
        one.put("insertions", current.insertions().stream().map(Insertion::name).toList());
      } else {
        one.put("operators", definition.operatorNames());
      }
      all.add(one);
    }
    return all;
  }

  private static String text() {
    Listing text = new Listing(COLUMN);
    for (String name : ShippedDefinitions.names()) {
      text.line(name, ShippedDefinitions.description(name));
    }
    return text + "`starling expand NAME` shows the operators of one." + System.lineSeparator();
  }
}
