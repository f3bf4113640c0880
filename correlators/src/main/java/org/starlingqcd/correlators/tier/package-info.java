/** Fast and slow memory as a user asks for them, and what a device makes of that. */
package org.starlingqcd.correlators.tier;
