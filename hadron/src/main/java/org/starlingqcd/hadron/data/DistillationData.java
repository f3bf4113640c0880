package org.starlingqcd.hadron.data;

import static org.starlingqcd.hadron.data.DistillationFile.BARYON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.MESON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.PERAMBULATORS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;

/**
 * The distillation data of one configuration, in one or several files, read block by block.
 *
 * <p>Opening reads attributes and shapes only, however large the files are. A block is one time
 * slice of an elemental or one pair of times of a perambulator; it is read by hyperslab, checked
 * for NaN and for blocks that were never written, and handed over in the DeGrand-Rossi basis in
 * host layout ({@link TensorShape}). Where τ(t,t') is missing, τ(t',t) supplies it by
 * γ5-hermiticity unless the label forbids it; where Φ_D(n) is missing, an elemental that equals it
 * up to the adjoint and a sign takes its place ({@link ElementalName#aliases()}).
 *
 * <p>Thread-safe; reads are serialized by the HDF5 library's lock. Nothing is cached here but
 * unpacked chunks that hold parts of several blocks.
 */
public final class DistillationData implements InputBlocks, AutoCloseable {
  private final List<DistillationFile> files;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final GammaBasis basis;
  private final BlockIndex index;
  private final AtomicLong blocksRead = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();

  private DistillationData(List<DistillationFile> files, ChunkCaches caches) {
    this.files = files;
    this.caches = caches;
    this.header = files.get(0).header();
    this.index = new BlockIndex(files);
    this.basis = basis();
  }

  /**
   * Opens the files of one configuration.
   *
   * @throws DistillationException when a file is not distillation data or damaged, when two do not
   *     belong together or hold the same block, naming the files
   */
  public static DistillationData open(List<Path> paths) {
    return open(paths, HostMemoryBudget.unbounded());
  }

