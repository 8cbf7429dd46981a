// Pool: threads that share out the items of one task after another. They spin for a while before
// they sleep, so that tasks of some microseconds are worth sharing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hamiltree {

class Pool {
 public:
  // As many threads, the caller of run() among them; 0: one for each core.
  explicit Pool(int threads = 0);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(thread, item) for every item below `count`, each once, on whatever thread is free;
  // threads are numbered from 0, which is the caller. Returns when all is done, and waits for no
  // thread that has begun nothing. Allocates nothing. The caller calls `look`, if there is one, now
  // and then while it waits for items of other threads. Where a task or `look` throws no further
  // items are begun, and the first exception is thrown on. Throws std::length_error for 2^32 items
  // and more.
  using Task = std::function<void(int thread, std::size_t item)>;
  using Look = std::function<void()>;
  void run(std::size_t count, const Task& task, const Look& look = nullptr);

 private:
  // A task's number above, how many of its items nobody has begun below: one word, so that whoever
  // takes an item of a task knows that this task is not over.
  using Ticket = std::uint64_t;

  bool take_item(int thread);
  void wait_for_others(const Look& look);
  void wait_for_tasks(int thread);
  template <class F>
  void attempt(const F& f);

  std::vector<std::thread> workers_;
  const Task* task_ = nullptr;
  std::size_t count_ = 0;
  std::exception_ptr failure_;
  std::mutex failing_;
  std::atomic<bool> failed_ = false, closing_ = false;
  alignas(64) std::atomic<Ticket> ticket_ = 0;
  alignas(64) std::atomic<std::uint32_t> done_ = 0;  // items of the present task
};

}  // namespace hamiltree
