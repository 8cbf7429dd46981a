// SharedOrAlone: whether work that comes again and again is shared by threads or done by the caller
// alone, whichever takes less time. Another core that is busy with something else makes sharing
// slow, for its threads stop in the middle of what they have begun; so sharing has a credit. What
// it loses against the caller alone is paid from there, and time alone earns it.
#pragma once

#include <chrono>

namespace hamiltree {

class SharedOrAlone {
 public:
  // How the next piece of work is to be done.
  bool share() const { return share_; }
  // How long it took, s; decides on the one after it.
  void took(double seconds);

  // Does a piece of work, work(share()).
  template <class Work>
  void run(const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    work(share_);
    took(std::chrono::duration<double>(Clock::now() - start).count());
  }

 private:
  // The share of a second that is lost by sharing at most kCredit + kEarned, 7 %, and the piece in
  // which the credit ended.
  static constexpr double kCredit = 0.04;  // s, the most
  static constexpr double kEarned = 0.03;  // of the time that passes
  static constexpr double kBetweenLooks =
      40.0;                               // shared pieces' time for one alone, in such pieces
  static constexpr double kGrowth = 1.1;  // of what a piece alone is thought to take
  static constexpr int kFirst = 4;        // alone: the first ones find cold caches

  bool share_ = false;
  int looks_ = 0;             // pieces done alone, up to kFirst
  double alone_ = 0.0;        // s that a piece takes alone: the least of late
  double since_alone_ = 0.0;  // s
  double credit_ = 0.0;       // s
};

}  // namespace hamiltree
