/**
 * What every device must do, as checks against naive sums on the host. They are run as the tests of
 * each backend and by {@code starling gpu-check} on a user's device.
 */
package org.starlingqcd.backend.contract;
