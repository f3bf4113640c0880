package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.hdf5.Checksums;
import org.starlingqcd.hadron.text.Printable;

/**
 * The distillation data of one configuration, from one or several sources of any format, read block
 * by block.
 *
 * <p>Opening reads attributes and shapes only, however large the files are. A block is one time
 * slice of an elemental or the times of one perambulator, generalized or not; it is read by
 * hyperslab, checked for NaN and for blocks that were never written, and handed over in the
 * DeGrand-Rossi basis in host layout ({@link TensorShape}). Where τ(t,t') is missing, τ(t',t)
 * supplies it by γ5-hermiticity unless the label forbids it, and τ_Γ and loops are supplied in the
 * same way from those at -q ({@link CurrentName#eta()}); where Φ_D(n) is missing, an elemental that
 * equals it up to the adjoint and a sign takes its place ({@link ElementalName#aliases()}).
 *
 * <p>Thread-safe. Nothing is cached here but unpacked chunks that hold parts of several blocks.
 */
public final class DistillationData implements InputBlocks, AutoCloseable {
  /** The datasets of sampled positions, for messages. */
  static final String SAMPLES =
      "sites/sink, sites/source, sampled_vectors/sink and sampled_vectors/source";

  /** What the mass of a label begins with among what tells data from others. */
  public static final String MASS_OF = "mass of ";

  private final List<BlockSource> sources;
  private final Map<BlockSource, SourceIdentity> identities;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final GammaBasis basis;
  private final BlockIndex index;
  private @Nullable QuarkSinks quarkSinks;

  /** Weights of profiles; its lock is that of the eigenvalues too. */
  private final Map<String, double[][]> profiles = new HashMap<>();

  /** Whether tetraquarks are those of sampled positions, and these by side. */
  private boolean sampled;

  private final Map<Boolean, long[]> sites = new HashMap<>();

  private double @Nullable [] eigenvalues;
  private boolean eigenvaluesRead;
  private final AtomicLong blocksRead = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();

  private DistillationData(
      List<BlockIndex.Member> members,
      Map<BlockSource, SourceIdentity> identities,
      PartialHeader otherwise,
      ChunkCaches caches) {
    this.identities = Map.copyOf(identities);
    this.sources = members.stream().map(BlockIndex.Member::source).toList();
    this.caches = caches;
    this.index = new BlockIndex(members);
    PartialHeader known = PartialHeader.UNKNOWN;
    for (BlockSource source : sources) {
      known = known.or(source.header());
    }
    this.header = known.or(otherwise).complete(sources.get(0).path());
    this.basis = basis();
  }

  /**
   * Opens files of one configuration in Starling's own format.
   *
   * @throws DistillationException when a file is not distillation data or damaged, when two do not
   *     belong together or hold the same block, naming the files
   */
  public static DistillationData open(List<Path> paths) {
    return open(
        paths.stream().map(path -> new Opening(path)).toList(),
        PartialHeader.UNKNOWN,
        HostMemoryBudget.unbounded());
  }

  /**
   * A source that is to be opened.
   *
   * @param open opens it, with memory from the caches
   * @param label from the labels of the source to those of definitions
   * @param files all files that its blocks depend on
   */
  record Opening(
      Function<ChunkCaches, BlockSource> open, UnaryOperator<String> label, List<Path> files) {
    private Opening(Path path) {
      this(caches -> DistillationFile.open(path, caches), UnaryOperator.identity(), List.of(path));
    }
  }

  /**
   * Opens sources of one configuration, with the budget from which chunk caches and other memory
   * are reserved.
   *
   * @param otherwise what is known about data of which no source says it
   */
  static DistillationData open(
      List<Opening> openings, PartialHeader otherwise, HostMemoryBudget budget) {
    if (openings.isEmpty()) {
      throw new IllegalArgumentException("must be >= 1: sources=0");
    }
    ChunkCaches caches = new ChunkCaches(budget);
    List<BlockIndex.Member> members = new ArrayList<>();
    Map<BlockSource, SourceIdentity> identities = new HashMap<>();
    try {
      for (Opening opening : openings) {
        // What changes from here on is noticed.
        SourceIdentity identity = SourceIdentity.of(opening.files());
        BlockSource source = opening.open().apply(caches);
        members.add(new BlockIndex.Member(source, opening.label()));
        identities.put(source, identity);
      }
      return new DistillationData(List.copyOf(members), identities, otherwise, caches);
    } catch (RuntimeException e) {
      members.forEach(member -> member.source().close());
      caches.close();
      throw e;
    }
  }

