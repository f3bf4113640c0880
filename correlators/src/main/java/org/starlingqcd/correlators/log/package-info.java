/**
 * Where messages that are logged go: to standard error, from the level of warnings on. Depends on
 * no other package of this module.
 */
@org.jspecify.annotations.NullMarked
package org.starlingqcd.correlators.log;
