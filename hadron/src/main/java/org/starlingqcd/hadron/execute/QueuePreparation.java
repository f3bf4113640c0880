package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.execute.NodeForms.Copy;
import org.starlingqcd.hadron.execute.NodeForms.Factor;
import org.starlingqcd.hadron.execute.PreparedQueue.Batch;
import org.starlingqcd.hadron.execute.PreparedQueue.Contraction;
import org.starlingqcd.hadron.execute.PreparedQueue.Copying;
import org.starlingqcd.hadron.execute.PreparedQueue.SpinSum;
import org.starlingqcd.hadron.execute.PreparedQueue.TraceTile;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.StepKind;

/**
 * Translates an execution queue into a {@link PreparedQueue}: gives every element of the queue an
 * element of MemHC, cuts what does not fit into the budget, and lists all accesses.
 */
final class QueuePreparation {
  private final ExecutionQueue queue;
  private final NodeForms forms;
  private final int eigenvectors;
  private final long budgetBytes;
  private final TensorShape nodeShape;
  private final TensorShape elementalShape;
  private final TensorShape baryonShape;
  private final Map<TensorShape, TensorShape> pairShapes = new HashMap<>();
  private final List<ExecutionQueue.Element> queueElements;
  private final boolean mixesColours;
  private final int[] elements;
  private final List<List<Integer>> parts = new ArrayList<>();
  private final Map<Integer, PreparedPairs> pairs = new LinkedHashMap<>();
  private final Map<Copy, Integer> copies = new HashMap<>();
  private final ElementSlots slots;
  private final AccessQueue.Builder accesses = AccessQueue.builder();
  private final List<Batch> batches = new ArrayList<>();
  private int[] traceOfRaw = new int[64];
  private Complex[] phaseOfRaw = new Complex[64];
  private int rawResults;
  private int mostInputs = 4;
  private long builds;
  private long products;
  private double flops;

  /** How a trace is computed, and of which strips. */
  private record TraceForm(
      SpinTraceMapping mapping, Complex phase, int leftStrip, int rightStrip) {}