  private GammaBasis basis() {
    if (header.gammaBasis().equals(DistillationHeader.DEGRAND_ROSSI)) {
      return GammaBasis.DEGRAND_ROSSI;
    }
    GammaBasis found = null;
    Path where = sources.get(0).path();
    for (BlockSource source : sources) {
      GammaBasis explicit = source.explicitBasis();
      if (explicit == null) {
        continue;
      }
      if (found != null && !found.agreesWith(explicit)) {
        throw new DistillationException(
            where + " and " + source.path() + " have different gamma matrices");
      }
      found = explicit;
      where = source.path();
    }
    if (found == null) {
      throw DistillationException.of(
          "%s: gamma_basis is '%s', but there are no matrices gamma/g1 … gamma/g4",
          where, DistillationHeader.EXPLICIT);
    }
    return found;
  }

  /** Root attributes, the same in all files. */
  public DistillationHeader header() {
    return header;
  }

  /** The files, or one for each source of several files, in the order given. */
  public List<Path> files() {
    return sources.stream().map(BlockSource::path).toList();
  }

  @Override
  public GammaBasis gammaBasis() {
    return basis;
  }

  /** What is stored in all sources together, under the labels of definitions. */
  public BlockCatalog blocks() {
    return index.blocks();
  }

  /** Perambulator labels, in ascending order. */
  public Set<String> labels() {
    return blocks().labels();
  }

  /** Source times of a label, in ascending order; empty for an unknown label. */
  public Set<Integer> sourceTimes(String label) {
    return blocks().sinkTimes(label).keySet();
  }

  /** The sets of quark sinks, perhaps none. */
  public synchronized QuarkSinks quarkSinks() {
    QuarkSinks known = quarkSinks;
    if (known == null) {
      known = new QuarkSinks(this);
      quarkSinks = known;
    }
    return known;
  }

  /** Whether γ5-hermiticity may be used for a label; true for an unknown one. */
  public boolean gamma5Hermitian(String label) {
    return blocks().gamma5Hermitian(label);
  }

  /** Meson elementals, in ascending order. */
  public Set<ElementalName> mesonElementals() {
    return blocks().elementals(DataBlock.Kind.MESON).keySet();
  }

  /** Baryon elementals, in ascending order. */
  public Set<ElementalName> baryonElementals() {
    return blocks().elementals(DataBlock.Kind.BARYON).keySet();
  }

  /** Elementals of tetraquarks, in ascending order. */
  public Set<ElementalName> tetraquarkElementals() {
    return blocks().elementals(DataBlock.Kind.TETRAQUARK).keySet();
  }

  /**
   * Chooses whether elementals of tetraquarks are estimated from sampled positions. Call it before
   * the data are used; without a call they are those of the files.
   *
   * @param asked whether they are; null for where there are sampled positions and no elementals
   */
  public void sampleTetraquarks(@Nullable Boolean asked) {
    sampled = asked != null ? asked : tetraquarkElementals().isEmpty() && hasSamples();
  }

  /** Whether elementals of tetraquarks are estimated from sampled positions. */
  public boolean samplesTetraquarks() {
    return sampled;
  }

  /** Whether there are sampled positions of sink and source. */
  public boolean hasSamples() {
    return sampledSites(false) > 0 && sampledSites(true) > 0;
  }

  /** The number n of sampled sites of a side; 0 where there are none. */
  public int sampledSites(boolean atSource) {
    return blocks().series().keySet().stream()
        .mapToInt(
            block -> block instanceof DataBlock.Sites s && s.atSource() == atSource ? s.sites() : 0)
        .max()
        .orElse(0);
  }

  /** Coordinates x, y, z of the sampled sites of a side, [T][n][3]. */
  public long[] sites(boolean atSource) {
    synchronized (sites) {
      return sites.computeIfAbsent(
          atSource,
          side -> {
            DataBlock block = new DataBlock.Sites(side, sampledSites(side), 0);
            BlockIndex.Stored stored = required(block).stored();
            return stored.source().sampledSites((DataBlock.Sites) stored.block());
          });
    }
  }

