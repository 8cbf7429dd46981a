// Schedule: when a run gives output and makes checkpoints, and the loop that takes a run there.
#pragma once

#include <limits>
#include <optional>

namespace hamiltree {

// As an output interval: after every accepted step.
inline constexpr double kEveryStep = std::numeric_limits<double>::infinity();

// At multiples, which carry no accumulated rounding.
struct Schedule {
  double start = 0.0, every = 0.0, until = 0.0;  // s
  double checkpoint_every = 0.0;                 // s; 0: never
  long next_output = 0;
  long next_checkpoint = 0;  // the first is made at the start
  bool every_step = false;   // output after every accepted step too

  // `until` for the last output, which is not followed by one a rounding error later.
  double output_time() const;
  bool is_last_output() const { return output_time() >= until; }
  // An output's, if they are a rounding error apart; infinite if there are none.
  double checkpoint_time() const;
  // A time of someone else's: a checkpoint's or an output's, if they are a rounding error apart.
  // Between the two there is no step.
  double in_step(double t) const;

  // To the last output: step(stop) goes on, not beyond `stop`, output() gives one.
  // False where a step does, which ends the run.
  template <class Time, class Step, class Output>
  bool run(const Time& time, const Step& step, const Output& output) {
    for (;; ++next_output) {
      while (time() < output_time()) {
        if (!step(output_time())) return false;
      }
      output();
      if (is_last_output()) return true;
    }
  }
};

// Outputs now, every `every` seconds and at `until`. `every` <= 0: 1/500 of the way, of a method
// with steps of a fixed size as many whole steps as reach as far. Throws UsageError for more
// outputs than can be counted.
Schedule outputs_until(double now, double until, double every, std::optional<double> step);

}  // namespace hamiltree
