/**
 * The command line: one class for each command, exit statuses, error messages. What a command
 * computes lives in the other packages; only this one reads arguments and prints.
 */
package org.starlingqcd.correlators.cli;
