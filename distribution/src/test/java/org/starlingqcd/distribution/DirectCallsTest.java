package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.cli.CommandModels;
import org.starlingqcd.correlators.cli.TestInstallation;

/** Lambdas and records do the same as classes and methods that {@code DirectCalls.java} makes. */
final class DirectCallsTest {
  private record Mixed(
      boolean flag,
      char letter,
      byte small,
      short middle,
      int whole,
      long wide,
      float single,
      double real,
      String text,
      List<Object> list) {}

  private record Empty() {}

  private interface Three {
    double of(int a, long b, double c);
  }

  private final int field = 7;

  private long sum(int a, long b) {
    return a + b + field;
  }

  /** Whether lambdas are classes, and what all kinds of them and records give. */
  private List<Object> results() throws Exception {
    Supplier<Integer> hidden = () -> field;
    List<Object> all = new ArrayList<>(List.of(!hidden.getClass().isHidden(), hidden.get()));
    long wide = 1L << 40;
    double real = 0.1;
    Three captured = (a, b, c) -> a + b * c + wide + real;
    Three widened = Math::fma;
    BiFunction<Integer, Long, Long> own = this::sum;
    Function<Integer, Double> unboxed = DirectCallsTest::third;
    ToLongFunction<Integer> boxed = Integer::intValue;
    ToDoubleFunction<Integer> real32 = Integer::floatValue;
    LongSupplier character = "xyz"::length;
    IntFunction<int[]> made = int[]::new;
    Function<byte[], String> constructed = String::new;
    DoubleUnaryOperator root = Math::sqrt;
    Callable<Object> nothing = () -> null;
    Runnable dropped = () -> all.add(own.apply(1, 2L));
    BiFunction<Map<String, Integer>, String, Integer> virtual = Map::get;
    dropped.run();
    all.add(captured.of(1, 2, 3));
    all.add(widened.of(2, 3, 4));
    all.add(unboxed.apply(9));
    all.add(boxed.applyAsLong(8));
    all.add(real32.applyAsDouble(16_777_217));
    all.add(character.getAsLong());
    all.add(made.apply(5).length);
    all.add(constructed.apply("ρ".getBytes(StandardCharsets.UTF_8)));
    all.add(root.applyAsDouble(2));
    all.add(Objects.isNull(nothing.call()));
    all.add(virtual.apply(Map.of("a", 3), "a"));
    List<Object> records = List.of(new Empty(), record(0, "a"), record(-0.0, "a"));
    for (Object one : records) {
      all.add(one instanceof Mixed mixed && mixed.list != null ? 0 : one.hashCode());
      for (Object other : records) {
        all.add(one.equals(other));
      }
    }
    all.add(record(Double.NaN, null).equals(record(Double.NaN, null)));
    all.add(record(1, "a").equals(record(1, new String("a".toCharArray()))));
    all.add(record(1, "a").equals((Object) "a"));
    all.add(record(1, "a").hashCode());
    all.addAll(records);
    return all;
  }

  private static double third(int number) {
    return number / 3.0;
  }

  private static Mixed record(double real, String text) {
    return new Mixed(true, 'c', (byte) 1, (short) 2, 3, 1L << 33, 0.5f, real, text, null);
  }

  public static void main(String[] args) throws Exception {
    System.out.println(new DirectCallsTest().results());
    System.out.println(CommandModels.text());
  }

  @Test
  void convertedClasses_giveWhatTheJvmAndPicocliWouldGive() throws Exception {
    List<String> command = TestInstallation.java(DirectCallsTest.class);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String converted =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertTrue(converted.startsWith("[true, "), converted);
    assertEquals(
        results().toString().replaceFirst("false", "true") + "\n" + CommandModels.text(),
        converted,
        () -> Arrays.toString(command.toArray()));
  }
}
