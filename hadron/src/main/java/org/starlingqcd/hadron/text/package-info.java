/** Text of files and users as it is shown to people: what must be escaped, and what is quoted. */
package org.starlingqcd.hadron.text;