  /** Whether an input can be loaded. */
  boolean has(Input input) {
    if (input instanceof Input.Sites s && has(DataBlock.of(s))) {
      return sites(s.atSource()).length > 0;
    }
    return !(sampled && input instanceof Input.Tetraquark) && has(DataBlock.of(input));
  }

  /** Writes the phase of each site, which makes of the sum over sites that over all. */
  private void phases(Input.Sites input, Momentum momentum, HostMemory target, long offset) {
    int extent = header.spatialExtent();
    int n = input.sites();
    long[] all = sites(input.atSource());
    double[] phases = new double[2 * n];
    for (int x = 0; x < n; x++) {
      int at = 3 * (n * input.time() + x);
      long turns = momentum.x() * all[at] + momentum.y() * all[at + 1] + momentum.z() * all[at + 2];
      double angle = (input.adjoint() ? 2 : -2) * Math.PI * Math.floorMod(turns, extent) / extent;
      phases[2 * x] = Math.pow(extent, 3) / n * Math.cos(angle);
      phases[2 * x + 1] = Math.pow(extent, 3) / n * Math.sin(angle);
    }
    target.put(offset / Double.BYTES, phases, 0, phases.length);
  }

  /** Currents of which generalized perambulators are stored, in ascending order. */
  public Set<CurrentName> generalizedPerambulators() {
    return blocks().generalized().keySet();
  }

  /** Currents of which loops are stored, in ascending order; both labels are the same. */
  public Set<CurrentName> loops() {
    return blocks().loops().keySet();
  }

  /**
   * Insertion times t at which τ_Γ(t_f, t, t_i; q) can be loaded, stored or supplied by
   * γ5-hermiticity, by sink and source time; empty when there is nothing.
   */
  public SortedMap<CurrentName.Ends, BitSet> generalizedTimes(
      String bar, String quark, CurrentVertex vertex) {
    CurrentName name = new CurrentName(bar, quark, vertex);
    BlockCatalog all = new BlockCatalog();
    blocks()
        .generalized(name)
        .forEach((ends, stored) -> all.add(new DataBlock.Generalized(name, ends, 0), stored));
    if (reversible(name)) {
      blocks()
          .generalized(name.reversed())
          .forEach(
              (ends, stored) ->
                  all.add(new DataBlock.Generalized(name, ends.exchanged(), 0), stored));
    }
    return all.generalized(name);
  }

  /** Whether γ5-hermiticity supplies a current from the reversed one. */
  public boolean reversible(CurrentName name) {
    return name.eta() != 0 && gamma5Hermitian(name.bar()) && gamma5Hermitian(name.quark());
  }

  /** Gluonic factors, in ascending order. */
  public Set<Gluonic> gluonic() {
    return blocks().gluonic().keySet();
  }

  /**
   * A loop or a gluonic factor; a missing L_Γ(t; q) is η L_Γ(t; -q)*.
   *
   * @throws DistillationException when it is missing, cannot be read, or is NaN or infinite
   */
  public Complex number(DataBlock block) {
    Supply supply = required(block);
    double[] number = new double[2];
    try (HostMemory memory = HostMemory.allocate(TensorShape.COMPLEX_BYTES)) {
      read(supply.stored(), memory, 0);
      memory.get(0, number, 0, 2);
    }
    Complex value = new Complex(number[0], number[1]);
    return supply.adjoint() ? value.conjugate().times(supply.sign()) : value;
  }

  /** Blocks read so far. */
  public long blocksRead() {
    return blocksRead.get();
  }

  /** Bytes of the blocks read so far, unpacked. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** The times at which the series of a block itself is stored. */
  public BitSet times(DataBlock block) {
    return blocks().times(block);
  }

  /** Whether a block itself is stored. */
  public boolean stores(DataBlock block) {
    return times(block).get(block.time());
  }

  /** Whether a block or one that supplies it can be loaded. */
  public boolean has(DataBlock block) {
    return supply(block) != null;
  }

  /** Whether τ(sinkTime, sourceTime) can be loaded. */
  public boolean hasPerambulator(String label, int sinkTime, int sourceTime) {
    return has(new DataBlock.Perambulator(label, sinkTime, sourceTime));
  }

