package org.starlingqcd.correlators.cli;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Range;
import picocli.CommandLine.ScopeType;

/**
 * Picocli's model of a command, from copies of its annotations that the build puts into classes of
 * their own ({@code DirectCalls.java}). Reading the annotations themselves takes Java a tenth of a
 * short run, because it makes a class for each type of annotation. Where there are no copies,
 * picocli reads them.
 */
final class PreparedSpec {
  private static final IFactory FACTORY = CommandLine.defaultFactory();

  private PreparedSpec() {}

  /** The model of an object with picocli's annotations. */
  static CommandSpec of(Object user) {
    return of(user, null);
  }

  private static CommandSpec of(Object user, @Nullable CommandSpec mixee) {
    Deque<Object[]> hierarchy = new ArrayDeque<>();
    for (Class<?> type = user.getClass(); type != Object.class; type = type.getSuperclass()) {
      Object[] members = members(type);
      if (members == null) {
        return CommandSpec.forAnnotatedObject(user);
      }
      hierarchy.push(members);
    }
    CommandSpec spec = CommandSpec.wrapWithoutInspection(user);
    try {
      for (Object[] members : hierarchy) {
        for (Object member : members) {
          add(spec, (Object[]) member, mixee == null ? spec : mixee);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(user.getClass() + ": " + e.getMessage(), e);
    }
    return spec;
  }

  private static Object @Nullable [] members(Class<?> type) {
    try {
      Class<?> members = Class.forName(type.getName() + "$Members");
      return (Object[]) ((Supplier<?>) members.getConstructor().newInstance()).get();
    } catch (ReflectiveOperationException noCopies) {
      return null;
    }
  }

  /**
   * Adds what one annotation says.
   *
   * @param member the name of the field, or null for the class; the annotation; the names of
   *     attributes, each with its value
   * @param mixee what the object is mixed into; of a command the command itself
   */
  private static void add(CommandSpec spec, Object[] member, CommandSpec mixee) throws Exception {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (int k = 2; k < member.length; k += 2) {
      attributes.put((String) member[k], member[k + 1]);
    }
    if (member[0] == null) {
      for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
        addToCommand(spec, attribute.getKey(), attribute.getValue());
      }
      return;
    }
    Binding field = new Binding(spec.userObject(), (String) member[0]);
    switch ((String) member[1]) {
      case "Option" -> spec.addOption(option(field, attributes));
      case "Parameters" -> spec.addPositional(positional(field, attributes));
      case "Mixin" -> {
        String name = (String) attributes.getOrDefault("name", member[0]);
        spec.addMixin(name, of(field.get(), spec));
      }
      case "Spec" -> field.set(attributes.isEmpty() ? spec : mixee);
      default -> throw new IllegalStateException("no copies are made of " + member[1]);
    }
  }

  private static void addToCommand(CommandSpec spec, String name, Object value) throws Exception {
    UsageMessageSpec usage = spec.usageMessage();
    switch (name) {
      case "name" -> spec.name((String) value);
      case "scope" -> spec.scopeType(ScopeType.valueOf((String) value));
      case "versionProvider" ->
          spec.versionProvider((IVersionProvider) FACTORY.create((Class<?>) value));
      case "description" -> usage.description((String[]) value);
      case "synopsisSubcommandLabel" -> usage.synopsisSubcommandLabel((String) value);
      case "usageHelpAutoWidth" -> usage.autoWidth((Boolean) value);
      case "sortOptions" -> usage.sortOptions((Boolean) value);
      case "exitCodeListHeading" -> usage.exitCodeListHeading((String) value);
      case "exitCodeList" -> usage.exitCodeList(UsageMessageSpec.keyValuesMap((String[]) value));
      case "addMethodSubcommands" -> {}
      default -> throw new IllegalStateException("no copies are made of " + name);
    }
  }

  private static OptionSpec option(Binding field, Map<String, Object> attributes) throws Exception {
    OptionSpec.Builder option = OptionSpec.builder((String[]) attributes.remove("names"));
    option.userObject(field.field()).getter(field).setter(field);
    option.paramLabel("<" + field.field().getName() + ">");
    option.type(field.type()).auxiliaryTypes(field.elements()).initialValue(field.get());
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      Object value = attribute.getValue();
      switch (attribute.getKey()) {
        case "paramLabel" -> option.paramLabel((String) value);
        case "description" -> option.description((String[]) value);
        case "arity" -> option.arity((String) value);
        case "split" -> option.splitRegex((String) value);
        case "required" -> option.required((Boolean) value);
        case "hideParamSyntax" -> option.hideParamSyntax((Boolean) value);
        case "defaultValue" -> option.defaultValue((String) value);
        case "fallbackValue" -> option.fallbackValue((String) value);
        case "scope" -> option.scopeType(ScopeType.valueOf((String) value));
        case "help" -> option.help((Boolean) value);
        case "usageHelp" -> option.usageHelp((Boolean) value);
        case "versionHelp" -> option.versionHelp((Boolean) value);
        case "completionCandidates" -> option.completionCandidates(made(value));
        case "preprocessor" -> option.preprocessor(made(value));
        case "converter" -> option.converters(PreparedSpec.<ITypeConverter<?>>made(value));
        default -> throw new IllegalStateException("no copies are made of " + attribute.getKey());
      }
    }
    return option.build();
  }