  /**
   * Translates the queue of one of several places; O(accesses).
   *
   * @param moves the elements that come from other places or go there
   * @param forms how elements are kept, the same in all places
   * @param precision of all elements
   * @param budgetBytes device memory that a contraction has to fit into
   * @param flopsOfLaunch as of {@code Device}
   * @param slots where elements of MemHC are taken from
   */
  QueuePreparation(
      ExecutionQueue queue,
      PlaceMoves moves,
      NodeForms forms,
      int eigenvectors,
      Precision precision,
      long budgetBytes,
      double flopsOfLaunch,
      ElementSlots slots) {
    this.queue = queue;
    this.forms = forms;
    this.eigenvectors = eigenvectors;
    this.slots = slots;
    nodeShape = TensorShape.mesonNode(eigenvectors).in(precision);
    elementalShape = TensorShape.elemental(eigenvectors).in(precision);
    baryonShape = new TensorShape(1, 3, eigenvectors, precision);
    this.budgetBytes = budgetBytes;
    slots.begin();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.BoundPairs blocks) {
          pairs.put(
              step.destination(),
              PreparedPairs.of(blocks, eigenvectors, precision, budgetBytes, flopsOfLaunch, slots));
        }
      }
    }
    queueElements = queue.elements();
    boolean mixes = false;
    for (ExecutionQueue.Element element : queueElements) {
      mixes |= element instanceof ExecutionQueue.PairMatrix m && m.rows() != m.columns();
    }
    mixesColours = mixes;
    elements = new int[queueElements.size()];
    for (int k = 0; k < elements.length; k++) {
      parts.add(slots(k, moves.isReceived(k)));
      elements[k] = parts.get(k).isEmpty() ? -1 : parts.get(k).get(0);
    }
    for (int v = 0; v < queue.vectors().size(); v++) {
      moves
          .before(v)
          .forEach(
              move -> {
                for (int part : parts.get(move.element())) {
                  int[] element = {part};
                  int[] none = {};
                  boolean sends = move.from() == moves.place();
                  accesses.step(sends ? element : none, sends ? none : element).endVector();
                }
              });
      add(queue.vectors().get(v));
      accesses.endVector();
    }
  }

  /** What was found. */
  PreparedQueue prepared() {
    return new PreparedQueue(
        queue,
        eigenvectors,
        parts,
        List.copyOf(pairs.values()),
        slots.shapes(),
        batches,
        accesses.build(),
        new RawResults(
            Arrays.copyOf(traceOfRaw, rawResults), Arrays.copyOf(phaseOfRaw, rawResults)),
        new QueueWork(builds, products, rawResults, flops),
        mostInputs);
  }

  /**
   * The elements of MemHC for an element of the queue; the blocks of a baryon's set have their own.
   * An input that comes from another place is not loaded here.
   */
  private List<Integer> slots(int number, boolean received) {
    ExecutionQueue.Element element = queueElements.get(number);
    if (pairs.containsKey(number)) {
      return List.of();
    }
    TensorShape shape = shape(element);
    boolean isInput = element instanceof Input && !received;
    int strips = strips(element);
    return strips == 1
        ? List.of(slots.next(shape, isInput))
        : IntStream.range(0, strips).mapToObj(k -> slots.next(shape, isInput)).toList();
  }

  /** Strips of rows in which an element is kept. */
  private int strips(ExecutionQueue.Element element) {
    return element instanceof Input.Tetraquark k
        ? packing(k.colour()).strips()
        : element instanceof ExecutionQueue.PairMatrix m && m.isProduct()
            ? packing(m.rows()).strips()
            : 1;
  }

  private TensorShape shape(ExecutionQueue.Element element) {
    if (element instanceof Input.Elemental) {
      return elementalShape;
    } else if (element instanceof Input.BaryonElemental) {
      return baryonShape;
    } else if (element instanceof Input.Tetraquark k) {
      return shared(packing(k.colour()).stripShape(nodeShape.precision()));
    } else if (element instanceof ExecutionQueue.PairMatrix matrix) {
      PairPacking packing = packing(matrix.columns());
      return shared(
          matrix.isProduct()
              ? packing.productShape(nodeShape.precision())
              : packing.matrixShape(matrix.rows().pairs(eigenvectors), nodeShape.precision()));
    } else if (element instanceof Input.Sites s) {
      int numbers = s.momentum() != null ? s.sites() : 3 * s.sites() * eigenvectors;
      return new TensorShape(1, 1, numbers, nodeShape.precision());
    } else if (element instanceof ExecutionQueue.SiteMatrix m) {
      TensorShape shape =
          m.half()
              ? new TensorShape(m.components(), 1, m.rows() * eigenvectors)
              : new TensorShape(m.components(), 2, m.rows());
      return shape.in(nodeShape.precision());
    } else if (element instanceof ExecutionQueue.PairBlocks blocks) {
      return PairContraction.blockShape(eigenvectors, blocks.components())
          .in(nodeShape.precision());
    }
    return nodeShape;
  }

  /** An equal shape that was asked for before: slots know their shapes by identity. */
  private TensorShape shared(TensorShape shape) {
    return pairShapes.computeIfAbsent(shape, key -> shape);
  }

  /**
   * How the pairs of a colour are packed; strips of both colours have as many rows where there is a
   * matrix from pairs of one to pairs of the other.
   */
  private PairPacking packing(PairColour colour) {
    boolean symmetric = colour.sign() > 0;
    return mixesColours
        ? new PairPacking(eigenvectors, symmetric, PairPacking.of(eigenvectors, true).rows())
        : PairPacking.of(eigenvectors, symmetric);
  }

  private void add(ExecutionQueue.Vector vector) {
    List<Contraction> contractions = new ArrayList<>();
    List<Copying> copies = new ArrayList<>();
    List<TraceTile> traces = new ArrayList<>();
    List<PairParts> pairs = new ArrayList<>();
    long contractionFlops = 0;
    List<SpinSum> spinSums = new ArrayList<>();
    List<LoneStep> lone = new ArrayList<>();
    boolean building = false;
    for (ExecutionQueue.Step step : vector.steps()) {
      double stepFlops = ElementSizes.flops(queueElements, step, eigenvectors);
      flops += stepFlops;
      if (step instanceof ExecutionQueue.Build build) {
        building = true;
        contractionFlops = Math.round(stepFlops);
        builds++;
        contractions.add(
            new Contraction(
                elements[build.elemental()],
                elements[build.perambulator()],
                elements[build.destination()],
                forms.build(build.destination()),
                Complex.ONE,
                false));
      } else if (step instanceof Multiply multiply) {
        products++;
        contractionFlops = Math.round(stepFlops);
        Factor left = forms.beforeLeft(multiply);
        Factor inner = forms.beforeRight(multiply);
        contractions.add(
            new Contraction(
                elements[multiply.left()],
                right(multiply, copies),
                elements[multiply.destination()],
                SpinMappings.product(left.mask(), inner.mask()),
                multiply.coefficient().times(left.phase()).times(inner.phase()),
                multiply.accumulate()));
      } else if (step instanceof ExecutionQueue.Attach attach) {
        products++;
        contractionFlops = Math.round(stepFlops);
        contractions.add(
            new Contraction(
                elements[attach.left()],
                elements[attach.elemental()],
                elements[attach.destination()],
                SpinMappings.attach(attach.leftGamma(), attach.innerGamma()),
                attach
                    .coefficient()
                    .times(SpinMappings.phase(attach.leftGamma(), attach.innerGamma())),
                attach.accumulate()));
      } else if (step instanceof ExecutionQueue.Traces block) {
        cut(block, traces);
      } else if (step instanceof ExecutionQueue.BoundPairs blocks) {
        products++;
        PairParts made = pairsOf(blocks.destination()).parts(e -> elements[e], eigenvectors);
        pairs.add(made);
        int[] parts = new int[1];
        made.forEach((branch, inputs, outputs, work) -> parts[0]++);
        // The parts share the work; which part does how much is not known here.
        long partFlops = Math.round(stepFlops / Math.max(1, parts[0]));
        made.forEach(
            (branch, inputs, outputs, work) ->
                accesses.step(inputs, outputs).work(StepKind.PAIR, partFlops).endVector());
      } else if (step instanceof ExecutionQueue.SpinSum sum) {
        SpinSum made = spinSum(sum);
        spinSums.add(made);
        accesses
            .step(new int[] {made.block()}, new int[] {made.destination()})
            .work(StepKind.SUM, 0)
            .endVector();
      } else {
        List<LoneStep> alone = lone(step);
        for (LoneStep one : alone) {
          if (!lone.isEmpty() && !lone.get(lone.size() - 1).joins(one)) {
            accesses.endVector();
          }
          lone.add(one);
          accesses
              .step(
                  one.inputs().stream().mapToInt(Integer::intValue).toArray(),
                  one.outputs().stream().mapToInt(Integer::intValue).toArray())
              .work(one.kind(), Math.round(stepFlops / alone.size()));
        }
      }
    }
    for (Copying copy : copies) {
      accesses
          .step(new int[] {copy.from()}, new int[] {copy.to()})
          .work(StepKind.SUM, 8L * eigenvectors * eigenvectors * copy.mapping().size())
          .repeatable();
    }
    for (Contraction contraction : contractions) {
      accesses
          .step(
              new int[] {contraction.left(), contraction.right()},
              new int[] {contraction.destination()})
          .work(StepKind.PRODUCT, contractionFlops)
          .repeatable();
    }
    for (TraceTile tile : traces) {
      int[] inputs = new int[tile.lefts().size() + tile.rights().size()];
      tile.inputs(inputs);
      mostInputs = Math.max(mostInputs, inputs.length);
      long products = (long) tile.lefts().size() * Math.max(1, tile.rights().size());
      accesses
          .step(inputs, new int[0])
          .work(
              StepKind.TRACE,
              Math.round(8.0 * products * tile.mapping().size() * tile.extent() * tile.extent()));
    }
    batches.add(
        new Batch(
            building,
            List.copyOf(copies),
            List.copyOf(contractions),
            List.copyOf(traces),
            List.copyOf(pairs),
            List.copyOf(spinSums),
            List.copyOf(lone)));
  }

  private List<LoneStep> lone(ExecutionQueue.Step step) {
    int to = elements[step.destination()];
    List<Integer> in = new ArrayList<>();
    step.forEachInput(input -> in.add(elements[input]));
    if (step instanceof ExecutionQueue.SiteProduct product) {
      products++;
      boolean leftIsVectors = queueElements.get(product.left()) instanceof Input.Sites;
      LoneStep.Product one =
          new LoneStep.Product(
              ExecutionQueue.SiteProduct.size(product.rows(), eigenvectors),
              ExecutionQueue.SiteProduct.size(product.columns(), eigenvectors),
              ExecutionQueue.SiteProduct.size(product.inner(), eigenvectors),
              leftIsVectors ? SpinMappings.build() : SpinMappings.attach(0, 0),
              false);
      return List.of(LoneStep.of(one, in.get(0), in.get(1), to));
    } else if (queueElements.get(step.destination()) instanceof ExecutionQueue.SiteMatrix m) {
      return List.of(siteStep(step, m, in, to));
    } else if (step instanceof ExecutionQueue.PairProduct product) {
      return products(product);
    } else if (step instanceof ExecutionQueue.LegProduct product) {
      return legs(product);
    } else if (step instanceof ExecutionQueue.FormPairs form) {
      PairPacking rows = packing(form.rows());
      int scratch = scratch(rows, PairPacking.FORM_HALVES);
      return List.of(LoneStep.of(form, in, to, scratch, rows, packing(form.columns())));
    } else if (step instanceof ExecutionQueue.ClosePair close) {
      products++;
      PairPacking packing = packing(close.colour());
      int scratch = scratch(packing, PairPacking.CLOSE_HALVES);
      List<Integer> tetraquark = parts.get(close.tetraquark());
      return List.of(LoneStep.close(tetraquark, elements[close.line()], to, scratch, packing));
    }
    ExecutionQueue.OpenVertex vertex = (ExecutionQueue.OpenVertex) step;
    return List.of(LoneStep.of(vertex, elements[vertex.block()], to, eigenvectors));
  }

  /** An element of memory for intermediate results of one step. */
  private int scratch(PairPacking packing, int halves) {
    return slots.next(shared(packing.scratchShape(halves, nodeShape.precision())), false);
  }

  /** The strips of a tetraquark times a matrix of pairs. */
  private List<LoneStep> products(ExecutionQueue.PairProduct product) {
    products++;
    PairPacking packing = packing(product.rows());
    int rows = packing.rows();
    LoneStep.Product strip =
        new LoneStep.Product(
            rows,
            rows,
            packing.pairs(),
            BatchSpinMapping.leftScalar(packing(product.columns()).strips()),
            false);
    List<Integer> left = parts.get(product.left());
    List<Integer> to = parts.get(product.destination());
    int right = elements[product.right()];
    return IntStream.range(0, packing.strips())
        .mapToObj(k -> LoneStep.of(strip, left.get(k), right, to.get(k)))
        .toList();
  }

  /** The strips of a tetraquark times two lines, one after the other. */
  private List<LoneStep> legs(ExecutionQueue.LegProduct product) {
    products++;
    ExecutionQueue.FormPairs lines = product.lines();
    PairPacking packing = packing(lines.rows());
    int n = eigenvectors;
    int rows = packing.rows();
    int second = elements[lines.second()];
    LinePairSum sum = LoneStep.lines(lines.diquark(), lines.antidiquark());
    IntFunction<TensorShape> shape = element -> slots.shapes().get(element);
    int turned = slots.next(nodeShape, false);
    int unfolded = matrices(rows);
    int sums = matrices(rows);
    // Rows of K that are with a line as large as a strip.
    long most = (long) rows * packing.pairs() / ((long) sum.size() * n * n);
    int together = (int) Math.max(1, Math.min(rows, most));
    int half = matrices(together * sum.size());
    int lastHalf = rows % together == 0 ? half : matrices(rows % together * sum.size());
    List<LoneStep> both = new ArrayList<>();
    for (int begin = 0; begin < rows; begin += together) {
      int some = Math.min(together, rows - begin);
      int to = some == together ? half : lastHalf;
      BatchSpinMapping outer = PairLegs.mapping(sum, rows, begin, some, true);
      BatchSpinMapping inner = PairLegs.mapping(sum, rows, begin, some, false);
      both.add(LoneStep.of(new LoneStep.Product(n, n, n, outer, false), unfolded, second, to));
      both.add(LoneStep.of(new LoneStep.Product(n, n, n, inner, begin > 0), turned, to, sums));
    }
    List<LoneStep> made = new ArrayList<>();
    List<Integer> first = List.of(elements[lines.first()]);
    made.add(LoneStep.onHost(nodeShape.spins(), PairLegs.turn(n), first, turned, shape, n, n));
    RowWork unfold = PairLegs.unfold(packing);
    RowWork fold = PairLegs.fold(packing(lines.columns()));
    for (int k = 0; k < packing.strips(); k++) {
      List<Integer> strip = List.of(parts.get(product.tetraquark()).get(k));
      int to = parts.get(product.destination()).get(k);
      made.add(LoneStep.onHost(rows, unfold, strip, unfolded, shape, packing.pairs(), n));
      made.addAll(both);
      made.add(LoneStep.onHost(rows, fold, List.of(sums), to, shape, n, rows));
    }
    return made;
  }

  /** An element of memory for N × N matrices. */
  private int matrices(int count) {
    TensorShape shape = new TensorShape(count, 2, eigenvectors, nodeShape.precision());
    return slots.next(shared(shape), false);
  }

  private LoneStep siteStep(
      ExecutionQueue.Step step, ExecutionQueue.SiteMatrix made, List<Integer> in, int to) {
    int n = made.sites();
    int width = made.rows();
    IntFunction<TensorShape> shape = element -> slots.shapes().get(element);
    if (step instanceof ExecutionQueue.FormPairs form) {
      RowWork work =
          SiteMatrices.form(
              n, LoneStep.lines(form.diquark(), form.antidiquark()), form.rows(), form.columns());
      return LoneStep.onHost(n, work, in, to, shape, width, width, width);
    } else if (step instanceof ExecutionQueue.PairProduct) {
      RowWork work = SiteMatrices.scale(n, made.components());
      return LoneStep.onHost(n, work, in, to, shape, n, width, width);
    }
    int sign = ((ExecutionQueue.ClosePair) step).colour().sign();
    RowWork work = SiteMatrices.close(n, eigenvectors, sign);
    int columns = eigenvectors;
    return LoneStep.onHost(n, work, in, to, shape, n, columns, columns, columns, columns);
  }

  /** The right factor of a product, or its copy, which is made before the first product with it. */
  private int right(Multiply product, List<Copying> made) {
    int right = elements[product.right()];
    if (!forms.isCopied(product.right(), product.innerGamma())) {
      return right;
    }
    return copies.computeIfAbsent(
        new Copy(product.right(), product.innerGamma()),
        copy -> {
          int to = slots.next(nodeShape, false);
          made.add(new Copying(right, to, forms.copy(copy)));
          return to;
        });
  }

  private SpinSum spinSum(ExecutionQueue.SpinSum step) {
    PreparedPairs.Block block = pairsOf(step.block()).block(step.firstComponent());
    return new SpinSum(
        block.element(),
        elements[step.destination()],
        new BaryonSpin.Sum(step.terms(), block.components(), step.spins(), step.symmetric()));
  }

  /** The pair blocks that an element of the queue stands for. */
  private PreparedPairs pairsOf(int set) {
    return Objects.requireNonNull(pairs.get(set));
  }

  /*
   * The elements of a tile are kept with the same matrix. A tile of l lefts and r rights needs room for l + r nodes. Lefts stay while rights change, so most of the room goes to the lefts.
   */
  private void cut(ExecutionQueue.Traces block, List<TraceTile> tiles) {
    ExecutionQueue.Element first = queueElements.get(block.lefts().get(0));
    List<Integer> allLefts = all(block.lefts().size());
    List<Integer> allRights = all(block.rights().size());
    if (first instanceof ExecutionQueue.PairMatrix) {
      // A strip of rows of the left meets the same columns of the right.
      int columns = shape(first).spins();
      for (int row = 0; row < strips(first); row++) {
        for (int column = 0; column < columns; column++) {
          SpinTraceMapping one =
              new SpinTraceMapping(new int[] {column}, new int[] {row}, new double[] {1});
          TraceForm form = new TraceForm(one, Complex.ONE, row, column);
          cut(block, allLefts, allRights, form, tiles);
        }
      }
      return;
    }
    if (ExecutionQueue.isPairs(first)) {
      // Of a matrix from six pairs of colours to six, the groups of rows and columns are exchanged.
      int[] left = IntStream.range(0, shape(first).spins()).toArray();
      int[] right = left.length < 4 ? left : new int[] {0, 2, 1, 3};
      double[] factors = new double[left.length];
      Arrays.fill(factors, 1);
      SpinTraceMapping one = new SpinTraceMapping(left, right, factors);
      cut(block, allLefts, allRights, new TraceForm(one, Complex.ONE, 0, 0), tiles);
      return;
    }
    if (first instanceof Input.Elemental) {
      // Γ_I goes past an elemental without spin.
      Gamma gamma = new Gamma(block.leftGamma(), 1).times(new Gamma(block.innerGamma(), 1));
      TraceForm form =
          new TraceForm(
              SpinMappings.elementalTrace(gamma.mask()),
              SpinMappings.phase(gamma.mask()).times(gamma.sign()),
              0,
              0);
      cut(block, allLefts, allRights, form, tiles);
      return;
    }
    for (Map.Entry<Integer, List<Integer>> lefts : byForm(block.lefts()).entrySet()) {
      Factor left = NodeForms.before(block.leftGamma(), lefts.getKey());
      if (block.rights().isEmpty()) {
        SpinTraceMapping mapping = SpinMappings.trace(left.mask());
        cut(block, lefts.getValue(), List.of(), new TraceForm(mapping, left.phase(), 0, 0), tiles);
      }
      for (Map.Entry<Integer, List<Integer>> rights : byForm(block.rights()).entrySet()) {
        Factor inner = NodeForms.before(block.innerGamma(), rights.getKey());
        SpinTraceMapping mapping = SpinMappings.trace(left.mask(), inner.mask());
        Complex phase = left.phase().times(inner.phase());
        cut(block, lefts.getValue(), rights.getValue(), new TraceForm(mapping, phase, 0, 0), tiles);
      }
    }
  }

  /** The places in a list of the elements that are kept with the same matrix. */
  private Map<Integer, List<Integer>> byForm(List<Integer> queueElements) {
    if (queueElements.isEmpty()) {
      return Map.of();
    }
    int first = forms.mask(queueElements.get(0));
    int same = 1;
    while (same < queueElements.size() && forms.mask(queueElements.get(same)) == first) {
      same++;
    }
    if (same == queueElements.size()) {
      return Map.of(first, all(same));
    }
    Map<Integer, List<Integer>> places = new TreeMap<>();
    for (int k = 0; k < queueElements.size(); k++) {
      places.computeIfAbsent(forms.mask(queueElements.get(k)), mask -> new ArrayList<>()).add(k);
    }
    return places;
  }

  private static List<Integer> all(int size) {
    Integer[] places = new Integer[size];
    Arrays.setAll(places, place -> place);
    return Arrays.asList(places);
  }

  private void cut(
      ExecutionQueue.Traces block,
      List<Integer> lefts,
      List<Integer> rights,
      TraceForm form,
      List<TraceTile> tiles) {
    ExecutionQueue.Element first = queueElements.get(block.lefts().get(0));
    TensorShape shape = ExecutionQueue.isPairs(first) ? shape(first) : nodeShape;
    long fit = budgetBytes / shape.bytes();
    int tileRights = (int) Math.min(rights.size(), Math.max(1, fit / 4));
    int tileLefts = (int) Math.min(lefts.size(), Math.max(1, fit - tileRights));
    tileRights = (int) Math.min(rights.size(), Math.max(1, fit - tileLefts));
    for (int l0 = 0; l0 < lefts.size(); l0 += tileLefts) {
      List<Integer> l = lefts.subList(l0, Math.min(lefts.size(), l0 + tileLefts));
      for (int r0 = 0; r0 < Math.max(1, rights.size()); r0 += Math.max(1, tileRights)) {
        List<Integer> r = rights.subList(r0, Math.min(rights.size(), r0 + tileRights));
        tiles.add(
            new TraceTile(
                elements(block.lefts(), l, form.leftStrip()),
                elements(block.rights(), r, form.rightStrip()),
                form.mapping(),
                first instanceof ExecutionQueue.PairMatrix m
                    ? packing(m.columns()).rows()
                    : shape.extent(),
                rawResults));
        for (int left : l) {
          if (r.isEmpty()) {
            addRaw(block.firstTrace() + left, form.phase());
          }
          for (int right : r) {
            addRaw(block.firstTrace() + left * block.rights().size() + right, form.phase());
          }
        }
      }
    }
  }

  private List<Integer> elements(List<Integer> queueElements, List<Integer> places, int strip) {
    Integer[] list = new Integer[places.size()];
    for (int k = 0; k < list.length; k++) {
      list[k] = parts.get(queueElements.get(places.get(k))).get(strip);
    }
    return List.of(list);
  }

  private void addRaw(int trace, Complex phase) {
    if (rawResults == traceOfRaw.length) {
      traceOfRaw = Arrays.copyOf(traceOfRaw, 2 * rawResults);
      phaseOfRaw = Arrays.copyOf(phaseOfRaw, 2 * rawResults);
    }
    traceOfRaw[rawResults] = trace;
    phaseOfRaw[rawResults++] = phase;
  }
}
