#include "interrupt.hpp"

namespace hamiltree::app {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void note(int) { g_interrupted = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  g_interrupted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &previous_, nullptr); }

bool interrupted() { return g_interrupted != 0; }

}  // namespace hamiltree::app
