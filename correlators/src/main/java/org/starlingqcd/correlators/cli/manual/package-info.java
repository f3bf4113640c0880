/** Manual pages and the completion of the shell, made from the commands' own help. */
package org.starlingqcd.correlators.cli.manual;
