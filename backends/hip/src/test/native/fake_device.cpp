#include "fake_device.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace fake {

namespace {

std::string hex(uint64_t address) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

constexpr uint64_t PAGE = 4096;

/* More memory than this is filled by mapping the same NaN again and again. */
constexpr uint64_t PATTERN = 64 << 20;

/* A device gives memory out in these units. */
constexpr uint64_t UNIT = 2 << 20;

uint64_t pages(uint64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

uint64_t units(uint64_t bytes) { return (bytes + UNIT - 1) / UNIT * UNIT; }

void *anonymous(uint64_t bytes, int protection) {
  return mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Memory full of NaN, in which only what is written takes RAM. */
char *notNumbers(uint64_t bytes) {
  static const int file = [] {
    int created = memfd_create("NaN", 0);
    if (ftruncate(created, PATTERN)) abort();
    void *all = mmap(nullptr, PATTERN, PROT_READ | PROT_WRITE, MAP_SHARED, created, 0);
    memset(all, 0xff, PATTERN);
    munmap(all, PATTERN);
    return created;
  }();
  char *start = static_cast<char *>(anonymous(bytes, PROT_NONE));
  if (start == MAP_FAILED) return nullptr;
  for (uint64_t done = 0; done < bytes; done += PATTERN)
    if (mmap(start + done, std::min(PATTERN, bytes - done), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED)
      abort();
  return start;
}

/*
 * Page-locked memory as the signal handler knows it. It is mapped twice: the device uses its own
 * mapping, so that the host's can be protected while a copy is in flight and after it was freed.
 */
struct Region {
  std::atomic<uint64_t> base{0};
  std::atomic<uint64_t> end{0};
  std::atomic<bool> freed{false};
};

constexpr int REGIONS = 1 << 14, FAULTS = 16;
Region regions[REGIONS];
std::atomic<int> regionCount{0}, faultCount{0};
struct {
  uint64_t address;
  bool freed;
} faults[FAULTS];
struct sigaction previous;

/* Notes an access to protected memory and lets it happen; other faults are Java's. */
void onFault(int signal, siginfo_t *info, void *context) {
  const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
  const int count = regionCount.load();
  for (int k = 0; k < count; k++) {
    if (address < regions[k].base || address >= regions[k].end) continue;
    const int fault = faultCount.fetch_add(1);
    if (fault < FAULTS) faults[fault] = {address, regions[k].freed};
    mprotect(reinterpret_cast<void *>(regions[k].base.load()),
             regions[k].end.load() - regions[k].base.load(), PROT_READ | PROT_WRITE);
    return;
  }
  previous.sa_sigaction(signal, info, context);
}

void watch(uint64_t base, uint64_t bytes) {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    return sigaction(SIGSEGV, &action, &previous) == 0;
  }();
  const int k = regionCount.load();
  if (!installed || k == REGIONS) return;
  regions[k].base = base;
  regions[k].end = base + pages(bytes);
  regions[k].freed = false;
  regionCount = k + 1;
}

void watchFreed(uint64_t base) {
  for (int k = 0; k < regionCount; k++)
    if (regions[k].base == base) regions[k].freed = true;
}

bool before(const Access &access, const Clock &clock) {
  auto entry = clock.find(access.stream);
  return entry != clock.end() && entry->second >= access.number;
}

void join(Clock &clock, const Clock &other) {
  for (auto &entry : other) {
    uint64_t &number = clock[entry.first];
    number = std::max(number, entry.second);
  }
}

thread_local int currentDevice = 0;

/* The name under which a program knows a function of HIP. */
std::string vendorName(std::string name) {
  if (!CUDA) return name;
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"hipHostMalloc", "cudaHostAlloc"}, {"hipHostFree", "cudaFreeHost"},
      {"hipModuleLaunchKernel", "cuLaunchKernel"}, {"hipModule", "cuModule"},
      {"hipblas", "cublas"}, {"hip", "cuda"}};
  for (auto &entry : names)
    if (name.compare(0, entry.first.size(), entry.first) == 0)
      return entry.second + name.substr(entry.first.size());
  return name;
}

}  // namespace

void Touch::add(Allocation *allocation, uint64_t from, uint64_t bytes, bool write) {
  if (bytes > 0) ranges[allocation].push_back({from, from + bytes, write});
}

