package org.starlingqcd.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starlingqcd.correlators.AtomicFile;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ExpandedDefinition;
import org.starlingqcd.correlators.result.ResultReader;

/**
 * Writes the eigenvectors of a matrix as a definition: operator k is Σ_i v_ki* O_i, so that its
 * correlator is v_k† C v_k. The operators are written out.
 */
public final class OptimizedDefinition {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OptimizedDefinition() {}

  /**
   * Writes the file, replacing one that exists; the definition has its name.
   *
   * @param result a file of the matrix, for its definition
   * @throws InputException when the result has no definition that this program reads, or the
   *     operators were multiplied by i
   */
  public static void write(Path file, CorrelatorAnalysis analysis, Path result) {
    PrincipalCorrelators principal = analysis.principal();
    if (principal == null) {
      throw new IllegalArgumentException("no eigenvectors");
    }
    ObjectNode map;
    try (ResultReader reader = ResultReader.open(result)) {
      Definition definition =
          DefinitionLoader.parse(result.toString(), reader.header().definition());
      map = JSON.valueToTree(new ExpandedDefinition(definition).describe());
    } catch (DefinitionException e) {
      throw new InputException(
          result
              + ": its definition cannot be read, so that no definition of optimized operators follows"
              + " from it: "
              + e.getMessage(),
          e);
    }
    map.remove("quantum_numbers");
    String name = file.getFileName().toString().replaceAll("\\.[^.]*$", "");
    map.put("name", name.replaceAll("[^A-Za-z0-9_-]", "_"));
    Map<String, JsonNode> terms = new LinkedHashMap<>();
    map.path("operators").forEach(one -> terms.put(one.path("name").asText(), one.path("terms")));
    double[] vectors = principal.vectors()[principal.separations().indexOf(principal.td())];
    ArrayNode operators = map.putArray("operators");
    for (int k = 0; k < principal.size(); k++) {
      ArrayNode sum = operators.addObject().put("name", "state " + k).putArray("terms");
      for (int i = 0; i < principal.size(); i++) {
        int at = 2 * (k * principal.size() + i);
        JsonNode all = terms.getOrDefault(analysis.data().operators().get(i), sum.arrayNode());
        for (JsonNode term : all) {
          sum.add(times(term, vectors[at], -vectors[at + 1]));
        }
      }
    }
    AnalysisOutput.write(file, () -> AtomicFile.write(file, map.toPrettyString() + "\n"));
  }

  private static ObjectNode times(JsonNode term, double re, double im) {
    double x = term.path("coefficient").path(0).asDouble();
    double y = term.path("coefficient").path(1).asDouble();
    ObjectNode product = term.deepCopy();
    product.putArray("coefficient").add(re * x - im * y).add(re * y + im * x);
    return product;
  }
}
