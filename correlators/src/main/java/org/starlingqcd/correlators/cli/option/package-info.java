/**
 * Options that several commands share, the settings file that may hold them, and their order in
 * help. What a command does with its options does not belong here.
 */
package org.starlingqcd.correlators.cli.option;
