// Choices: the numbers that a random mechanism is drawn from. They may be given, by a fuzzer or by
// a property that shrinks them, and follow from a seed where they are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace hamiltree::test {

// A uniform random bit generator, as the standard library's distributions want one.
class Choices {
 public:
  using result_type = std::mt19937_64::result_type;

  explicit Choices(std::uint64_t seed) : random_(seed) {}
  // These, each 16 bits as all four parts of a number, so that there are few to be tried; then the
  // least, of which a distribution makes the lower end of its range: no choices, a simple
  // mechanism.
  explicit Choices(std::vector<std::uint16_t> given) : given_(std::move(given)) {}

  static constexpr result_type min() { return std::mt19937_64::min(); }
  static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() {
    constexpr result_type kLeast = result_type{1} << 32U;  // 0 would be thrown away, for ever
    constexpr result_type kFourTimes = 0x0001000100010001;
    if (random_) return (*random_)();
    return next_ < given_.size() ? given_[next_++] * kFourTimes : kLeast;
  }

 private:
  std::vector<std::uint16_t> given_;
  std::size_t next_ = 0;
  std::optional<std::mt19937_64> random_;
};

}  // namespace hamiltree::test
