package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling definitions}: lists the definitions that come with the program. */
@Command(
    description = "Lists the definitions that come with the program, which commands take by name.")
public final class DefinitionsCommand implements Callable<Integer> {
  private static final int COLUMN = 16;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = Console.out(spec);
    if (json) {
      List<Map<String, Object>> all = new ArrayList<>();
      for (String name : ShippedDefinitions.names()) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", name);
        one.put("description", ShippedDefinitions.description(name));
        one.put(
            "operators",
            new DefinitionLoader()
                .load(name).operators().stream().map(OperatorDefinition::name).toList());
        all.add(one);
      }
      out.println(Json.text(Map.of("definitions", all)));
    } else {
      Listing text = new Listing(COLUMN);
      for (String name : ShippedDefinitions.names()) {
        text.line(name, ShippedDefinitions.description(name));
      }
      out.print(text);
      out.println("`starling expand NAME` shows the operators of one.");
    }
    return ErrorReport.SUCCESS;
  }
}