/* The live allocation that a range of the device lies in; null and a report if there is none. */
Allocation *Touch::resolve(uint64_t from, uint64_t bytes) {
  Allocation *found = Device::get().find(from);
  if (!found || !(found->onDevice || found->mapped) || from + bytes > found->base + found->bytes || found->freed) {
    std::string what = !found || from >= found->base + found->bytes ? "outside any allocation"
                       : found->freed                              ? "after free"
                       : !found->onDevice                          ? "of host memory by the device"
                                                                   : "beyond an allocation's end";
    Device::get().complain("access " + what + ": " + hex(from) + " bytes=" +
                           std::to_string(bytes));
    failed = true;
    return nullptr;
  }
  return found;
}

char *Touch::device(const void *address, uint64_t bytes, bool write) {
  const uint64_t from = reinterpret_cast<uint64_t>(address);
  Allocation *found = resolve(from, bytes);
  if (!found) return nullptr;
  add(found, from, bytes, write);
  return found->shadow + (from - found->base);
}

char *Touch::host(const void *address, uint64_t bytes, bool write) {
  uint64_t from = reinterpret_cast<uint64_t>(address);
  Allocation *found = Device::get().find(from);
  if (found && from < found->base + found->bytes) {
    if (found->onDevice || found->freed || from + bytes > found->base + found->bytes) {
      Device::get().complain("host side of a copy is not live host memory: " + hex(from) +
                             " bytes=" + std::to_string(bytes));
      failed = true;
      return nullptr;
    }
    add(found, from, bytes, write);
    return found->shadow + (from - found->base);
  }
  return const_cast<char *>(static_cast<const char *>(address));
}

char *Touch::matrix(const void *address, int64_t rows, int64_t columns, int64_t leading,
                    bool write, int64_t size) {
  const uint64_t from = reinterpret_cast<uint64_t>(address);
  Allocation *found = resolve(from, ((columns - 1) * leading + rows) * size);
  if (!found) return nullptr;
  if (leading == rows) {
    add(found, from, columns * rows * size, write);
  } else {
    for (int64_t j = 0; j < columns; j++) add(found, from + j * leading * size, rows * size, write);
  }
  return found->shadow + (from - found->base);
}

/* The worker starts when everything that it uses is there. */
Device::Device() { std::thread([this] { run(); }).detach(); }

Device &Device::get() {
  static Device *device = new Device; /* lives as long as the process: the worker uses it */
  return *device;
}

void Device::complain(const std::string &what) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  if (errors.size() < 20) errors.push_back(what);
  if (!error) error = STARLING_HIP_ILLEGAL_ADDRESS;
}

Allocation *Device::find(uint64_t address) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin()) return nullptr;
  return std::prev(next)->second.get();
}

/* Checks what an operation touches against itself and against what ran before it. */
void Device::check(const Operation &operation, int stream, Touch &touch) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  for (auto &entry : touch.ranges) {
    Allocation *allocation = entry.first;
    std::vector<Range> &ranges = entry.second;
    std::sort(ranges.begin(), ranges.end(),
              [](const Range &a, const Range &b) { return a.from < b.from; });
    std::vector<Range> reads, writes;
    for (const Range &range : ranges) {
      std::vector<Range> &kind = range.write ? writes : reads;
      if (range.write && !kind.empty() && kind.back().to > range.from) {
        complain(operation.name + " writes twice into " + hex(range.from));
      }
      if (!kind.empty() && kind.back().to >= range.from) {
        kind.back().to = std::max(kind.back().to, range.to);
      } else {
        kind.push_back(range);
      }
    }
    size_t r = 0;
    for (const Range &write : writes) {
      while (r < reads.size() && reads[r].to <= write.from) r++;
      if (r < reads.size() && reads[r].from < write.to && operation.name != vendorName("hipblasZgeam")) {
        complain(operation.name + " reads what it writes at " + hex(write.from));
      }
    }
    reads.insert(reads.end(), writes.begin(), writes.end());
    for (const Range &range : reads) {
      for (auto &[longest, known] : allocation->accesses) {
        auto next = known.lower_bound(range.from > longest ? range.from - longest : 0);
        while (next != known.end() && next->first < range.to) {
          const Access &access = next->second;
          if (range.from < access.to && (access.write || range.write) && access.stream != stream &&
              !before(access, operation.clock)) {
            complain(operation.name + " in stream " + std::to_string(stream) +
                     " is not ordered against stream " + std::to_string(access.stream) + " at " +
                     hex(std::max(access.from, range.from)));
          }
          const bool replaced = access.from >= range.from && access.to <= range.to &&
                                (range.write || !access.write) &&
                                (access.stream == stream ||
                                 (range.write && before(access, operation.clock)));
          next = replaced ? known.erase(next) : std::next(next);
        }
      }
      uint64_t bound = 1;
      while (bound < range.to - range.from) bound *= 2;
      allocation->accesses[bound].insert(
          {range.from, {range.from, range.to, stream, operation.number, range.write}});
    }
  }
}

