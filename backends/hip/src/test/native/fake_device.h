/*
 * A device on the host that minds what a GPU would not: every access must lie in a live allocation,
 * work in different streams must not touch the same numbers unless an event or the host orders it,
 * products of one batch must not write into each other, everything must be given back.
 *
 * Device addresses are reserved and unreadable; the numbers live in a shadow. Work runs on a thread
 * of its own, later, from a stream chosen at random among those that can go on and after a random
 * delay if wanted, so that what is not ordered does run out of order.
 *
 * New memory holds NaN, counts in units of 2 MiB, and no address is handed out twice. Memory must not
 * be freed before the host has waited for the work on it. Page-locked memory is mapped twice: while
 * the host has not waited for a copy, its own mapping can only be read, or not at all where the
 * device writes. Memory of many GiB takes RAM only where it is written.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "hip_api.h"

namespace fake {

/* Whether this is the device of CUDA or of HIP. */
extern const bool CUDA;

/* For each stream number: how much of that stream's work has run before. */
using Clock = std::map<int, uint64_t>;

struct Access {
  uint64_t from, to;
  int stream;
  uint64_t number;
  bool write;
};

struct Allocation {
  uint64_t base, bytes;
  char *shadow;
  bool onDevice, freed;
  bool mapped; /* host memory that kernels may use */
  bool managed; /* moves: it may be more than the device has */
  int device;
  std::map<uint64_t, std::multimap<uint64_t, Access>> accesses; /* by the power of two that bounds their length, then by their begin */
};

struct Range {
  uint64_t from, to;
  bool write;
};

/* Page-locked memory of a copy that the host has not waited for. */
struct Hold {
  Allocation *allocation;
  uint64_t from, to;
  bool write; /* by the device */
  int stream;
  uint64_t number;
};

struct Event {
  uint64_t recorded = 0; /* number of the latest record */
  uint64_t reached = 0;  /* number of the latest record that has run */
  Clock clock;
  bool timed = false;
  std::chrono::steady_clock::time_point time; /* when the latest record ran */
};

/* What an operation touches, gathered when it runs and checked before it computes. */
class Touch {
 public:
  /* Shadow address of a range, checked to lie in one live allocation; null and a report if not. */
  char *device(const void *address, uint64_t bytes, bool write);
  char *host(const void *address, uint64_t bytes, bool write);
  /* As device(), for columns of a matrix of numbers of `size` bytes: only the columns' own count as touched. */
  char *matrix(const void *address, int64_t rows, int64_t columns, int64_t leading, bool write,
               int64_t size = sizeof(starlingDoubleComplex));
  bool failed = false;

 private:
  friend class Device;
  Allocation *resolve(uint64_t from, uint64_t bytes);
  void add(Allocation *allocation, uint64_t from, uint64_t bytes, bool write);
  std::map<Allocation *, std::vector<Range>> ranges;
};

struct Operation {
  std::string name;
  /* Resolves and declares addresses under the lock; returns the computation. */
  std::function<std::function<void()>(Touch &)> prepare;
  std::shared_ptr<Event> wait;
  std::shared_ptr<Event> record;
  uint64_t eventRecord = 0; /* which record of the event is made or waited for */
  uint64_t number = 0;
  Clock clock;
};

struct Stream {
  int number;
  int device;
  uint64_t submitted = 0;
  Clock clock;
  std::deque<Operation> queue;
};

class Device {
 public:
  static Device &get();

  void reset(uint64_t bytes, int devices, uint64_t seed);
  /* Counts a call about a device, or the current one; a code other than 0 is what it must return. */
  int enter(const char *name, int device = -1);
  void failAt(int64_t call, int code, bool forEver);
  void failLater(int code);
  /* Before each operation the device waits for a random time below this one. */
  void delayWork(int64_t microseconds);
  /* From this call on the device is lost: every call while it is current returns a status. */
  void loseDevice(int device, int64_t call, int code);
  int64_t calls();
  std::string callName(int64_t call);
  /* Errors and leaks, one a line; empty when all is well. */
  std::string report();

  int devices();
  int current();
  int setCurrent(int device);
  void memory(size_t *freeBytes, size_t *total);
  int allocate(void **address, uint64_t bytes, bool onDevice, bool mapped = false,
               bool managed = false);
  /* Bytes of page-locked memory that there are, for tests of what happens when it runs out. */
  void limitPageLocked(uint64_t bytes);
  int release(void *address, bool onDevice);
  Stream *createStream();
  int destroyStream(Stream *stream);
  bool known(Stream *stream);
  int synchronize(Stream *stream);
  Event *createEvent(bool timed);
  /* Milliseconds between the latest records; an error unless both are timed and have run. */
  int elapsed(float *milliseconds, Event *first, Event *second);
  int destroyEvent(Event *event);
  int record(Event *event, Stream *stream);
  int wait(Stream *stream, Event *event);
  int query(Event *event);
  int synchronize(Event *event);
  int submit(Stream *stream, const char *name,
             std::function<std::function<void()>(Touch &)> prepare,
             const std::vector<Range> &onHost = {});
  void *createHandle();
  /* Whether a handle is known; one of another device than the current is reported. */
  bool knownHandle(void *handle);
  int destroyHandle(void *handle);
  void complain(const std::string &what);
  Allocation *find(uint64_t address);
  /* The error that all calls return from now on, once work has failed. */
  int sticky();

 private:
  Device();
  void run();
  bool runOne(std::unique_lock<std::mutex> &lock);
  void check(const Operation &operation, int stream, Touch &touch);
  void drain(std::unique_lock<std::mutex> &lock, Stream *stream);
  void joinHost(const Clock &clock);
  void protect(Allocation *allocation);
  uint64_t used(int device);

  std::recursive_mutex tables;
  std::mutex work;
  std::condition_variable more, done;
  std::map<uint64_t, std::unique_ptr<Allocation>> allocations;
  std::map<Stream *, std::unique_ptr<Stream>> streams;
  std::map<Event *, std::shared_ptr<Event>> events;
  std::map<void *, std::unique_ptr<int>> handles; /* each points to the number of its device */
  std::vector<std::string> errors, names;
  std::vector<Hold> holds;
  int64_t delay = 0;
  std::mt19937_64 random;
  Clock host;
  Stream *running = nullptr;
  uint64_t total = 0, pageLocked = UINT64_MAX;
  int count = 1, nextStream = 1, error = 0, failCode = 0, laterCode = 0;
  int64_t failCall = -1, lostFrom = 0;
  int lostDevice = -1, lostCode = 0;
  bool failForEver = false;
  bool injected = false; /* whether a call has failed as it was told to: the host may have been unable to wait */
};

}  // namespace fake

#endif
