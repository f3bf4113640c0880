/** Contractions of pairs of quark lines between baryons on the CPU. */
package org.starlingqcd.backend.cpu.baryon;
