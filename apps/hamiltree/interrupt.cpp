#include "interrupt.hpp"

#include <atomic>

namespace hamiltree::app {
namespace {

// Set by a handler, on whatever thread the signal finds, and read by all threads of a sweep.
std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int) { g_interrupted = true; }

}  // namespace

InterruptGuard::InterruptGuard() {
  g_interrupted = false;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &previous_, nullptr); }

bool interrupted() { return g_interrupted; }

}  // namespace hamiltree::app
