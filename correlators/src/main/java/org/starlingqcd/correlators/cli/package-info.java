/**
 * The command line: one class for each command, the options and the settings file, exit statuses
 * and error messages. Only this package reads arguments and prints; the computation is in the other
 * packages.
 */
package org.starlingqcd.correlators.cli;
