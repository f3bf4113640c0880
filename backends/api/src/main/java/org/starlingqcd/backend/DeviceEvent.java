package org.starlingqcd.backend;

/** A mark in a stream. It is reached when all work put into the stream before it has run. */
public interface DeviceEvent {}
