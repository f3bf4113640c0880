package org.starlingqcd.backend.cpu.blas;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendSettingException;

/**
 * The kernel for contractions of one extent.
 *
 * @param form the kind of products
 * @param largestTile most rows and columns of a tile; 0 leaves every matrix whole, as all forms
 *     except tiles do
 * @param threeProducts whether a complex product consists of three real ones instead of four
 */
public record KernelChoice(Form form, int largestTile, boolean threeProducts) {
  /** Environment variable that asks for one kernel for every extent. */
  public static final String VARIABLE = "STARLING_CPU_KERNEL";

  /** Fewest eigenvectors for which Strassen's scheme gains more than it costs. */
  public static final int STRASSEN_FROM = 80;

  /** Edge of the largest tile for which OpenBLAS uses its kernels for small matrices. */
  private static final int SMALL_MATRIX = 100;

  /** The values that {@link #parse} accepts. */
  public static final String EXPECTED =
      "packed,products=3|4, strassen,products=3, tile=NUMBER,products=3|4 or zgemm";

  /**
   * Most rows and columns of a tile for the loops in C++. Packing reads long rows faster than short
   * ones, as long as eight of them are few pages.
   */
  private static final int PACKED_TILE = 192;

  /** Doubles in a cache line. */
  private static final int LINE = 8;

  private static final Pattern TEXT =
      Pattern.compile("(?:tile=([0-9]{1,6})|packed),products=([34])|strassen,products=3|zgemm");

  /** Kinds of products. */
  public enum Form {
    /** Real products of tiles of single spins ({@code Tiles}), for every shape. */
    TILES,
    /** One zgemm for each product of spins ({@code SingleProducts}). */
    ZGEMM,
    /** Micro-kernels of our own over panels that they pack ({@code PackedProducts}). */
    PACKED,
    /** The same with one level of Strassen's scheme over the spins. */
    STRASSEN;

    /** Whether the loops in C++ compute it. */
    public boolean needsLoops() {
      return this == PACKED || this == STRASSEN;
    }
  }

  /** Checks the tile. */
  public KernelChoice {
    if (largestTile < 0 || (largestTile > 0 && form != Form.TILES)) {
      throw new IllegalArgumentException(
          "must be >= 0, and 0 without tiles: largestTile=" + largestTile + " form=" + form);
    }
  }

  /** Tiles of at most this many rows and columns. */
  public KernelChoice(int largestTile, boolean threeProducts) {
    this(Form.TILES, largestTile, threeProducts);
  }

  /** One zgemm for each product. */
  public static KernelChoice zgemm() {
    return new KernelChoice(Form.ZGEMM, 0, false);
  }

  /** Micro-kernels of our own. */
  public static KernelChoice packed(boolean threeProducts) {
    return new KernelChoice(Form.PACKED, 0, threeProducts);
  }

  /** Micro-kernels of our own and Strassen's scheme. */
  public static KernelChoice strassen() {
    return new KernelChoice(Form.STRASSEN, 0, true);
  }

  /**
   * The kernel by rule, which depends on the extent and the instructions alone, so that results of
   * machines with the same instructions have the same bits. See {@code
   * docs/developers/cpu-kernels.md} for the measurements behind it.
   *
   * @param core core type of OpenBLAS
   * @param wideLoops whether {@link VectorLoops} have wide vectors; OpenBLAS beats narrow ones
   */
  public static KernelChoice byRule(int extent, String core, boolean wideLoops) {
    if (wideLoops) {
      return extent < STRASSEN_FROM ? packed(true) : strassen();
    }
    return new KernelChoice(CoreType.hasSmallMatrixKernels(core) ? SMALL_MATRIX : 0, true);
  }

  /**
   * The kernel that the environment asks for; null to go by the rule.
   *
   * @throws BackendSettingException when the variable has no valid value
   */
  public static @Nullable KernelChoice asked() {
    return asked(System.getenv(VARIABLE));
  }

  /** Whether the environment says which kernel to take, be it that of the rule. */
  public static boolean isSet() {
    String text = System.getenv(VARIABLE);
    return text != null && !text.isBlank();
  }

  static @Nullable KernelChoice asked(@Nullable String text) {
    if (text == null || text.isBlank() || text.trim().equals("standard")) {
      return null;
    }
    try {
      return parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new BackendSettingException(
          "%s=%s: expected standard, %s; unset it to let the program choose the fastest kernel"
              .formatted(VARIABLE, text, EXPECTED),
          wrong);
    }
  }

  /** The same without products that save multiplications. */
  public KernelChoice conventional() {
    return switch (form) {
      case TILES -> new KernelChoice(largestTile, false);
      case ZGEMM -> this;
      case PACKED, STRASSEN -> packed(false);
    };
  }

  /**
   * Layout of matrices of this extent: the fewest tiles, of about equal size, whose rows begin on
   * cache lines. (Rows of 86 numbers are a tenth slower than rows of 80 or 88.)
   */
  public Tiling tiling(int extent) {
    int largest = form.needsLoops() ? PACKED_TILE : largestTile;
    if (largest == 0 || extent <= largest) {
      return new Tiling(extent, extent);
    }
    int most = Math.max(1, largest / LINE * LINE);
    int tiles = (extent + most - 1) / most;
    int edge = (extent + tiles - 1) / tiles;
    return new Tiling(extent, Math.min(most, (edge + LINE - 1) / LINE * LINE));
  }

  /** The text form used in files and in the environment: {@code tile=100,products=3}. */
  public String format() {
    int products = threeProducts ? 3 : 4;
    return switch (form) {
      case TILES -> "tile=" + largestTile + ",products=" + products;
      case ZGEMM -> "zgemm";
      case PACKED -> "packed,products=" + products;
      case STRASSEN -> "strassen,products=3";
    };
  }

  /**
   * Reads the text of {@link #format}.
   *
   * @throws IllegalArgumentException when the text has another form; the message quotes it
   */
  public static KernelChoice parse(String text) {
    Matcher parts = TEXT.matcher(text.trim());
    if (!parts.matches()) {
      throw new IllegalArgumentException("expected " + EXPECTED + ": " + text);
    }
    boolean three = "3".equals(parts.group(2));
    if (parts.group(1) != null) {
      return new KernelChoice(Integer.parseInt(parts.group(1)), three);
    }
    if (parts.group(2) != null) {
      return packed(three);
    }
    return text.trim().equals("zgemm") ? zgemm() : strassen();
  }
}
