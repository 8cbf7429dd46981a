#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "print.hpp"

namespace hamiltree::app {
namespace {

constexpr const char* kClearLine = "\r\x1b[K";
constexpr const char* kFaint = "\x1b[2m";
constexpr const char* kNormal = "\x1b[0m";

bool can_redraw() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// https://no-color.org: any value but an empty one.
bool colour_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

// "2026-01-31T12:00:00Z"
std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[sizeof "2026-01-31T12:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// A line that is longer than the terminal is wide would not be cleared as one.
std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_text(double t, double until, long steps, double wall_seconds,
                          double residual) {
  const double share = t / until;
  std::string text = to_short(t) + " s of " + to_short(until) + " s, " +
                     std::to_string(static_cast<int>(100.0 * share)) + " %";
  if (wall_seconds > 0.0 && share > 0.0) {
    text += ", " + to_short(static_cast<double>(steps) / wall_seconds) + " steps/s, " +
            to_duration(std::ceil(wall_seconds * (1.0 - share) / share)) + " left";
  }
  if (residual > 0.0) text += ", loops open by " + to_short(residual) + " m";
  return text;
}

StatusLine::StatusLine(bool wanted) : shown_(wanted && can_redraw()), colour_(colour_wanted()) {}

StatusLine::~StatusLine() {
  if (!shown_) return;
  std::fputs(kClearLine, stderr);
  std::fflush(stderr);
}

void StatusLine::show(const std::string& text) const {
  if (!shown_) return;
  const auto line = text.substr(0, terminal_width() - 1);
  std::fputs((kClearLine + (colour_ ? kFaint + line + kNormal : line)).c_str(), stderr);
  std::fflush(stderr);
}

void ProgressLine::update(const std::function<std::string(double)>& text) {
  if (!wanted_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  if (!line_.shown()) pause_ = std::min(2 * pause_, kLongestLogPause);
  next_ = now + pause_;
  const std::chrono::duration<double> seconds = now - start_;
  if (line_.shown()) {
    line_.show(text(seconds.count()));
  } else {
    std::fputs((time_of_day() + ' ' + text(seconds.count()) + '\n').c_str(), stderr);
  }
}

void Progress::step(double t, double residual) {
  ++steps_;
  line_.update([&](double seconds) { return progress_text(t, until_, steps_, seconds, residual); });
}

}  // namespace hamiltree::app