  /** Whether an elemental or one that equals it can be loaded at a time. */
  public boolean hasElemental(ElementalRef elemental, int time) {
    return has(new Input.Elemental(elemental, time));
  }

  /** A block that supplies another: as it is, or its adjoint times a sign. */
  private record Supply(BlockIndex.Stored stored, boolean adjoint, int sign) {}

  /** What supplies the block of an input; of K† that is K(-n), whose rows are those of K†. */
  private @Nullable Supply supply(Input input) {
    Supply opposite = null;
    if (input instanceof Input.Tetraquark k && k.adjoint()) {
      ElementalName name = new ElementalName(k.colour().toString(), k.momentum().negate());
      opposite = supply(DataBlock.tetraquark(name, k.time()), true, 1);
    }
    return opposite == null ? supply(DataBlock.of(input)) : opposite;
  }

  private Supply required(Input input) {
    Supply supply = supply(input);
    return supply == null ? required(DataBlock.of(input)) : supply;
  }

  /** What supplies a block; null when nothing does. */
  private @Nullable Supply supply(DataBlock block) {
    if (block instanceof DataBlock.Elemental e
        && e.kind() != DataBlock.Kind.BARYON
        && e.name().vanishes(header.spatialExtent())) {
      return null;
    }
    Supply direct = supply(block, false, 1);
    if (direct != null) {
      return direct;
    }
    if (block instanceof DataBlock.Perambulator tau) {
      return gamma5Hermitian(tau.label()) ? supply(tau.reversed(), true, 1) : null;
    }
    if (block instanceof DataBlock.Generalized tau) {
      return reversible(tau.name()) ? supply(tau.reversed(), true, tau.name().eta()) : null;
    }
    if (block instanceof DataBlock.Loop loop) {
      CurrentName name = loop.name();
      DataBlock other = new DataBlock.Loop(loop.label(), name.reversed().vertex(), loop.time());
      return reversible(name) ? supply(other, true, name.eta()) : null;
    }
    if (block instanceof DataBlock.Elemental e && e.kind() != DataBlock.Kind.BARYON) {
      for (ElementalName.Alias alias : e.name().aliases()) {
        DataBlock other = new DataBlock.Elemental(e.kind(), alias.name(), e.time());
        Supply supply = supply(other, alias.adjoint(), alias.sign());
        if (supply != null) {
          return supply;
        }
      }
    }
    return null;
  }

  private @Nullable Supply supply(DataBlock block, boolean adjoint, int sign) {
    BlockIndex.Stored stored = index.find(block);
    return stored == null ? null : new Supply(stored, adjoint, sign);
  }

  /**
   * What supplies a block.
   *
   * @throws DistillationException when nothing does
   */
  private Supply required(DataBlock block) {
    Supply supply = supply(block);
    if (supply == null) {
      boolean isLoop = block instanceof DataBlock.Loop;
      throw DistillationException.of(
          "%s: %s",
          describe(),
          block instanceof DataBlock.Perambulator tau
              ? "perambulator '%s' at (sink, source) = (%d, %d) is missing"
                  .formatted(tau.label(), tau.sinkTime(), tau.sourceTime())
              : isLoop || block instanceof DataBlock.Elemental
                  ? "%s '%s' is missing at time %d"
                      .formatted(isLoop ? "loop" : "elemental", block.object(), block.time())
                  : block + " is missing");
    }
    return supply;
  }

  /**
   * Checks that all inputs can be loaded, without reading them.
   *
   * @throws DistillationException listing all that is missing, shortened
   */
  public void check(Collection<Input> inputs) {
    check(inputs, List.of());
  }

  /**
   * Checks that all inputs and numbers can be loaded, without reading them.
   *
   * @param numbers loops, with the labels of definitions, and gluonic factors
   * @throws DistillationException listing all that is missing, shortened
   */
  public void check(Collection<Input> inputs, Collection<? extends DataBlock> numbers) {
    MissingInputs missing = new MissingInputs(this);
    for (Input input : inputs) {
      missing.need(input.plain());
    }
    numbers.forEach(missing::need);
    missing.throwIfAny();
    for (Input input : inputs) {
      weights(input);
    }
    boolean baryons = inputs.stream().anyMatch(Input.BaryonElemental.class::isInstance);
    boolean diquarks =
        baryons
            || inputs.stream()
                .anyMatch(i -> i instanceof Input.Tetraquark || i instanceof Input.Sites);
    String flaw = diquarks ? basis.baryonFlaw() : "";
    if (!flaw.isEmpty()) {
      throw DistillationException.of(
          "%s: its gamma matrices do not suit %s: %s; with C = g2 g4, a basis such as DeGrand-Rossi"
              + " or Dirac-Pauli is needed",
          describe(), baryons ? "baryons" : "tetraquarks", flaw);
    }
  }

