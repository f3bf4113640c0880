/** XML in files of data. Files are not trusted: document types and entities are refused. */
package org.starlingqcd.hadron.xml;
