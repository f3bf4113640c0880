package org.starlingqcd.memhc.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OrganizationTest {
  @ParameterizedTest
  @CsvSource({"4, 2", "8, 7", "16, 13", "32, 31", "64, 61", "1, 2", "3, 2", "257, 251", "6.4, 7"})
  void nearestPrime_ofThePaper(double number, int prime) {
    assertEquals(prime, Organization.nearestPrime(number));
  }

  @Test
  void nearestPrime_isPrimeAndNoDivisor() {
    for (int number = 1; number < 2000; number++) {
      int prime = Organization.nearestPrime(number);
      assertTrue(BigInteger.valueOf(prime).isProbablePrime(30), "" + prime);
      assertTrue(
          !BigInteger.ONE.shiftLeft(64).mod(BigInteger.valueOf(prime)).equals(BigInteger.ONE),
          "" + prime);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "full, 32, 1, 32",
    "direct, 32, 31, 1",
    "3-way, 32, 11, 3",
    "5-way, 61, 13, 5",
    "5-way, 4, 1, 4",
    "32-way, 32, 1, 32",
  })
  void setsAndLines(String name, int lines, int sets, int perSet) {
    Organization organization = Organization.parse(name);
    assertEquals(name, organization.label());
    assertEquals(sets, organization.sets(lines));
    assertEquals(perSet, organization.linesPerSet(lines));
  }

  @Test
  void addresses_atADistanceOfTheSets_shareOneSet_mixedKeysDoNot() {
    Organization direct = Organization.DIRECT;
    int[] counts = new int[7];
    for (long k = 0; k < 700; k++) {
      assertEquals(0, direct.byAddress(true).set(128_016 * k, 7));
      counts[direct.set(128_016 * k, 7)]++;
    }
    for (int count : counts) {
      assertTrue(count > 60 && count < 140, "" + count);
    }
  }

  @Test
  void unknownName_isRefused() {
    for (String name : new String[] {"0-way", "way", "fully", "-1-way", "1234567-way"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Organization.parse(name)).getMessage();
      assertTrue(message.contains("'" + name + "'"), message);
    }
  }
}
