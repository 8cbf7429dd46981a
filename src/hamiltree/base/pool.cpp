#include "hamiltree/base/pool.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

namespace hamiltree {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kItems = 0xffffffffU;  // of a ticket
constexpr auto kAwake = std::chrono::microseconds(100);

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until value is no longer `old`: awake at first, for as long as two waits in a row may take
// in a run of one system, then asleep.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  constexpr int kBetweenLooks = 64;  // at the clock
  const auto since = Clock::now();
  do {
    for (int i = 0; i < kBetweenLooks; ++i) {
      if (value.load(std::memory_order_acquire) != old) return;
      relax();
    }
  } while (Clock::now() - since < kAwake);
  value.wait(old, std::memory_order_acquire);
}

// Ends threads that have no task.
void end(std::vector<std::thread>& workers, std::atomic<bool>& closing,
         std::atomic<std::uint64_t>& ticket) {
  closing = true;
  ticket += kItems + 1;  // a task without items
  ticket.notify_all();
  for (auto& worker : workers) worker.join();
}

}  // namespace

Pool::Pool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    for (int thread = 1; thread < threads; ++thread)
      workers_.emplace_back([this, thread] { wait_for_tasks(thread); });
  } catch (...) {  // the machine gives no more
    end(workers_, closing_, ticket_);
    throw;
  }
}

Pool::~Pool() { end(workers_, closing_, ticket_); }

void Pool::run(std::size_t count, const Task& task, const Look& look) {
  if (count == 0) return;
  if (count > kItems) throw std::length_error("a task has too many items");
  if (workers_.empty() || count == 1) {
    for (std::size_t item = 0; item < count; ++item) task(0, item);
    return;
  }
  task_ = &task;
  count_ = count;
  done_.store(0, std::memory_order_relaxed);
  const Ticket number = (ticket_.load(std::memory_order_relaxed) | kItems) + 1;
  ticket_.store(number | count, std::memory_order_release);
  ticket_.notify_all();
  while (take_item(0)) {
  }
  wait_for_others(look);
  if (failed_) {
    failed_ = false;
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

// False where no items are left.
bool Pool::take_item(int thread) {
  Ticket ticket = ticket_.load(std::memory_order_acquire);
  do {
    if ((ticket & kItems) == 0) return false;
  } while (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire));
  // The task cannot end before this item.
  const std::size_t count = count_;
  if (!failed_.load(std::memory_order_relaxed))
    attempt([&] { (*task_)(thread, count - static_cast<std::size_t>(ticket & kItems)); });
  done_.fetch_add(1, std::memory_order_acq_rel);
  done_.notify_one();
  return true;
}

// Ever longer between two looks, so that the end is not noticed much later than it comes.
void Pool::wait_for_others(const Look& look) {
  constexpr Clock::duration kLongest = std::chrono::milliseconds(10);
  const auto since = Clock::now();
  for (;;) {
    const auto done = done_.load(std::memory_order_acquire);
    if (done == count_) return;
    const auto waited = Clock::now() - since;
    if (!look || failed_.load(std::memory_order_relaxed)) {
      wait_while(done_, done);
    } else if (waited < kAwake) {
      relax();
    } else {
      attempt(look);
      std::this_thread::sleep_for(std::min(waited / 16, kLongest));
    }
  }
}

// The first exception is thrown on when the task is over.
template <class F>
void Pool::attempt(const F& f) {
  try {
    f();
  } catch (...) {
    const std::scoped_lock lock(failing_);
    if (!failure_) failure_ = std::current_exception();
    failed_ = true;
  }
}

void Pool::wait_for_tasks(int thread) {
  for (;;) {
    const Ticket seen = ticket_.load(std::memory_order_acquire);
    if (closing_) return;
    if (!take_item(thread)) wait_while(ticket_, seen);
  }
}

}  // namespace hamiltree
