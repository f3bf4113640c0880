package org.starlingqcd.hadron.data;

import static org.starlingqcd.hadron.data.DistillationFile.BARYON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.LOOPS;
import static org.starlingqcd.hadron.data.DistillationFile.MESON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.TETRAQUARK_ELEMENTALS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.blockcache.SourceIdentity;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
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
 * <p>Thread-safe; reads of HDF5 files are serialized by the library's lock. Nothing is cached here
 * but unpacked chunks that hold parts of several blocks.
 *
 * <p>This class has more than 400 lines because loading, the substitutes for missing blocks and the
 * list of what is missing share one index.
 */
public final class DistillationData implements InputBlocks, AutoCloseable {
  /** Form of a tetraquark's block that is the adjoint of the one in the file. */
  private static final String ADJOINT = "adjoint";

  /** The datasets of sampled positions, for messages. */
  static final String SAMPLES =
      "sites/sink, sites/source, sampled_vectors/sink and sampled_vectors/source";

  private final List<BlockSource> sources;
  private final Map<BlockSource, SourceIdentity> identities;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final GammaBasis basis;
  private final BlockIndex index;

  /** Weights of profiles; its lock is that of the eigenvalues too. */
  private final Map<String, double[][]> profiles = new HashMap<>();

  /** Whether tetraquarks are those of sampled positions, and the vectors read last, by side. */
  private boolean sampled;