  /**
   * Eigenvalues of -Δ in lattice units, [T][N]; null when the data have none.
   *
   * @throws DistillationException when they cannot be read, or two files have others
   */
  public double @Nullable [] laplacianEigenvalues() {
    synchronized (profiles) {
      if (!eigenvaluesRead) {
        BlockSource first = null;
        for (BlockSource source : sources) {
          double[] found = source.laplacianEigenvalues();
          if (first != null && found != null && !Arrays.equals(found, eigenvalues)) {
            throw DistillationException.of(
                "%s and %s have different laplacian_eigenvalues; leave one of them out",
                first.path(), source.path());
          }
          first = found == null ? first : source;
          eigenvalues = found == null ? eigenvalues : found;
        }
        eigenvaluesRead = true;
      }
      return eigenvalues;
    }
  }

  @Override
  public double @Nullable [][] weights(Input input) {
    List<String> names = input.profiles();
    if (names.isEmpty()) {
      return null;
    }
    if (input instanceof Input.Perambulator tau) {
      double[] ofSpins = new double[SpinMatrix.SPINS * SpinMatrix.SPINS];
      Arrays.fill(ofSpins, 1);
      return new double[][] {
        ofSpins, weights(names.get(0), tau.sinkTime()), weights(names.get(1), tau.sourceTime())
      };
    }
    if (input instanceof Input.Sites s) {
      double[] ofSites = new double[3 * s.sites()];
      Arrays.fill(ofSites, 1);
      double[] ofVectors = weights(s.profile(), s.time());
      return s.adjoint()
          ? new double[][] {ofVectors, ofSites}
          : new double[][] {ofSites, ofVectors};
    }
    if (input instanceof Input.Tetraquark k) {
      return names.stream()
          .map(name -> ofPairs(k.colour(), weights(name, k.time())))
          .toArray(double[][]::new);
    }
    int time =
        input instanceof Input.Elemental phi ? phi.time() : ((Input.BaryonElemental) input).time();
    return names.stream().map(name -> weights(name, time)).toArray(double[][]::new);
  }

  /** The weights of packed pairs. */
  private static double[] ofPairs(PairColour colour, double[] weights) {
    double[] ofPairs = new double[colour.pairs(weights.length)];
    for (int i = 0; i < weights.length; i++) {
      for (int j = 0; j <= i; j++) {
        if (colour.sign(i, j) != 0) {
          ofPairs[colour.place(i, j)] = weights[i] * weights[j];
        }
      }
    }
    return ofPairs;
  }

  private double[] weights(String profile, int time) {
    int n = header.eigenvectors();
    double[][] known;
    synchronized (profiles) {
      known = profiles.computeIfAbsent(profile, this::weights);
    }
    double[] weights = known[known.length == 1 ? 0 : time];
    if (weights.length != n) {
      throw DistillationException.of(
          "%s: a profile lists %d weights for %d eigenvectors", describe(), weights.length, n);
    }
    return weights;
  }

  /** The weights of a profile, by time unless they are the same at all of them. */
  private double[][] weights(String profile) {
    int n = header.eigenvectors();
    int extent = header.temporalExtent();
    if (profile.isEmpty()) {
      double[] ones = new double[n];
      Arrays.fill(ones, 1);
      return new double[][] {ones};
    }
    String numbers = profile.substring(profile.indexOf(' ') + 1);
    if (!profile.startsWith("gaussian")) {
      double[][] listed =
          Arrays.stream(numbers.split(";"))
              .map(t -> Arrays.stream(t.split(" ")).mapToDouble(Double::parseDouble).toArray())
              .toArray(double[][]::new);
      if (listed.length != 1 && listed.length != extent) {
        throw DistillationException.of(
            "%s: a profile lists weights of %d times, the data have T = %d",
            describe(), listed.length, extent);
      }
      return listed;
    }
    double[] lambda = laplacianEigenvalues();
    if (lambda == null) {
      throw DistillationException.of(
          "%s: the profile 'gaussian: %s' needs 'laplacian_eigenvalues' [T, N], which the data do"
              + " not have; add them or list weights",
          describe(), numbers);
    }
    double sigma = Double.parseDouble(numbers);
    double[][] weights = new double[extent][n];
    for (int k = 0; k < extent * n; k++) {
      double x = lambda[k] / sigma;
      weights[k / n][k % n] = Math.exp(-0.5 * x * x);
    }
    return weights;
  }

