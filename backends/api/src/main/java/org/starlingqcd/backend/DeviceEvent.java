package org.starlingqcd.backend;

/** A mark in a stream, reached when everything put into the stream before it has run. */
public interface DeviceEvent {}