/* Runs the first operation of some stream that can go on; false when there is none. */
bool Device::runOne(std::unique_lock<std::mutex> &lock) {
  std::vector<Stream *> ready;
  for (auto &entry : streams) {
    Stream *stream = entry.first;
    if (stream->queue.empty()) continue;
    const Operation &first = stream->queue.front();
    if (!first.wait || first.wait->reached >= first.eventRecord) ready.push_back(stream);
  }
  if (ready.empty()) return false;
  running = ready[random() % ready.size()];
  Operation operation = std::move(running->queue.front());
  int number = running->number;
  /* A pause takes at least a tick of the scheduler: one piece of work in eight has one. */
  if (delay && random() % 8 == 0) {
    const auto pause = std::chrono::microseconds(random() % delay);
    lock.unlock();
    std::this_thread::sleep_for(pause);
    lock.lock();
  }
  if (operation.prepare && !sticky()) {
    Touch touch;
    std::function<void()> compute = operation.prepare(touch);
    if (!touch.failed) check(operation, number, touch);
    if (!touch.failed && compute) {
      lock.unlock();
      compute();
      lock.lock();
    }
    std::lock_guard<std::recursive_mutex> guard(tables);
    if (laterCode) {
      error = laterCode;
      laterCode = 0;
    }
  }
  if (operation.record) {
    operation.record->time = std::chrono::steady_clock::now();
    operation.record->reached = std::max(operation.record->reached, operation.eventRecord);
  }
  running->queue.pop_front();
  running = nullptr;
  done.notify_all();
  return true;
}

void Device::run() {
  std::unique_lock<std::mutex> lock(work);
  for (;;) {
    if (!runOne(lock)) more.wait(lock);
  }
}

void Device::drain(std::unique_lock<std::mutex> &lock, Stream *stream) {
  more.notify_all();
  done.wait(lock, [&] {
    if (stream) return stream->queue.empty();
    for (auto &entry : streams)
      if (!entry.first->queue.empty()) return false;
    return true;
  });
}

void Device::joinHost(const Clock &clock) {
  join(host, clock);
  std::set<Allocation *> released;
  holds.erase(std::remove_if(holds.begin(), holds.end(),
                             [&](const Hold &hold) {
                               auto entry = host.find(hold.stream);
                               if (entry == host.end() || entry->second < hold.number) return false;
                               released.insert(hold.allocation);
                               return true;
                             }),
              holds.end());
  for (Allocation *allocation : released) protect(allocation);
}

void Device::reset(uint64_t bytes, int devices, uint64_t seed) {
  std::unique_lock<std::mutex> lock(work);
  drain(lock, nullptr);
  std::lock_guard<std::recursive_mutex> guard(tables);
  for (auto &entry : allocations) {
    Allocation &allocation = *entry.second;
    if (allocation.shadow) munmap(allocation.shadow, pages(allocation.bytes));
    munmap(reinterpret_cast<void *>(allocation.base), pages(allocation.bytes) + PAGE);
  }
  allocations.clear();
  holds.clear();
  regionCount = faultCount = 0;
  streams.clear();
  events.clear();
  handles.clear();
  errors.clear();
  names.clear();
  host.clear();
  random.seed(seed);
  delay = 0;
  total = bytes;
  pageLocked = UINT64_MAX;
  count = devices;
  error = failCode = laterCode = 0;
  failCall = lostDevice = -1;
  failForEver = injected = false;
}

int Device::enter(const char *name, int device) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  int64_t call = static_cast<int64_t>(names.size());
  names.push_back(vendorName(name));
  if (lostDevice >= 0 && (device < 0 ? currentDevice : device) == lostDevice && call >= lostFrom) {
    injected = true;
    return lostCode;
  }
  if (call == failCall || (failForEver && failCall >= 0 && call > failCall)) {
    injected = true;
    return failCode;
  }
  return 0;
}

