// Pool: threads that wait for work and share out the items of one task after another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
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
  // threads are numbered from 0. Returns when all is done. Allocates nothing. Where a task throws
  // no further items are begun, and the first exception is thrown on.
  using Task = std::function<void(int thread, std::size_t item)>;
  void run(std::size_t count, const Task& task);

 private:
  void work(int thread);
  void wait_for_tasks(int thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const Task* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  long round_ = 0;   // how many tasks there have been
  int working_ = 0;  // threads that have not finished the present one
  bool closing_ = false;
  std::exception_ptr failure_;
};

}  // namespace hamiltree
