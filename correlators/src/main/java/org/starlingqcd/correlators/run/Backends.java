package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.natives.NativeLibraries;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.StderrLoggers;
import org.starlingqcd.hadron.text.Suggestion;
import org.starlingqcd.hadron.yaml.YamlDocument;

/**
 * The backends on the class path, found through {@link ServiceLoader}. A backend that does not load
 * is reported in the log and left out.
 */
public final class Backends {
  /** The name that takes the backend of highest priority that works. */
  public static final String AUTO = "auto";

  /** What {@link #AUTO} says where no GPU works; the reasons fill a paragraph. */
  static final String WITHOUT_GPU =
      "computing on the CPU; `starling backends` says why no GPU is used";

  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);
  private static final Logger NOTICES = LoggerFactory.getLogger(StderrLoggers.NOTICES);

  /** What was said already: a run asks for its backend more than once. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  /** Looked for once: a run asks half a dozen times. */
  private static final class All {
    static final List<BackendProvider> FOUND = find();
  }

  private Backends() {}

  /** All backends, those that {@code auto} tries first in front. */
  public static List<BackendProvider> all() {
    return All.FOUND;
  }

  /** Loads libraries that every run needs. What fails is told when they are needed. */
  public static void loadAhead() {
    try {
      NativeLibraries.load("hdf5");
      NativeLibraries.load("openblas_nolapack");
      all();
      // Definitions are YAML texts, and the first one takes long.
      YamlDocument.parse("{}");
    } catch (RuntimeException | LinkageError later) {
      LOG.debug("libraries do not load: {}", later.toString());
    }
  }

  private static List<BackendProvider> find() {
    List<BackendProvider> found = new ArrayList<>();
    Iterator<BackendProvider> iterator = ServiceLoader.load(BackendProvider.class).iterator();
    while (true) {
      try {
        if (!iterator.hasNext()) {
          break;
        }
        found.add(iterator.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        LOG.warn("a backend does not load and is left out: {}", e.toString());
      }
    }
    found.sort(
        (a, b) ->
            a.priority() == b.priority()
                ? a.name().compareTo(b.name())
                : Integer.compare(b.priority(), a.priority()));
    return List.copyOf(found);
  }

  /** What {@code --backend} takes: {@link #AUTO}, then the names of all backends. */
  public static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(all()).iterator();
    }
  }

  private static List<String> names(List<BackendProvider> backends) {
    return Stream.concat(Stream.of(AUTO), backends.stream().map(BackendProvider::name).sorted())
        .toList();
  }

  /**
   * The rates of this machine that a calibration measured earlier, of the first backend that has
   * some; null if none has.
   *
   * @throws BackendSettingException when a setting of the user's is wrong
   */
  public static @Nullable MeasuredRates rates() {
    return all().stream().flatMap(provider -> rates(provider).stream()).findFirst().orElse(null);
  }

  private static Optional<MeasuredRates> rates(BackendProvider provider) {
    try {
      return provider.rates();
    } catch (BackendException e) {
      LOG.debug("{} has no rates: {}", provider.name(), e.toString());
      return Optional.empty();
    }
  }

  /**
   * The backend with this name, or for {@link #AUTO} the first that works, on its device of this
   * number; no other device is touched. Where that is the CPU because no GPU works, a notice says
   * so once.
   *
   * @throws InputException when there is none of that name, or it does not work here, with the
   *     reason
   */
  public static BackendProvider select(String name, int device) {
    return select(name, device, all());
  }

  static BackendProvider select(String name, int device, List<BackendProvider> all) {
    return select(name, provider -> provider.probe(device), all);
  }

  /**
   * The usable devices of the backend with this name, or for {@link #AUTO} of the first that works.
   */
  static List<DeviceInfo> devices(String name) {
    return select(name, BackendProvider::probe, all()).probe().devices();
  }

  private static BackendProvider select(
      String name, Function<BackendProvider, Availability> probe, List<BackendProvider> all) {
    List<String> reasons = new ArrayList<>();
    for (BackendProvider provider : named(name, all)) {
      Availability availability = probe.apply(provider);
      if (availability.isPresent()) {
        if (provider.priority() == 0 && !reasons.isEmpty() && TOLD.add(provider.name())) {
          NOTICES.info("{}", WITHOUT_GPU);
        }
        return provider;
      }
      reasons.add(provider.name() + ": " + availability.reason());
    }
    throw InputException.of(
        "backend '%s' does not work on this machine (%s); `starling backends` lists what is there",
        name, reasons.isEmpty() ? "no backend is installed" : String.join("; ", reasons));
  }

  /**
   * The backends that a name may mean, whether they work here or not.
   *
   * @throws InputException when there is none of that name
   */
  static List<BackendProvider> named(String name, List<BackendProvider> all) {
    if (name.equals(AUTO)) {
      return all;
    }
    for (BackendProvider provider : all) {
      if (name.equals(provider.name())) {
        return List.of(provider);
      }
    }
    if (all.isEmpty()) {
      return all;
    }
    List<String> names = names(all);
    throw InputException.of(
        "no backend is called '%s'; there are: %s%s",
        name,
        String.join(", ", names),
        // Whoever asks for a GPU does not mean the CPU, however close the words.
        name.equalsIgnoreCase("gpu") ? "" : Suggestion.text(name, names));
  }
}
