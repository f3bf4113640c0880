/** In which precision elements are kept and multiplied. */
package org.starlingqcd.backend.precision;
