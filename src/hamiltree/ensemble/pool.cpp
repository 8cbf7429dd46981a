#include "hamiltree/ensemble/pool.hpp"

#include <algorithm>
#include <utility>

namespace hamiltree {

Pool::Pool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int thread = 1; thread < threads; ++thread)
    workers_.emplace_back([this, thread] { wait_for_tasks(thread); });
}

Pool::~Pool() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  begin_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Pool::run(std::size_t count, const Task& task) {
  {
    const std::scoped_lock lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    working_ = static_cast<int>(workers_.size());
    ++round_;
  }
  begin_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [&] { return working_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Pool::work(int thread) {
  try {
    for (std::size_t item = next_++; item < count_; item = next_++) (*task_)(thread, item);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    next_ = count_;
    if (!failure_) failure_ = std::current_exception();
  }
}

void Pool::wait_for_tasks(int thread) {
  long seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
    }
    work(thread);
    const std::scoped_lock lock(mutex_);
    if (--working_ == 0) end_.notify_one();
  }
}

}  // namespace hamiltree