  @Override
  public long key(Input input, Rows rows) {
    Origin origin = origin(input);
    return origin == null ? 0 : BlockKey.bits(origin.text() + " " + rows);
  }

  /**
   * Where the numbers of an input come from.
   *
   * @param source what reads the files
   * @param files the files, as they were when they were opened
   * @param block the block there
   * @param form how the input is made of it
   */
  public record Origin(BlockSource source, SourceIdentity files, DataBlock block, String form) {
    /** All of it in words: equal texts stand for equal numbers. */
    public String text() {
      return files.text() + "\n" + block + "\n" + form;
    }
  }

  /** Where an input comes from; null when it is missing. */
  public @Nullable Origin origin(Input input) {
    double[][] weights = weights(input);
    if (weights != null) {
      Origin plain = origin(input.plain());
      return plain == null
          ? null
          : new Origin(
              plain.source(),
              plain.files(),
              plain.block(),
              plain.form() + " weights " + Arrays.deepToString(weights));
    }
    Supply supply = supply(input);
    SourceIdentity files = supply == null ? null : identities.get(supply.stored().source());
    return supply == null || files == null
        ? null
        : new Origin(supply.stored().source(), files, supply.stored().block(), form(input, supply));
  }

  private String form(Input input, Supply supply) {
    if (input instanceof Input.BaryonElemental baryon) {
      return baryon.legs() + (baryon.conjugate() ? " conjugate" : "");
    }
    boolean rotated = hasSpins(input) && !basis.isDeGrandRossi();
    return (input instanceof Input.Sites s && s.momentum() != null ? s.momentum() + " " : "")
        + (supply.adjoint() != isAdjoint(input) ? "adjoint " : "")
        + supply.sign()
        + (rotated ? " " + basis.rotation() : "");
  }

  private static boolean hasSpins(Input input) {
    return input instanceof Input.Perambulator || input instanceof Input.Generalized;
  }

  /** Whether the adjoint of an elemental is asked for. */
  private static boolean isAdjoint(Input input) {
    return input instanceof Input.Elemental phi
        ? phi.elemental().adjoint()
        : (input instanceof Input.Tetraquark k && k.adjoint())
            || (input instanceof Input.Sites s && s.adjoint());
  }

  /**
   * Writes an input to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing, cannot be read, or holds NaN, an infinity or
   *     nothing but zeros
   */
  @Override
  public void load(Input input, Rows rows, HostMemory target, long offset) {
    double[][] weights = weights(input);
    if (weights != null) {
      load(input.plain(), rows, target, offset);
      BlockOrder.weight(target, offset, rows, weights, Precision.DOUBLE);
      return;
    }
    if (!rows.isAll()) {
      loadRows(input, rows, target, offset);
    } else if (input instanceof Input.Sites s && s.momentum() != null) {
      phases(s, s.momentum(), target, offset);
    } else {
      Supply supply = required(input);
      read(supply.stored(), target, offset);
      finish(input, supply, target, offset);
    }
  }

  @Override
  public @Nullable Input next(Input input) {
    DataBlock block = DataBlock.of(input);
    Supply one = supply(block);
    if (one == null
        || !input.profiles().isEmpty()
        || input instanceof Input.BaryonElemental
        || input instanceof Input.Sites
        || input instanceof Input.Tetraquark) {
      return null;
    }
    Input next;
    if (input instanceof Input.Elemental phi) {
      next = new Input.Elemental(phi.elemental(), phi.time() + 1);
    } else if (one.adjoint() && block instanceof DataBlock.Perambulator tau) {
      next = tau.reversed().at(tau.sourceTime() + 1).reversed().input();
    } else {
      next = block.at(block.time() + 1).input();
    }
    Supply other = supply(DataBlock.of(next));
    return other != null
            && one.stored().source() == other.stored().source()
            && one.adjoint() == other.adjoint()
            && one.sign() == other.sign()
            && one.stored().source().follows(one.stored().block(), other.stored().block())
        ? next
        : null;
  }

