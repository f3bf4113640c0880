package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.CurrentAnalysis.Kind;
import org.starlingqcd.analysis.CurrentFixture.Place;
import org.starlingqcd.graph.Complex;

/** Numbers without any structure, against averages and the jackknife written out. */
final class CurrentAnalysisTest {
  private static final int COUNT = 6;
  private static final int EXTENT = 6;
  private static final int[] SOURCES = {1, 4};

  @TempDir private Path folder;

  private static Complex connected(Place at) {
    return new Complex(
        1 + CurrentFixture.noise(1, at.configuration(), at.source(), at.dt(), at.t(), at.sink()),
        CurrentFixture.noise(2, at.configuration(), at.source(), at.dt(), at.t(), at.from()));
  }

  private static Complex twoPoint(Place at) {
    return new Complex(
        CurrentFixture.noise(3, at.configuration(), at.source(), at.dt(), at.sink()),
        CurrentFixture.noise(4, at.configuration(), at.source(), at.dt(), at.from()));
  }

  private static Complex current(int configuration, int t) {
    return new Complex(
        CurrentFixture.noise(5, configuration, t), CurrentFixture.noise(6, configuration, t));
  }

  private static Complex disconnected(Place at) {
    return current(at.configuration(), (at.source() + at.t()) % EXTENT).times(twoPoint(at));
  }

  private static double ofSide(int side, int configuration, int dt) {
    return (2 + 0.5 * CurrentFixture.noise(7 + side, configuration, dt)) * Math.exp(-0.3 * dt);
  }

  /** The mean over configurations, and over sources. */
  private static Complex mean(int[] of, IntFunction<Complex> function) {
    Complex sum = Complex.ZERO;
    for (int one : of) {
      sum = sum.plus(function.apply(one).times(1.0 / of.length));
    }
    return sum;
  }

  private static Complex naive(int[] configurations, int dt, int t, int sink, int from) {
    Complex three =
        mean(
            SOURCES,
            source -> {
              IntFunction<Place> at = c -> new Place(c, source, dt, t, sink, from);
              Complex all =
                  mean(configurations, c -> connected(at.apply(c)).plus(disconnected(at.apply(c))));
              Complex loop = mean(configurations, c -> current(c, (source + t) % EXTENT));
              Complex two = mean(configurations, c -> twoPoint(at.apply(c)));
              return all.plus(loop.times(two).times(-1));
            });
    double[][] side = new double[2][5];
    for (int k = 0; k < 5; k++) {
      int at = k;
      for (int s = 0; s < 2; s++) {
        int of = s;
        side[s][k] =
            mean(
                    configurations,
                    c -> new Complex(ofSide(2 * of + (of == 0 ? sink : from), c, at), 0))
                .re();
      }
    }
    double[] f = side[0];
    double[] i = side[1];
    double root = Math.sqrt(i[dt - t] * f[t] * f[dt] / (f[dt - t] * i[t] * i[dt]));
    return three.times(root / f[dt]);
  }

  @Test
  void everyNumber_isThatOfTheNaiveJackknife() {
    Path file = folder.resolve("toy.h5");
    CurrentFixture fixture =
        CurrentFixture.create(
            file,
            "{sink: {}}",
            "j a,b c,d",
            SOURCES,
            new int[] {2, 4},
            IntStream.range(0, EXTENT).toArray());
    for (int c = 1; c <= COUNT; c++) {
      int number = c;
      fixture
          .configuration(c, CurrentAnalysisTest::twoPoint)
          .part(c, "j", "connected", CurrentAnalysisTest::connected)
          .part(c, "j", "disconnected", CurrentAnalysisTest::disconnected)
          .current(c, "j", EXTENT, t -> current(number, t));
    }
    fixture.close();
    CorrelatorData[] sides = new CorrelatorData[2];
    for (int s = 0; s < 2; s++) {
      int side = s;
      Path two = folder.resolve("two" + s + ".h5");
      CurrentFixture.twoPoint(
          two,
          "side" + s,
          s == 0 ? "a,b" : "c,d",
          COUNT,
          new int[] {0, 1, 2, 3, 4},
          at -> new Complex(ofSide(2 * side + at.sink(), at.configuration(), at.dt()), 0));
      sides[s] = CorrelatorData.load(List.of(two), SelectionSettings.ALL).get(0);
    }
    CurrentAnalysis analysis =
        new CurrentAnalysis(
            CurrentData.load(List.of(file), SelectionSettings.ALL, List.of()).get(0),
            sides[0],
            sides[1],
            new AnalysisSettings(),
            new CurrentSettings());
    int checked = 0;
    for (Map.Entry<Kind, Table> table : analysis.ratios().entrySet()) {
      Kind kind = table.getKey();
      for (Table.Row row : table.getValue().rows()) {
        List<Object> place = row.place();
        int sink = place.get(1).equals("a") ? 0 : 1;
        int from = place.get(2).equals("c") ? 0 : 1;
        int dt = (Integer) place.get(place.size() - 1);
        for (int part = 0; part < 2; part++) {
          int of = part;
          double[] expected;
          if (kind == Kind.PLATEAU) {
            int t = (Integer) place.get(3);
            expected =
                CurrentFixture.jackknife(
                    COUNT, set -> component(naive(set, dt, t, sink, from), of));
          } else {
            expected =
                CurrentFixture.jackknife(
                    COUNT,
                    set ->
                        kind == Kind.SUM
                            ? sum(set, dt, sink, from, of)
                            : (sum(set, 4, sink, from, of) - sum(set, 2, sink, from, of)) / 2);
          }
          Estimate found = (Estimate) row.cells().get(part);
          assertEquals(expected[0], found.value(), 1e-13, kind + " " + dt);
          assertEquals(expected[1], found.error(), 1e-13, kind + " " + dt);
          checked++;
        }
      }
    }
    // Plateaus at 0 … 2 and 0 … 4, two sums and a difference, of four pairs.
    assertEquals(4 * 2 * (3 + 5 + 2 + 1), checked);
  }

  private static double sum(int[] set, int dt, int sink, int from, int part) {
    double sum = 0;
    for (int t = 1; t < dt; t++) {
      sum += component(naive(set, dt, t, sink, from), part);
    }
    return sum;
  }

  private static double component(Complex number, int part) {
    return part == 0 ? number.re() : number.im();
  }
}
