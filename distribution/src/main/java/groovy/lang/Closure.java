package groovy.lang;

/**
 * Nothing that a program uses. Picocli asks at every start whether Groovy is there, and Java would
 * open all jars to find that it is not, a fortieth of the processor time of a short run.
 */
public final class Closure {
  private Closure() {}
}
