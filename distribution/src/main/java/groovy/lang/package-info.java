/** A class that picocli looks for at every start. */
package groovy.lang;