  private final Map<Boolean, Sample> samples = new HashMap<>();
  private final Map<Boolean, Integer> sites = new HashMap<>();

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
      throw new DistillationException(
          where
              + ": gamma_basis is '"
              + DistillationHeader.EXPLICIT
              + "', but there are no matrices gamma/g1 … gamma/g4");
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
    return Collections.unmodifiableSet(index.labels().keySet());
  }

  /** Source times of a label, in ascending order; empty for an unknown label. */
  public Set<Integer> sourceTimes(String label) {
    BlockIndex.Label known = index.labels().get(label);
    return known == null ? Set.of() : Collections.unmodifiableSet(known.columns().keySet());
  }

  /** Whether γ5-hermiticity may be used for a label; true for an unknown one. */
  public boolean gamma5Hermitian(String label) {
    BlockIndex.Label known = index.labels().get(label);
    return known == null || known.gamma5Hermitian();
  }

  /** Meson elementals, in ascending order. */
  public Set<ElementalName> mesonElementals() {
    return Collections.unmodifiableSet(index.mesons().keySet());
  }

  /** Baryon elementals, in ascending order. */
  public Set<ElementalName> baryonElementals() {
    return Collections.unmodifiableSet(index.baryons().keySet());
  }

  /** Elementals of tetraquarks, in ascending order. */
  public Set<ElementalName> tetraquarkElementals() {
    return Collections.unmodifiableSet(index.tetraquarks().keySet());
  }

  /** Vectors on the sites of a time. */
  private record Sample(int time, SampledVectors vectors) {}

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
    synchronized (samples) {
      return sites.computeIfAbsent(
          atSource,
          side ->
              sources.stream()
                  .mapToInt(source -> source.sampledSites(side))
                  .filter(n -> n > 0)
                  .findFirst()
                  .orElse(0));
    }
  }

  /** Whether K or K† can be loaded. */
  boolean hasTetraquark(Input.Tetraquark k) {
    return sampled ? sampledSites(k.adjoint()) > 0 : origin(k) != null;
  }

  private void loadSampled(Input.Tetraquark k, HostMemory target, long offset) {
    SampledVectors vectors;
    synchronized (samples) {
      Sample sample = samples.get(k.adjoint());
      if (sample == null || sample.time() != k.time()) {
        BlockSource holder =
            sources.stream()
                .filter(source -> source.sampledSites(k.adjoint()) > 0)
                .findFirst()
                .orElseThrow(
                    () ->
                        new DistillationException(
                            describe() + ": there are no sampled positions, " + SAMPLES));
        sample = new Sample(k.time(), holder.sampled(k.adjoint(), k.time()));
        samples.put(k.adjoint(), sample);
      }
      vectors = sample.vectors();
    }
    vectors.elemental(k.colour(), k.momentum(), target, offset);
    if (k.adjoint()) {
      BlockOrder.adjoint(target, offset, k.colour().pairs(header.eigenvectors()));
    }
  }

  /** Currents of which generalized perambulators are stored, in ascending order. */
  public Set<CurrentName> generalizedPerambulators() {
    return Collections.unmodifiableSet(index.generalized().keySet());
  }

  /** Currents of which loops are stored, in ascending order; both labels are the same. */
  public Set<CurrentName> loops() {
    return Collections.unmodifiableSet(index.loops().keySet());
  }

  /** Insertion times of stored generalized perambulators by sink and source time. */
  public SortedMap<CurrentName.Ends, BitSet> storedGeneralized(CurrentName name) {
    SortedMap<CurrentName.Ends, BitSet> stored = new TreeMap<>();
    SortedMap<CurrentName.Ends, List<BlockIndex.Holding>> known = index.generalized().get(name);
    if (known != null) {
      known.forEach((ends, holdings) -> stored.put(ends, BlockIndex.times(holdings)));
    }
    return stored;
  }

  /**
   * Insertion times t at which τ_Γ(t_f, t, t_i; q) can be loaded, stored or supplied by
   * γ5-hermiticity, by sink and source time; empty when there is nothing.
   */
  public SortedMap<CurrentName.Ends, BitSet> generalizedTimes(
      String bar, String quark, CurrentVertex vertex) {
    CurrentName name = new CurrentName(bar, quark, vertex);
    SortedMap<CurrentName.Ends, BitSet> times = storedGeneralized(name);
    if (reversible(name)) {
      storedGeneralized(name.reversed())
          .forEach(
              (ends, stored) ->
                  times.computeIfAbsent(ends.exchanged(), key -> new BitSet()).or(stored));
    }
    return times;
  }

  /** Whether γ5-hermiticity supplies a current from the reversed one. */
  public boolean reversible(CurrentName name) {
    return name.eta() != 0 && gamma5Hermitian(name.bar()) && gamma5Hermitian(name.quark());
  }

  private BlockIndex.@Nullable Holding holding(DataBlock.Generalized block) {
    SortedMap<CurrentName.Ends, List<BlockIndex.Holding>> known =
        index.generalized().get(block.name());
    return known == null ? null : BlockIndex.at(known.get(block.ends()), block.insertionTime());
  }

  /** Times at which a loop itself is stored. */
  public BitSet loopTimes(CurrentName name) {
    return BlockIndex.times(index.loops().get(name));
  }

  /** Whether L_Γ(t; q) of a label is stored, or supplied by L_Γ(t; -q). */
  public boolean hasLoop(String label, CurrentVertex vertex, int time) {
    CurrentName name = new CurrentName(label, label, vertex);
    return loopTimes(name).get(time) || (reversible(name) && loopTimes(name.reversed()).get(time));
  }

  /**
   * L_Γ(t; q) of a label; a missing one is η L_Γ(t; -q)*.
   *
   * @throws DistillationException when it is missing, cannot be read, or is NaN or infinite
   */
  public Complex loop(String label, CurrentVertex vertex, int time) {
    CurrentName name = new CurrentName(label, label, vertex);
    BlockIndex.Holding direct = BlockIndex.at(index.loops().get(name), time);
    if (direct != null) {
      return loop(direct, vertex, time);
    }
    CurrentName reversed = name.reversed();
    BlockIndex.Holding other =
        reversible(name) ? BlockIndex.at(index.loops().get(reversed), time) : null;
    if (other == null) {
      throw new DistillationException(
          describe()
              + ": loop '"
              + LOOPS
              + "/"
              + label
              + "/"
              + vertex
              + "' is missing at time "
              + time);
    }
    return loop(other, reversed.vertex(), time).conjugate().times(name.eta());
  }

  private Complex loop(BlockIndex.Holding holding, CurrentVertex vertex, int time) {
    return number(holding.source(), new DataBlock.Loop(holding.label(), vertex, time));
  }

  /** Gluonic factors, in ascending order. */
  public Set<Gluonic> gluonic() {
    return Collections.unmodifiableSet(index.gluonic().keySet());
  }

  /** Times at which a gluonic factor is stored. */
  public BitSet gluonicTimes(Gluonic factor) {
    return BlockIndex.times(index.gluonic().get(factor));
  }

  /**
   * A loop, as {@link #loop}, or a gluonic factor.
   *
   * @throws DistillationException when it is missing, cannot be read, or is NaN or infinite
   */
  public Complex number(DataBlock block) {
    if (block instanceof DataBlock.Loop loop) {
      return loop(loop.label(), loop.vertex(), loop.time());
    }
    DataBlock.GluonicValue value = (DataBlock.GluonicValue) block;
    BlockIndex.Holding holding = BlockIndex.at(index.gluonic().get(value.factor()), value.time());
    if (holding == null) {
      throw new DistillationException(describe() + ": " + block + " is missing");
    }
    return number(holding.source(), block);
  }

  private Complex number(BlockSource source, DataBlock block) {
    double[] number = new double[2];
    try (HostMemory memory = HostMemory.allocate(TensorShape.COMPLEX_BYTES)) {
      read(source, block, memory, 0);
      memory.get(0, number, 0, 2);
    }
    return new Complex(number[0], number[1]);
  }

  /** Blocks read so far. */
  public long blocksRead() {
    return blocksRead.get();
  }

  /** Bytes of the blocks read so far, unpacked. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** Whether τ(sinkTime, sourceTime) itself is stored. */
  public boolean storesPerambulator(String label, int sinkTime, int sourceTime) {
    return holding(label, sinkTime, sourceTime) != null;
  }

  /** Whether τ(sinkTime, sourceTime) can be loaded. */
  public boolean hasPerambulator(String label, int sinkTime, int sourceTime) {
    return storesPerambulator(label, sinkTime, sourceTime)
        || (gamma5Hermitian(label) && storesPerambulator(label, sourceTime, sinkTime));
  }

  private BlockIndex.@Nullable Holding holding(String label, int sinkTime, int sourceTime) {
    BlockIndex.Label known = index.labels().get(label);
    return known == null ? null : BlockIndex.at(known.columns().get(sourceTime), sinkTime);
  }

  /** Sink times that are stored for a source time, in ascending order. */
  public BitSet sinkTimes(String label, int sourceTime) {
    BlockIndex.Label known = index.labels().get(label);
    return BlockIndex.times(known == null ? null : known.columns().get(sourceTime));
  }

  /** Times at which a meson elemental itself is stored. */
  public BitSet mesonTimes(ElementalName name) {
    return BlockIndex.times(index.mesons().get(name));
  }

  /** Times at which a baryon elemental is stored. */
  public BitSet baryonTimes(ElementalName name) {
    return BlockIndex.times(index.baryons().get(name));
  }

  /** Times at which an elemental of a tetraquark itself is stored. */
  public BitSet tetraquarkTimes(ElementalName name) {
    return BlockIndex.times(index.tetraquarks().get(name));
  }

  /** Whether an elemental or one that equals it can be loaded at a time. */
  public boolean hasElemental(ElementalRef elemental, int time) {
    return stored(new ElementalName(elemental.displacement(), elemental.momentum()), time) != null;
  }

  /** Whether a baryon elemental can be loaded at a time. */
  public boolean hasBaryonElemental(ElementalName name, int time) {
    return BlockIndex.at(index.baryons().get(name), time) != null;
  }

  /** Whether K(n) or K(-n) of a tetraquark is stored at a time. */
  public boolean hasTetraquark(ElementalName name, int time) {
    return stored(index.tetraquarks(), name, time) != null;
  }

  private ElementalName.@Nullable Alias stored(ElementalName name, int time) {
    return stored(index.mesons(), name, time);
  }

  /** The elemental of the sources that supplies one; null when none does. */
  private ElementalName.@Nullable Alias stored(
      Map<ElementalName, List<BlockIndex.Holding>> kind, ElementalName name, int time) {
    if (name.vanishes(header.spatialExtent())) {
      return null;
    }
    if (BlockIndex.at(kind.get(name), time) != null) {
      return new ElementalName.Alias(name, false, 1);
    }
    for (ElementalName.Alias alias : name.aliases()) {
      if (BlockIndex.at(kind.get(alias.name()), time) != null) {
        return alias;
      }
    }
    return null;
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
    String diquarks = "";
    for (Input input : inputs) {
      if (input instanceof Input.BaryonElemental) {
        diquarks = "baryons";
      } else if (input instanceof Input.Tetraquark && diquarks.isEmpty()) {
        diquarks = "tetraquarks";
      }
    }
    String flaw = diquarks.isEmpty() ? "" : basis.baryonFlaw();
    if (!flaw.isEmpty()) {
      throw new DistillationException(
          describe()
              + ": its gamma matrices do not suit "
              + diquarks
              + ": "
              + flaw
              + "; with C = g2 g4, a basis such as DeGrand-Rossi or Dirac-Pauli is needed");
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
            throw new DistillationException(
                first.path()
                    + " and "
                    + source.path()
                    + " have different laplacian_eigenvalues; leave one of them out");
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
    int time =
        input instanceof Input.Elemental phi ? phi.time() : ((Input.BaryonElemental) input).time();
    return names.stream().map(name -> weights(name, time)).toArray(double[][]::new);
  }

  private double[] weights(String profile, int time) {
    int n = header.eigenvectors();
    double[][] known;
    synchronized (profiles) {
      known = profiles.computeIfAbsent(profile, this::weights);
    }
    double[] weights = known[known.length == 1 ? 0 : time];
    if (weights.length != n) {
      throw new DistillationException(
          describe()
              + ": a profile lists %d weights for %d eigenvectors".formatted(weights.length, n));
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
        throw new DistillationException(
            describe()
                + ": a profile lists weights of %d times, the data have T = %d"
                    .formatted(listed.length, extent));
      }
      return listed;
    }
    double[] lambda = laplacianEigenvalues();
    if (lambda == null) {
      throw new DistillationException(
          describe()
              + ": the profile 'gaussian: "
              + numbers
              + "' needs 'laplacian_eigenvalues' [T, N], which the data do not have; add them or"
              + " list weights");
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
    return origin == null ? 0 : BlockKey.of(origin.text() + " " + rows).high();
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
    if (input instanceof Input.Perambulator tau) {
      BlockIndex.Holding direct = holding(tau.label(), tau.sinkTime(), tau.sourceTime());
      String rotation = basis.isDeGrandRossi() ? "" : basis.rotation().toString();
      if (direct != null) {
        return origin(
            direct,
            new DataBlock.Perambulator(direct.label(), tau.sinkTime(), tau.sourceTime()),
            rotation);
      }
      BlockIndex.Holding other = holding(tau.label(), tau.sourceTime(), tau.sinkTime());
      return other == null || !gamma5Hermitian(tau.label())
          ? null
          : origin(
              other,
              new DataBlock.Perambulator(other.label(), tau.sourceTime(), tau.sinkTime()),
              "adjoint " + rotation);
    }
    if (input instanceof Input.Generalized tau) {
      return origin(DataBlock.Generalized.of(tau));
    }
    if (input instanceof Input.Elemental phi) {
      ElementalRef elemental = phi.elemental();
      ElementalName.Alias stored =
          stored(new ElementalName(elemental.displacement(), elemental.momentum()), phi.time());
      return stored == null
          ? null
          : origin(
              BlockIndex.at(index.mesons().get(stored.name()), phi.time()),
              new DataBlock.Meson(stored.name(), phi.time()),
              (stored.adjoint() != elemental.adjoint() ? "adjoint " : "") + stored.sign());
    }
    if (input instanceof Input.Tetraquark k) {
      if (sampled) {
        return null;
      }
      ElementalName name = new ElementalName(k.colour().toString(), k.momentum());
      ElementalName.Alias stored = stored(index.tetraquarks(), name, k.time());
      return stored == null
          ? null
          : origin(
              BlockIndex.at(index.tetraquarks().get(stored.name()), k.time()),
              new DataBlock.Tetraquark(stored.name(), k.time()),
              stored.adjoint() != k.adjoint() ? ADJOINT : "");
    }
    Input.BaryonElemental baryon = (Input.BaryonElemental) input;
    ElementalName name = new ElementalName(baryon.displacement(), baryon.momentum());
    return origin(
        BlockIndex.at(index.baryons().get(name), baryon.time()),
        new DataBlock.Baryon(name, baryon.time()),
        baryon.legs() + (baryon.conjugate() ? " conjugate" : ""));
  }

  private @Nullable Origin origin(DataBlock.Generalized tau) {
    String rotation = basis.isDeGrandRossi() ? "" : basis.rotation().toString();
    BlockIndex.Holding direct = holding(tau);
    if (direct != null) {
      return origin(direct, there(direct, tau), rotation);
    }
    DataBlock.Generalized reversed = tau.reversed();
    BlockIndex.Holding other = reversible(tau.name()) ? holding(reversed) : null;
    return other == null
        ? null
        : origin(other, there(other, reversed), "adjoint " + tau.name().eta() + " " + rotation);
  }

  /** A block with the labels of its source. */
  private static DataBlock there(BlockIndex.Holding holding, DataBlock.Generalized tau) {
    return new DataBlock.Generalized(
        new CurrentName(holding.label(), holding.quark(), tau.name().vertex()),
        tau.ends(),
        tau.insertionTime());
  }

  private @Nullable Origin origin(
      BlockIndex.@Nullable Holding holding, DataBlock block, String form) {
    SourceIdentity files = holding == null ? null : identities.get(holding.source());
    return holding == null || files == null
        ? null
        : new Origin(holding.source(), files, block, form);
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
    if (input instanceof Input.BaryonElemental baryon) {
      if (rows.isAll()) {
        loadBaryon(baryon, target, offset);
      } else {
        loadBaryonRows(baryon, rows.first(), rows.count(), target, offset);
      }
      return;
    }
    if (!rows.isAll()) {
      throw new IllegalArgumentException(rows + " of an input without an open leg: " + input);
    }
    if (input instanceof Input.Perambulator tau) {
      loadPerambulator(tau.label(), tau.sinkTime(), tau.sourceTime(), target, offset);
    } else if (input instanceof Input.Elemental phi) {
      loadElemental(phi.elemental(), phi.time(), target, offset);
    } else if (input instanceof Input.Generalized tau) {
      Origin origin = origin(input);
      if (origin == null) {
        throw new DistillationException(
            describe() + ": " + DataBlock.Generalized.of(tau) + " is missing");
      }
      read(origin.source(), origin.block(), target, offset);
      finish(tau, target, offset);
    } else if (input instanceof Input.Tetraquark k && sampled) {
      loadSampled(k, target, offset);
    } else if (input instanceof Input.Tetraquark k) {
      Origin origin = origin(input);
      if (origin == null) {
        ElementalName name = new ElementalName(k.colour().toString(), k.momentum());
        throw missing(TETRAQUARK_ELEMENTALS, name, k.time());
      }
      read(origin.source(), origin.block(), target, offset);
      if (origin.form().equals(ADJOINT)) {
        BlockOrder.adjoint(target, offset, k.colour().pairs(header.eigenvectors()));
      }
    }
  }

  @Override
  public @Nullable Input next(Input input) {
    if (!input.profiles().isEmpty()) {
      return null;
    }
    Input next = null;
    if (input instanceof Input.Elemental phi) {
      next = new Input.Elemental(phi.elemental(), phi.time() + 1);
    } else if (input instanceof Input.Perambulator tau) {
      next =
          holding(tau.label(), tau.sinkTime(), tau.sourceTime()) != null
              ? new Input.Perambulator(tau.label(), tau.sinkTime() + 1, tau.sourceTime())
              : new Input.Perambulator(tau.label(), tau.sinkTime(), tau.sourceTime() + 1);
    } else if (input instanceof Input.Generalized tau) {
      DataBlock.Generalized block = DataBlock.Generalized.of(tau);
      next = new DataBlock.Generalized(block.name(), block.ends(), tau.insertionTime() + 1).input();
    }
    Origin one = origin(input);
    Origin other = next == null ? null : origin(next);
    return one != null
            && other != null
            && one.source() == other.source()
            && one.form().equals(other.form())
            && one.source().follows(one.block(), other.block())
        ? next
        : null;
  }

  @Override
  public void loadRun(List<Input> run, long bytes, HostMemory target, long offset) {
    Origin first = origin(run.get(0));
    if (first == null || run.size() == 1) {
      InputBlocks.super.loadRun(run, bytes, target, offset);
      return;
    }
    first.source().readRun(first.block(), run.size(), bytes, target, offset);
    for (int k = 0; k < run.size(); k++) {
      Input input = run.get(k);
      Origin origin = Objects.requireNonNull(origin(input));
      long at = offset + k * bytes;
      refuseFlaws(origin.source(), origin.block(), target, at);
      count(origin.block());
      if (input instanceof Input.Perambulator tau) {
        finish(tau, target, at);
      } else if (input instanceof Input.Elemental phi) {
        finish(phi, target, at);
      } else if (input instanceof Input.Generalized tau) {
        finish(tau, target, at);
      }
    }
  }

  private void loadPerambulator(
      String label, int sinkTime, int sourceTime, HostMemory target, long offset) {
    BlockIndex.Holding holding = holding(label, sinkTime, sourceTime);
    boolean direct = holding != null;
    if (holding == null && gamma5Hermitian(label)) {
      holding = holding(label, sourceTime, sinkTime);
    }
    if (holding == null) {
      throw new DistillationException(
          describe()
              + ": perambulator '"
              + label
              + "' at (sink, source) = ("
              + sinkTime
              + ", "
              + sourceTime
              + ") is missing");
    }
    read(
        holding.source(),
        direct
            ? new DataBlock.Perambulator(holding.label(), sinkTime, sourceTime)
            : new DataBlock.Perambulator(holding.label(), sourceTime, sinkTime),
        target,
        offset);
    finish(new Input.Perambulator(label, sinkTime, sourceTime), target, offset);
  }

  /** Turns a perambulator as it is stored into the one that is asked for. */
  private void finish(Input.Perambulator tau, HostMemory target, long offset) {
    int n = header.eigenvectors();
    if (!basis.isDeGrandRossi()) {
      BlockOrder.rotate(target, offset, n, basis.rotation());
    }
    if (holding(tau.label(), tau.sinkTime(), tau.sourceTime()) == null) {
      BlockOrder.gamma5Adjoint(target, offset, n);
    }
  }

  /** Turns a generalized perambulator as it is stored into the one that is asked for. */
  private void finish(Input.Generalized tau, HostMemory target, long offset) {
    int n = header.eigenvectors();
    if (!basis.isDeGrandRossi()) {
      BlockOrder.rotate(target, offset, n, basis.rotation());
    }
    DataBlock.Generalized block = DataBlock.Generalized.of(tau);
    if (holding(block) == null) {
      BlockOrder.gamma5Adjoint(target, offset, n);
      if (block.name().eta() < 0) {
        BlockOrder.negate(target, offset, TensorShape.mesonNode(n).size());
      }
    }
  }

  private void loadElemental(ElementalRef elemental, int time, HostMemory target, long offset) {
    ElementalName name = new ElementalName(elemental.displacement(), elemental.momentum());
    ElementalName.Alias stored = stored(name, time);
    BlockIndex.Holding holding =
        stored == null ? null : BlockIndex.at(index.mesons().get(stored.name()), time);
    if (stored == null || holding == null) {
      throw missing(MESON_ELEMENTALS, name, time);
    }
    read(holding.source(), new DataBlock.Meson(stored.name(), time), target, offset);
    finish(new Input.Elemental(elemental, time), target, offset);
  }

  /** Turns an elemental as it is stored into the one that is asked for. */
  private void finish(Input.Elemental phi, HostMemory target, long offset) {
    int n = header.eigenvectors();
    ElementalRef elemental = phi.elemental();
    ElementalName.Alias stored =
        Objects.requireNonNull(
            stored(new ElementalName(elemental.displacement(), elemental.momentum()), phi.time()));
    if (stored.adjoint() != elemental.adjoint()) {
      BlockOrder.adjoint(target, offset, n);
    }
    if (stored.sign() < 0) {
      BlockOrder.negate(target, offset, (long) n * n);
    }
  }

  private void loadBaryon(Input.BaryonElemental elemental, HostMemory target, long offset) {
    ElementalName name = new ElementalName(elemental.displacement(), elemental.momentum());
    int n = header.eigenvectors();
    read(
        baryonSource(name, elemental.time()),
        new DataBlock.Baryon(name, elemental.time()),
        target,
        offset);
    if (!elemental.legs().equals(BaryonPart.Legs.NATURAL)) {
      BlockOrder.permuteLegs(target, offset, n, elemental.legs());
    }
    if (elemental.conjugate()) {
      BlockOrder.conjugate(target, offset, (long) n * n * n);
    }
  }

  private void loadBaryonRows(
      Input.BaryonElemental elemental, int firstRow, int rows, HostMemory target, long offset) {
    int n = header.eigenvectors();
    long row = TensorShape.elemental(n).bytes();
    if (!elemental.legs().equals(BaryonPart.Legs.NATURAL)) {
      // The open leg is not the first one of the file.
      caches.budget().reserve(n * row);
      try (HostMemory whole = HostMemory.allocate(n * row)) {
        loadBaryon(elemental, whole, 0);
        whole.copyTo(firstRow * row, target, offset, rows * row);
      } finally {
        caches.budget().release(n * row);
      }
      return;
    }
    ElementalName name = new ElementalName(elemental.displacement(), elemental.momentum());
    BlockSource source = baryonSource(name, elemental.time());
    DataBlock.Baryon block = new DataBlock.Baryon(name, elemental.time());
    source.readRows(block, firstRow, rows, target, offset, caches.budget());
    if (BlockOrder.flaw(target, offset, (long) rows * n * n) != null) {
      // Some rows of a sound block may be zero, and a message is about the block.
      caches.budget().reserve(n * row);
      try (HostMemory whole = HostMemory.allocate(n * row)) {
        source.read(block, whole, 0);
        refuseFlaws(source, block, whole, 0);
      } finally {
        caches.budget().release(n * row);
      }
    }
    blocksRead.incrementAndGet();
    bytesRead.addAndGet(rows * row);
    if (elemental.conjugate()) {
      BlockOrder.conjugate(target, offset, (long) rows * n * n);
    }
  }

  private BlockSource baryonSource(ElementalName name, int time) {
    BlockIndex.Holding holding = BlockIndex.at(index.baryons().get(name), time);
    if (holding == null) {
      throw missing(BARYON_ELEMENTALS, name, time);
    }
    return holding.source();
  }

  private DistillationException missing(String kind, ElementalName name, int time) {
    return new DistillationException(
        "%s: elemental '%s/%s' is missing at time %d".formatted(describe(), kind, name, time));
  }

  /** Reads a whole block as it is stored. */
  private void read(BlockSource source, DataBlock block, HostMemory target, long offset) {
    if (!source.readAndLook(block, target, offset)) {
      refuseFlaws(source, block, target, offset);
    }
    count(block);
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
    BlockIndex.Holding holding;
    DataBlock there = block;
    if (block instanceof DataBlock.Perambulator tau) {
      holding = holding(tau.label(), tau.sinkTime(), tau.sourceTime());
      if (holding != null) {
        there = new DataBlock.Perambulator(holding.label(), tau.sinkTime(), tau.sourceTime());
      }
    } else if (block instanceof DataBlock.Meson phi) {
      holding = BlockIndex.at(index.mesons().get(phi.name()), phi.time());
    } else if (block instanceof DataBlock.Generalized tau) {
      holding = holding(tau);
      if (holding != null) {
        there = there(holding, tau);
      }
    } else if (block instanceof DataBlock.Loop loop) {
      holding = BlockIndex.at(index.loops().get(loop.name()), loop.time());
      if (holding != null) {
        there = new DataBlock.Loop(holding.label(), loop.vertex(), loop.time());
      }
    } else if (block instanceof DataBlock.Tetraquark k) {
      holding = BlockIndex.at(index.tetraquarks().get(k.name()), k.time());
    } else if (block instanceof DataBlock.GluonicValue value) {
      holding = BlockIndex.at(index.gluonic().get(value.factor()), value.time());
    } else {
      DataBlock.Baryon b = (DataBlock.Baryon) block;
      holding = BlockIndex.at(index.baryons().get(b.name()), b.time());
    }
    if (holding == null) {
      throw new DistillationException(describe() + ": " + block + " is missing");
    }
    read(holding.source(), there, target, offset);
  }

  /**
   * What tells these data from others of the same configuration: the checksums (CRC-32, in
   * hexadecimal) of the first perambulator of each label and of the first meson elemental without
   * displacement that is not at rest, each after the name of the block and a colon. Blocks for
   * which there is no memory are left out.
   *
   * @param inputs whose labels matter
   * @param budget pays for a block at a time
   * @throws DistillationException when a block cannot be read
   */
  public List<String> fingerprint(Collection<Input> inputs, HostMemoryBudget budget) {
    List<String> sums = new ArrayList<>();
    for (String label : labels()) {
      boolean used = false;
      for (Input input : inputs) {
        used |= input instanceof Input.Perambulator tau && tau.label().equals(label);
      }
      if (used) {
        int source = sourceTimes(label).iterator().next();
        int sink = sinkTimes(label, source).nextSetBit(0);
        BlockIndex.Holding holding = holding(label, sink, source);
        if (holding != null) {
          DataBlock there = new DataBlock.Perambulator(holding.label(), sink, source);
          addChecksum(
              new DataBlock.Perambulator(label, sink, source),
              holding.source(),
              there,
              budget,
              sums);
        }
      }
    }
    for (ElementalName name : mesonElementals()) {
      if (name.displacement().equals(ElementalRef.NO_DISPLACEMENT)
          && !name.momentum().equals(Momentum.ZERO)) {
        DataBlock.Meson phi = new DataBlock.Meson(name, mesonTimes(name).nextSetBit(0));
        BlockIndex.Holding holding = BlockIndex.at(index.mesons().get(name), phi.time());
        if (holding != null) {
          addChecksum(phi, holding.source(), phi, budget, sums);
          break;
        }
      }
    }
    return sums;
  }

  private void addChecksum(
      DataBlock name,
      BlockSource source,
      DataBlock block,
      HostMemoryBudget budget,
      List<String> sums) {
    long bytes = block.shape(header.eigenvectors()).bytes();
    if (!budget.reclaim(bytes)) {
      return;
    }
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      source.read(block, memory, 0);
      sums.add("%s: %08x".formatted(name, Checksums.of(memory, 0, bytes)));
    } finally {
      budget.release(bytes);
    }
  }

  private void refuseFlaws(BlockSource source, DataBlock block, HostMemory memory, long offset) {
    long numbers = block.shape(header.eigenvectors()).bytes() / TensorShape.COMPLEX_BYTES;
    String flaw = BlockOrder.flaw(memory, offset, numbers);
    if (flaw != null && !isZeroNumber(block, memory, offset)) {
      throw new DistillationException(source.describe(block) + " " + flaw);
    }
  }

  /** A loop or a gluonic factor may well be zero. */
  private static boolean isZeroNumber(DataBlock block, HostMemory memory, long offset) {
    double[] number = new double[2];
    memory.get(offset / Double.BYTES, number, 0, 2);
    return (block instanceof DataBlock.Loop || block instanceof DataBlock.GluonicValue)
        && number[0] == 0
        && number[1] == 0;
  }

  /** Ensemble, configuration and files, as the beginning of a message. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append("ensemble '").append(Printable.of(header.ensemble())).append("', configuration ");
    text.append(header.configuration()).append(" (").append(sources.get(0).path());
    if (sources.size() > 1) {
      text.append(" and ").append(sources.size() - 1).append(" more");
    }
    return text.append(")").toString();
  }

  @Override
  public void close() {
    sources.forEach(BlockSource::close);
    caches.close();
  }
}