void Device::failAt(int64_t call, int code, bool forEver) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  failCall = call;
  failCode = code;
  failForEver = forEver;
}

void Device::delayWork(int64_t microseconds) {
  std::lock_guard<std::mutex> guard(work);
  delay = microseconds;
}

void Device::failLater(int code) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  laterCode = code;
}

void Device::loseDevice(int device, int64_t call, int code) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  lostDevice = device;
  lostFrom = call;
  lostCode = code;
}

int64_t Device::calls() {
  std::lock_guard<std::recursive_mutex> guard(tables);
  return static_cast<int64_t>(names.size());
}

std::string Device::callName(int64_t call) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  return names.at(call);
}

std::string Device::report() {
  std::unique_lock<std::mutex> lock(work);
  drain(lock, nullptr);
  std::lock_guard<std::recursive_mutex> guard(tables);
  std::string text;
  for (auto &line : errors) text += line + "\n";
  for (int fault = 0; fault < std::min<int>(faultCount, FAULTS); fault++)
    text += std::string(faults[fault].freed ? "the host uses page-locked memory after free: "
                                            : "the host uses page-locked memory of a copy in flight: ") +
            hex(faults[fault].address) + "\n";
  for (auto &entry : allocations) {
    const Allocation &allocation = *entry.second;
    if (!allocation.freed)
      text += std::string("not freed: ") + (allocation.onDevice ? "device" : "host") +
              " memory, bytes=" + std::to_string(allocation.bytes) + "\n";
  }
  if (!streams.empty()) text += "not destroyed: streams=" + std::to_string(streams.size()) + "\n";
  if (!events.empty()) text += "not destroyed: events=" + std::to_string(events.size()) + "\n";
  if (!handles.empty())
    text += "not destroyed: BLAS handles=" + std::to_string(handles.size()) + "\n";
  return text;
}

int Device::sticky() {
  std::lock_guard<std::recursive_mutex> guard(tables);
  return error;
}

int Device::devices() { return count; }

int Device::current() { return currentDevice; }

int Device::setCurrent(int device) {
  if (device < 0 || device >= count) return STARLING_HIP_INVALID_DEVICE;
  currentDevice = device;
  return 0;
}

uint64_t Device::used(int device) {
  uint64_t sum = 0;
  for (auto &entry : allocations) {
    const Allocation &allocation = *entry.second;
    if (allocation.onDevice && !allocation.managed && !allocation.freed && allocation.device == device)
      sum += units(allocation.bytes);
  }
  return sum;
}

void Device::memory(size_t *freeBytes, size_t *totalBytes) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  *totalBytes = total;
  *freeBytes = total - std::min(total, used(currentDevice));
}

void Device::limitPageLocked(uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  pageLocked = bytes;
}

