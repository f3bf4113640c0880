package org.starlingqcd.graph.plan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Writes records as text and reads them back: {@code (component component …)}, a list as {@code
 * [element element …]}. A component is a record, a list, a sealed interface of records (written
 * with the record's name before its components), an enum, a string (written with a leading {@code
 * =}), a number or a boolean. Floating-point numbers are hexadecimal, so that no digit is lost.
 */
final class RecordText {
  private final String[] tokens;
  private int at;

  private RecordText(String text) {
    tokens = text.split(" ", -1);
  }

  /** A record as text on one line. */
  static String of(Record value) {
    StringBuilder text = new StringBuilder();
    write(text, value, value.getClass());
    return text.substring(1);
  }

  /**
   * The record that a text stands for.
   *
   * @throws IllegalArgumentException if the text is not a record of this class
   * @throws IndexOutOfBoundsException if the text ends too early
   */
  static <T extends Record> T parse(String text, Class<T> type) {
    RecordText parser = new RecordText(text);
    T value = type.cast(parser.read(type));
    if (parser.at != parser.tokens.length) {
      throw new IllegalArgumentException("more than one " + type.getSimpleName());
    }
    return value;
  }

  /** Describes the components of a record class by name and type, recursively. */
  static String layout(Class<?> type) {
    StringBuilder text = new StringBuilder();
    List<Class<?>> seen = new ArrayList<>();
    layout(type, text, seen);
    return text.toString();
  }

  private static void layout(Type type, StringBuilder text, List<Class<?>> seen) {
    if (type instanceof ParameterizedType list) {
      layout(list.getActualTypeArguments()[0], text, seen);
      return;
    }
    Class<?> of = (Class<?>) type;
    if (seen.contains(of)) {
      return;
    }
    seen.add(of);
    if (of.isRecord()) {
      text.append(of.getSimpleName()).append(Arrays.toString(of.getRecordComponents()));
      for (RecordComponent component : of.getRecordComponents()) {
        layout(component.getGenericType(), text, seen);
      }
    } else if (of.isSealed()) {
      for (Class<?> permitted : of.getPermittedSubclasses()) {
        layout(permitted, text, seen);
      }
    }
  }

  private static void write(StringBuilder text, Object value, Type declared) {
    if (value instanceof Record) {
      text.append(" (");
      if (declared != value.getClass()) {
        text.append(' ').append(value.getClass().getSimpleName());
      }
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        write(text, component(value, component), component.getGenericType());
      }
      text.append(" )");
    } else if (value instanceof List<?> list && declared instanceof ParameterizedType type) {
      text.append(" [");
      for (Object element : list) {
        write(text, element, type.getActualTypeArguments()[0]);
      }
      text.append(" ]");
    } else if (value instanceof String string) {
      text.append(' ').append(quoted(string));
    } else if (value instanceof Double number) {
      text.append(' ').append(Double.toHexString(number));
    } else if (value instanceof Enum<?> constant) {
      text.append(' ').append(constant.name());
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(' ').append(value);
    } else {
      throw new IllegalArgumentException("cannot be written: " + declared);
    }
  }

  private static Object component(Object value, RecordComponent component) {
    try {
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }

  private String token() {
    return tokens[at++];
  }

  private void expect(String token) {
    String found = token();
    if (!found.equals(token)) {
      throw new IllegalArgumentException("expected " + token + ", found " + found);
    }
  }

  private Object read(Type type) {
    if (type instanceof ParameterizedType list) {
      return list(list.getActualTypeArguments()[0]);
    }
    Class<?> of = (Class<?>) type;
    if (of.isRecord()) {
      expect("(");
      return record(of);
    }
    if (of.isSealed()) {
      expect("(");
      String name = token();
      for (Class<?> permitted : of.getPermittedSubclasses()) {
        if (permitted.getSimpleName().equals(name)) {
          return record(permitted);
        }
      }
      throw new IllegalArgumentException("no " + of.getSimpleName() + ": " + name);
    }
    return scalar(of, token());
  }

  private List<Object> list(Type element) {
    expect("[");
    List<Object> list = new ArrayList<>();
    while (!tokens[at].equals("]")) {
      list.add(read(element));
    }
    at++;
    return list;
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int k = 0; k < components.length; k++) {
      types[k] = components[k].getType();
      values[k] = read(components[k].getGenericType());
    }
    expect(")");
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }

  private static Object scalar(Class<?> type, String token) {
    if (type == int.class || type == Integer.class) {
      return Integer.valueOf(token);
    }
    if (type == long.class) {
      return Long.valueOf(token);
    }
    if (type == double.class) {
      return Double.valueOf(token);
    }
    if (type == boolean.class) {
      return Boolean.valueOf(token);
    }
    if (type == String.class) {
      return unquoted(token);
    }
    for (Object constant : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
      if (((Enum<?>) constant).name().equals(token)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("no " + type.getSimpleName() + ": " + token);
  }

  /** A name without blanks: {@code =}, then everything but letters, digits, _ and - as %xxxx. */
  static String quoted(String name) {
    StringBuilder text = new StringBuilder("=");
    for (int k = 0; k < name.length(); k++) {
      char c = name.charAt(k);
      if (c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '-')) {
        text.append(c);
      } else {
        text.append(String.format(Locale.ROOT, "%%%04x", (int) c));
      }
    }
    return text.toString();
  }

  static String unquoted(String text) {
    StringBuilder name = new StringBuilder();
    for (int k = 1; k < text.length(); k++) {
      if (text.charAt(k) == '%') {
        name.append((char) Integer.parseInt(text.substring(k + 1, k + 5), 16));
        k += 4;
      } else {
        name.append(text.charAt(k));
      }
    }
    return name.toString();
  }
}