  @Override
  public void loadRun(List<Input> run, long bytes, HostMemory target, long offset) {
    Supply first = supply(DataBlock.of(run.get(0)));
    if (first == null || run.size() == 1) {
      InputBlocks.super.loadRun(run, bytes, target, offset);
      return;
    }
    BlockIndex.Stored stored = first.stored();
    stored.source().readRun(stored.block(), run.size(), bytes, target, offset);
    for (int k = 0; k < run.size(); k++) {
      Supply supply = required(DataBlock.of(run.get(k)));
      long at = offset + k * bytes;
      refuseFlaws(supply.stored(), target, at);
      count(supply.stored().block());
      finish(run.get(k), supply, target, at);
    }
  }

  /** Turns a block as it is stored into the input that is asked for. */
  private void finish(Input input, Supply supply, HostMemory target, long offset) {
    int n = header.eigenvectors();
    TensorShape shape = supply.stored().block().shape(n);
    if (input instanceof Input.BaryonElemental baryon) {
      if (!baryon.legs().equals(BaryonPart.Legs.NATURAL)) {
        BlockOrder.permuteLegs(target, offset, n, baryon.legs());
      }
      if (baryon.conjugate()) {
        BlockOrder.conjugate(target, offset, shape.size());
      }
      return;
    }
    if (input instanceof Input.Sites s) {
      if (s.adjoint()) {
        BlockOrder.conjugate(target, offset, shape.size());
      } else {
        BlockOrder.transpose(target, offset, n, 3 * s.sites());
      }
      return;
    }
    if (hasSpins(input)) {
      if (!basis.isDeGrandRossi()) {
        BlockOrder.rotate(target, offset, n, basis.rotation());
      }
      if (supply.adjoint()) {
        BlockOrder.gamma5Adjoint(target, offset, n);
      }
    } else if (supply.adjoint() != isAdjoint(input)) {
      BlockOrder.adjoint(target, offset, shape.extent());
    }
    if (supply.sign() < 0) {
      BlockOrder.negate(target, offset, shape.size());
    }
  }

  private void loadRows(Input input, Rows rows, HostMemory target, long offset) {
    int n = header.eigenvectors();
    long whole = input.bytes(n);
    long row = new Rows(0, 1).bytes(input, n);
    HostMemoryBudget budget = caches.budget();
    Supply supply = required(input);
    boolean firstOfFile =
        input instanceof Input.BaryonElemental baryon
            ? baryon.legs().equals(BaryonPart.Legs.NATURAL)
            : supply.adjoint() == isAdjoint(input);
    if (!firstOfFile) {
      budget.use(
          whole,
          memory -> {
            load(input, memory, 0);
            memory.copyTo(rows.first() * row, target, offset, rows.count() * row);
          });
      return;
    }
    BlockIndex.Stored stored = supply.stored();
    stored.source().readRows(stored.block(), rows, target, offset, budget);
    long size = rows.count() * row / TensorShape.COMPLEX_BYTES;
    if (BlockOrder.flaw(target, offset, size, false) != null) {
      // Some rows of a sound block may be zero, and a message is about the block.
      budget.use(
          whole,
          memory -> {
            stored.source().read(stored.block(), memory, 0);
            refuseFlaws(stored, memory, 0);
          });
    }
    blocksRead.incrementAndGet();
    bytesRead.addAndGet(rows.count() * row);
    if (input instanceof Input.BaryonElemental baryon && baryon.conjugate()) {
      BlockOrder.conjugate(target, offset, size);
    } else if (supply.sign() < 0) {
      BlockOrder.negate(target, offset, size);
    }
  }

  /** Reads a whole block as it is stored. */
  private void read(BlockIndex.Stored stored, HostMemory target, long offset) {
    if (!stored.source().readAndLook(stored.block(), target, offset)) {
      refuseFlaws(stored, target, offset);
    }
    count(stored.block());
  }

  private void count(DataBlock block) {
    blocksRead.incrementAndGet();
    bytesRead.addAndGet(block.shape(header.eigenvectors()).bytes());
  }