  /**
   * Does the same as {@link #open(List)} and reserves chunk caches and other memory from a budget.
   */
  public static DistillationData open(List<Path> paths, HostMemoryBudget budget) {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("must be >= 1: paths=0");
    }
    ChunkCaches caches = new ChunkCaches(budget);
    List<DistillationFile> files = new ArrayList<>();
    try {
      for (Path path : paths) {
        files.add(DistillationFile.open(path, caches));
      }
      return new DistillationData(List.copyOf(files), caches);
    } catch (RuntimeException e) {
      files.forEach(DistillationFile::close);
      throw e;
    }
  }

  private GammaBasis basis() {
    if (header.gammaBasis().equals(DistillationHeader.DEGRAND_ROSSI)) {
      return GammaBasis.DEGRAND_ROSSI;
    }
    GammaBasis found = null;
    Path where = files.get(0).path();
    for (DistillationFile file : files) {
      GammaBasis explicit = file.explicitBasis();
      if (explicit == null) {
        continue;
      }
      if (found != null && !found.agreesWith(explicit)) {
        throw new DistillationException(
            where + " and " + file.path() + " have different gamma matrices");
      }
      found = explicit;
      where = file.path();
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

  /** The files, in the order given. */
  public List<Path> files() {
    return files.stream().map(DistillationFile::path).toList();
  }

  @Override
  public GammaBasis gammaBasis() {
    return basis;
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

  /** Blocks read so far. */
  public long blocksRead() {
    return blocksRead.get();
  }

  /** Bytes of the blocks read so far, unpacked. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** Whether τ(sinkTime, sourceTime) can be loaded. */
  public boolean hasPerambulator(String label, int sinkTime, int sourceTime) {
    BlockIndex.Label known = index.labels().get(label);
    return known != null
        && (known.columns().containsKey(sourceTime)
            || (known.gamma5Hermitian() && known.columns().containsKey(sinkTime)));
  }

  /** Whether an elemental or its adjoint can be loaded. */
  public boolean hasElemental(ElementalRef elemental) {
    return stored(new ElementalName(elemental.displacement(), elemental.momentum())) != null;
  }

  /** Whether a baryon elemental can be loaded. */
  public boolean hasBaryonElemental(ElementalName name) {
    return index.baryons().containsKey(name);
  }

  /** The elemental in the files that supplies another; null if none does. */
  private ElementalName.@Nullable Alias stored(ElementalName name) {
    if (name.vanishes(header.spatialExtent())) {
      return null;
    }
    if (index.mesons().containsKey(name)) {
      return new ElementalName.Alias(name, false, 1);
    }
    for (ElementalName.Alias alias : name.aliases()) {
      if (index.mesons().containsKey(alias.name())) {
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
    MissingInputs missing = new MissingInputs(this);
    inputs.forEach(missing::need);
    missing.throwIfAny();
    boolean anyBaryon = inputs.stream().anyMatch(Input.BaryonElemental.class::isInstance);
    String flaw = anyBaryon ? basis.baryonFlaw() : "";
    if (!flaw.isEmpty()) {
      throw new DistillationException(
          describe()
              + ": its gamma matrices do not suit baryons: "
              + flaw
              + "; with C = g2 g4, a basis such as DeGrand-Rossi or Dirac-Pauli is needed");
    }
  }

  /**
   * Writes an input to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing, cannot be read, or holds NaN, an infinity or
   *     nothing but zeros
   */
  @Override
  public void load(Input input, Rows rows, HostMemory target, long offset) {
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
    }
  }

  private void loadPerambulator(
      String label, int sinkTime, int sourceTime, HostMemory target, long offset) {
    BlockIndex.Label known = index.labels().get(label);
    BlockIndex.Column column = known == null ? null : known.columns().get(sourceTime);
    boolean direct = column != null;
    if (known != null && column == null && known.gamma5Hermitian()) {
      column = known.columns().get(sinkTime);
    }
    if (column == null) {
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
    int n = header.eigenvectors();
    int row = direct ? sinkTime : sourceTime;
    column
        .file()
        .read(
            PERAMBULATORS + "/" + label,
            new int[] {row, column.index()},
            "[sink time, column of source time " + (direct ? sourceTime : sinkTime) + "]",
            target,
            offset);
    count(TensorShape.mesonNode(n));
    if (!basis.isDeGrandRossi()) {
      BlockOrder.rotate(target, offset, n, basis.rotation());
    }
    if (!direct) {
      BlockOrder.gamma5Adjoint(target, offset, n);
    }
  }

  private void loadElemental(ElementalRef elemental, int time, HostMemory target, long offset) {
    ElementalName name = new ElementalName(elemental.displacement(), elemental.momentum());
    ElementalName.Alias stored = stored(name);
    DistillationFile file = stored == null ? null : index.mesons().get(stored.name());
    if (stored == null || file == null) {
      throw new DistillationException(
          describe() + ": elemental '" + MESON_ELEMENTALS + "/" + name + "' is missing");
    }
    int n = header.eigenvectors();
    file.read(MESON_ELEMENTALS + "/" + stored.name(), new int[] {time}, "[time]", target, offset);
    count(TensorShape.elemental(n));
    if (stored.adjoint() != elemental.adjoint()) {
      BlockOrder.adjoint(target, offset, n);
    }
    if (stored.sign() < 0) {
      BlockOrder.negate(target, offset, (long) n * n);
    }
  }

  private void loadBaryon(Input.BaryonElemental elemental, HostMemory target, long offset) {
    ElementalName name = new ElementalName(elemental.displacement(), elemental.momentum());
    baryonFile(name)
        .read(
            BARYON_ELEMENTALS + "/" + name, new int[] {elemental.time()}, "[time]", target, offset);
    int n = header.eigenvectors();
    count(new TensorShape(1, 3, n));
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
    baryonFile(name)
        .readRows(
            BARYON_ELEMENTALS + "/" + name,
            elemental.time(),
            firstRow,
            rows,
            "[time]",
            target,
            offset);
    blocksRead.incrementAndGet();
    bytesRead.addAndGet(rows * row);
    if (elemental.conjugate()) {
      BlockOrder.conjugate(target, offset, (long) rows * n * n);
    }
  }

  private DistillationFile baryonFile(ElementalName name) {
    DistillationFile file = index.baryons().get(name);
    if (file == null) {
      throw new DistillationException(
          describe() + ": elemental '" + BARYON_ELEMENTALS + "/" + name + "' is missing");
    }
    return file;
  }

  private void count(TensorShape shape) {
    blocksRead.incrementAndGet();
    bytesRead.addAndGet(shape.bytes());
  }

  /** Ensemble, configuration and files, as the beginning of a message. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append("ensemble '").append(Printable.of(header.ensemble())).append("', configuration ");
    text.append(header.configuration()).append(" (").append(files.get(0).path());
    if (files.size() > 1) {
      text.append(" and ").append(files.size() - 1).append(" more");
    }
    return text.append(")").toString();
  }

  @Override
  public void close() {
    files.forEach(DistillationFile::close);
    caches.close();
  }
}