  private static PositionalParamSpec positional(Binding field, Map<String, Object> attributes)
      throws Exception {
    PositionalParamSpec.Builder positional = PositionalParamSpec.builder();
    positional.userObject(field.field()).getter(field).setter(field);
    positional.type(field.type()).auxiliaryTypes(field.elements()).initialValue(field.get());
    positional.required(true);
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      Object value = attribute.getValue();
      switch (attribute.getKey()) {
        case "paramLabel" -> positional.paramLabel((String) value);
        case "description" -> positional.description((String[]) value);
        case "arity" ->
            positional.arity((String) value).required(Range.valueOf((String) value).min() > 0);
        case "split" -> positional.splitRegex((String) value);
        case "hideParamSyntax" -> positional.hideParamSyntax((Boolean) value);
        case "index" -> positional.index((String) value);
        case "completionCandidates" -> positional.completionCandidates(made(value));
        default -> throw new IllegalStateException("no copies are made of " + attribute.getKey());
      }
    }
    return positional.build();
  }

  /** An object of a class, or of the first of some. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T made(Object type) throws Exception {
    Class<?> one = type instanceof Class<?>[] types ? types[0] : (Class<?>) type;
    return (T) FACTORY.create(one);
  }

  /** A field of an object that an argument sets. */
  private record Binding(Object user, Field field) implements IGetter, ISetter {
    Binding(Object user, String name) throws ReflectiveOperationException {
      this(user, declared(user.getClass(), name));
      field.setAccessible(true);
    }

    private static Field declared(Class<?> type, String name) throws ReflectiveOperationException {
      try {
        return type.getDeclaredField(name);
      } catch (NoSuchFieldException e) {
        return declared(type.getSuperclass(), name);
      }
    }

    Class<?> type() {
      return field.getType();
    }

    /** The types of what a collection or a map has; of a single value its own. */
    Class<?>[] elements() {
      return field.getGenericType() instanceof ParameterizedType generic
          ? Arrays.stream(generic.getActualTypeArguments())
              .filter(Class.class::isInstance)
              .toArray(Class<?>[]::new)
          : new Class<?>[] {type()};
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    @Override
    public <T> T get() throws ReflectiveOperationException {
      return (T) field.get(user);
    }

    @Override
    public <T> T set(T value) throws ReflectiveOperationException {
      T before = get();
      field.set(user, value);
      return before;
    }
  }
}