  /**
   * Writes a block as it is stored: only blocks that are there, in the spin basis of the data.
   * Labels are those of definitions.
   *
   * @throws DistillationException as {@link #load}
   */
  public void loadStored(DataBlock block, HostMemory target, long offset) {
    BlockIndex.Stored stored = index.find(block);
    if (stored == null) {
      throw new DistillationException(describe() + ": " + block + " is missing");
    }
    read(stored, target, offset);
  }

  /** Writes τ as {@link #load} does, but in the spin basis of the data. */
  public void loadInBasis(Input.Perambulator tau, HostMemory target) {
    load(tau, target, 0);
    if (!basis.isDeGrandRossi()) {
      BlockOrder.rotate(target, 0, header.eigenvectors(), basis.rotation().adjoint());
    }
  }

  /**
   * What tells these data from others of the same configuration: the checksums (CRC-32, in
   * hexadecimal) of the first perambulator of each label and of the first meson elemental without
   * displacement that is not at rest, each after the name of the block and a colon, and the masses
   * of the labels that the data state, after {@link #MASS_OF}, the label and a colon. Blocks for
   * which there is no memory are left out.
   *
   * @param inputs whose labels matter
   * @param budget pays for a block at a time
   * @throws DistillationException when a block cannot be read
   */
  public List<String> fingerprint(Collection<Input> inputs, HostMemoryBudget budget) {
    List<String> sums = new ArrayList<>();
    for (String label : labels()) {
      if (inputs.stream()
          .anyMatch(i -> i instanceof Input.Perambulator tau && tau.label().equals(label))) {
        int source = sourceTimes(label).iterator().next();
        DataBlock tau = new DataBlock.Perambulator(label, 0, source);
        addChecksum(tau.at(times(tau).nextSetBit(0)), budget, sums);
        String mass = blocks().mass(label);
        if (mass != null) {
          sums.add(MASS_OF + label + ": " + mass);
        }
      }
    }
    for (ElementalName name : mesonElementals()) {
      if (name.displacement().equals(ElementalRef.NO_DISPLACEMENT)
          && !name.momentum().equals(Momentum.ZERO)) {
        DataBlock phi = DataBlock.meson(name, 0);
        if (addChecksum(phi.at(times(phi).nextSetBit(0)), budget, sums)) {
          break;
        }
      }
    }
    return sums;
  }

  /** Whether a block is there; its checksum is added if there is memory for it. */
  private boolean addChecksum(DataBlock block, HostMemoryBudget budget, List<String> sums) {
    BlockIndex.Stored stored = index.find(block);
    long bytes = block.shape(header.eigenvectors()).bytes();
    if (stored == null || !budget.reclaim(bytes)) {
      return stored != null;
    }
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      stored.source().read(stored.block(), memory, 0);
      int sum = (int) Checksums.of(memory, 0, bytes);
      sums.add(block + ": " + HexFormat.of().toHexDigits(sum));
    } finally {
      budget.release(bytes);
    }
    return true;
  }

  private void refuseFlaws(BlockIndex.Stored stored, HostMemory memory, long offset) {
    DataBlock block = stored.block();
    // A loop or a gluonic factor may well be zero.
    boolean isNumber = block instanceof DataBlock.Loop || block instanceof DataBlock.GluonicValue;
    long size = block.shape(header.eigenvectors()).size();
    String flaw = BlockOrder.flaw(memory, offset, size, isNumber);
    if (flaw != null) {
      throw new DistillationException(stored.source().describe(block) + " " + flaw);
    }
  }

  /** The file that holds a stored block, and the name that it has there. */
  String describe(DataBlock block) {
    BlockIndex.Stored stored = Objects.requireNonNull(index.find(block));
    return stored.source().path() + ": '" + stored.block().object() + "'";
  }

  /** Ensemble, configuration and files, as the beginning of a message. */
  String describe() {
    return "ensemble '%s', configuration %d (%s%s)"
        .formatted(
            Printable.of(header.ensemble()),
            header.configuration(),
            sources.get(0).path(),
            sources.size() == 1 ? "" : " and " + (sources.size() - 1) + " more");
  }

  @Override
  public void close() {
    sources.forEach(BlockSource::close);
    caches.close();
  }
}