int Device::allocate(void **address, uint64_t bytes, bool onDevice, bool mapped, bool managed) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  if (mapped) {
    uint64_t held = 0;
    for (auto &entry : allocations)
      if (entry.second->mapped && !entry.second->freed) held += entry.second->bytes;
    if (held + bytes > pageLocked) return STARLING_HIP_OUT_OF_MEMORY;
  }
  if (onDevice && !managed && units(bytes) + used(currentDevice) > units(total))
    return STARLING_HIP_OUT_OF_MEMORY;
  auto allocation = std::make_unique<Allocation>();
  allocation->bytes = bytes;
  allocation->onDevice = onDevice;
  allocation->mapped = mapped;
  allocation->managed = managed;
  allocation->freed = false;
  allocation->device = currentDevice;
  /* A page more than asked for, so that neighbours are never adjacent. */
  void *reserved = anonymous(pages(bytes) + PAGE, PROT_NONE);
  if (reserved == MAP_FAILED) return STARLING_HIP_OUT_OF_MEMORY;
  allocation->base = reinterpret_cast<uint64_t>(reserved);
  if (onDevice) {
    allocation->shadow = notNumbers(pages(bytes));
  } else {
    int file = memfd_create("page-locked", 0);
    if (file < 0 || ftruncate(file, pages(bytes))) abort();
    mmap(reserved, pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    void *own = mmap(nullptr, pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    allocation->shadow = static_cast<char *>(own);
    memset(own, 0xff, std::min(PATTERN, bytes));
    watch(allocation->base, bytes);
  }
  *address = reserved;
  allocations[allocation->base] = std::move(allocation);
  return 0;
}

/* Frees, which waits for the device as hipFree does, but complains where it has to. */
int Device::release(void *address, bool onDevice) {
  std::unique_lock<std::mutex> lock(work);
  const Clock waited = host;
  drain(lock, nullptr);
  std::lock_guard<std::recursive_mutex> guard(tables);
  auto found = allocations.find(reinterpret_cast<uint64_t>(address));
  if (found == allocations.end() || found->second->freed || found->second->onDevice != onDevice) {
    complain("free of what is not an allocation: " + hex(reinterpret_cast<uint64_t>(address)));
    return STARLING_HIP_INVALID_VALUE;
  }
  Allocation &allocation = *found->second;
  int unwaited = 0; /* the number of a stream is 1 at least */
  for (const auto &[longest, known] : allocation.accesses)
    for (const auto &[from, access] : known)
      if (!before(access, waited)) unwaited = access.stream;
  if (unwaited && !error && !injected)
    complain(std::string(onDevice ? "device" : "host") +
             " memory is freed while the host has not waited for work of stream " +
             std::to_string(unwaited) + " on it: " + hex(allocation.base));
  for (auto &entry : streams) joinHost(entry.first->clock);
  holds.erase(std::remove_if(holds.begin(), holds.end(),
                             [&](const Hold &hold) { return hold.allocation == &allocation; }),
              holds.end());
  /* Neither kind of address is handed out again; the numbers are forgotten. */
  if (!onDevice) {
    watchFreed(allocation.base);
    mprotect(reinterpret_cast<void *>(allocation.base), pages(allocation.bytes), PROT_NONE);
    madvise(allocation.shadow, pages(allocation.bytes), MADV_REMOVE);
  }
  munmap(allocation.shadow, pages(allocation.bytes));
  allocation.shadow = nullptr;
  allocation.freed = true;
  allocation.accesses.clear();
  return 0;
}

/* Protects the host's mapping of page-locked memory as the copies in flight demand. */
void Device::protect(Allocation *allocation) {
  mprotect(reinterpret_cast<void *>(allocation->base), pages(allocation->bytes),
           PROT_READ | PROT_WRITE);
  for (int protection : {PROT_READ, PROT_NONE}) {
    for (const Hold &hold : holds) {
      if (hold.allocation != allocation || hold.write != (protection == PROT_NONE)) continue;
      /* Whole pages: what lies beside the copy on its first and last page may be used. */
      const uint64_t from = pages(hold.from), to = hold.to / PAGE * PAGE;
      if (from < to) mprotect(reinterpret_cast<void *>(from), to - from, protection);
    }
  }
}

Stream *Device::createStream() {
  std::unique_lock<std::mutex> lock(work);
  auto stream = std::make_unique<Stream>();
  stream->number = nextStream++;
  stream->device = currentDevice;
  Stream *key = stream.get();
  streams[key] = std::move(stream);
  return key;
}

int Device::destroyStream(Stream *stream) {
  std::unique_lock<std::mutex> lock(work);
  if (!streams.count(stream)) {
    complain("destroyed stream is unknown");
    return STARLING_HIP_INVALID_HANDLE;
  }
  drain(lock, stream);
  streams.erase(stream);
  return 0;
}

bool Device::known(Stream *stream) {
  std::unique_lock<std::mutex> lock(work);
  return streams.count(stream) > 0;
}

int Device::synchronize(Stream *stream) {
  std::unique_lock<std::mutex> lock(work);
  if (!streams.count(stream)) return STARLING_HIP_INVALID_HANDLE;
  drain(lock, stream);
  joinHost(stream->clock);
  return sticky();
}

Event *Device::createEvent(bool timed) {
  std::unique_lock<std::mutex> lock(work);
  auto event = std::make_shared<Event>();
  event->timed = timed;
  Event *key = event.get();
  events[key] = event;
  return key;
}

int Device::destroyEvent(Event *event) {
  std::unique_lock<std::mutex> lock(work);
  if (!events.erase(event)) {
    complain("destroyed event is unknown");
    return STARLING_HIP_INVALID_HANDLE;
  }
  return 0;
}

int Device::record(Event *event, Stream *stream) {
  std::unique_lock<std::mutex> lock(work);
  if (!events.count(event) || !streams.count(stream)) return STARLING_HIP_INVALID_HANDLE;
  Operation operation;
  operation.name = vendorName("hipEventRecord");
  operation.record = events[event];
  operation.eventRecord = ++event->recorded;
  join(stream->clock, host);
  stream->clock[stream->number] = stream->submitted;
  event->clock = stream->clock;
  stream->queue.push_back(std::move(operation));
  more.notify_all();
  return sticky();
}

int Device::wait(Stream *stream, Event *event) {
  std::unique_lock<std::mutex> lock(work);
  if (!events.count(event) || !streams.count(stream)) return STARLING_HIP_INVALID_HANDLE;
  if (!event->recorded) return sticky();
  join(stream->clock, event->clock);
  Operation operation;
  operation.name = vendorName("hipStreamWaitEvent");
  operation.wait = events[event];
  operation.eventRecord = event->recorded;
  stream->queue.push_back(std::move(operation));
  more.notify_all();
  return sticky();
}

int Device::elapsed(float *milliseconds, Event *first, Event *second) {
  std::unique_lock<std::mutex> lock(work);
  for (Event *event : {first, second}) {
    if (!events.count(event) || !event->timed || !event->recorded) {
      complain("time of an event that is unknown, untimed or not recorded");
      return STARLING_HIP_INVALID_HANDLE;
    }
    if (event->reached < event->recorded) return STARLING_HIP_NOT_READY;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(second->time - first->time).count();
  return sticky();
}

int Device::query(Event *event) {
  std::unique_lock<std::mutex> lock(work);
  if (!events.count(event)) return STARLING_HIP_INVALID_HANDLE;
  if (sticky()) return sticky();
  if (event->reached < event->recorded) return STARLING_HIP_NOT_READY;
  joinHost(event->clock);
  return 0;
}

int Device::synchronize(Event *event) {
  std::unique_lock<std::mutex> lock(work);
  if (!events.count(event)) return STARLING_HIP_INVALID_HANDLE;
  more.notify_all();
  done.wait(lock, [&] { return event->reached >= event->recorded; });
  joinHost(event->clock);
  return sticky();
}

int Device::submit(Stream *stream, const char *name,
                   std::function<std::function<void()>(Touch &)> prepare,
                   const std::vector<Range> &onHost) {
  std::unique_lock<std::mutex> lock(work);
  if (!streams.count(stream)) {
    complain(vendorName(name) + " into an unknown stream");
    return STARLING_HIP_INVALID_HANDLE;
  }
  if (stream->device != currentDevice) {
    complain(vendorName(name) + " into a stream of device " + std::to_string(stream->device) +
             " while device " + std::to_string(currentDevice) + " is current");
    return STARLING_HIP_INVALID_HANDLE;
  }
  if (sticky()) return sticky();
  Operation operation;
  operation.name = vendorName(name);
  operation.prepare = std::move(prepare);
  operation.number = ++stream->submitted;
  for (const Range &range : onHost) {
    Allocation *allocation = find(range.from);
    if (allocation && !allocation->onDevice && !allocation->freed &&
        range.from < allocation->base + allocation->bytes) {
      holds.push_back({allocation, range.from, range.to, range.write, stream->number,
                       operation.number});
      protect(allocation);
    }
  }
  join(stream->clock, host);
  stream->clock[stream->number] = operation.number;
  operation.clock = stream->clock;
  stream->queue.push_back(std::move(operation));
  more.notify_all();
  return 0;
}

void *Device::createHandle() {
  std::lock_guard<std::recursive_mutex> guard(tables);
  auto handle = std::make_unique<int>(currentDevice);
  void *key = handle.get();
  handles[key] = std::move(handle);
  return key;
}

bool Device::knownHandle(void *handle) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  auto found = handles.find(handle);
  if (found == handles.end()) return false;
  if (*found->second != currentDevice) {
    complain("a BLAS handle of device " + std::to_string(*found->second) +
             " is used while device " + std::to_string(currentDevice) + " is current");
    return false;
  }
  return true;
}

int Device::destroyHandle(void *handle) {
  std::lock_guard<std::recursive_mutex> guard(tables);
  if (!handles.erase(handle)) {
    complain("destroyed BLAS handle is unknown");
    return STARLING_HIP_INVALID_VALUE;
  }
  return 0;
}

}  // namespace fake
