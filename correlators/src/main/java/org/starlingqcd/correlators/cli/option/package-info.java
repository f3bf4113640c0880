/** Groups and values of options that settings and commands share, and their order in help. */
/**
 * Options that several commands share, the settings file that may hold them, their order in help,
 * and messages about wrong ones. What a command does with its options does not belong here.
 */
package org.starlingqcd.correlators.cli.option;
