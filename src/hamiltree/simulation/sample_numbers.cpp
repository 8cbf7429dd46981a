#include "hamiltree/simulation/sample_numbers.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace hamiltree {
namespace {

enum class Of { kAll, kSpatial, kNotConservative };

struct Entry {
  Of of;
  SampleNumber number;
};

// One that is a member of Sample, or of a member.
template <auto member>
constexpr Entry entry(const char* name, const char* unit, Of of = Of::kAll) {
  return {of,
          {name, unit, [](const Sample& s) { return s.*member; },
           [](Sample& s, double x) { s.*member = x; }}};
}
template <auto power, auto part>
constexpr Entry entry_of(const char* name, const char* unit) {
  return {Of::kNotConservative,
          {name, unit, [](const Sample& s) { return (s.*power).*part; },
           [](Sample& s, double x) { (s.*power).*part = x; }}};
}
template <auto vector, int axis>
constexpr Entry entry_along(const char* name, const char* unit, Of of) {
  return {of,
          {name, unit, [](const Sample& s) { return (s.*vector)(axis); },
           [](Sample& s, double x) { (s.*vector)(axis) = x; }}};
}

constexpr std::array kEntries{
    entry<&Sample::kinetic_energy>("kinetic_energy", "J"),
    entry<&Sample::potential_energy>("potential_energy", "J"),
    Entry{Of::kAll,
          {"total_energy", "J",
           [](const Sample& s) { return s.kinetic_energy + s.potential_energy; }, nullptr}},
    entry<&Sample::position_residual>("position_residual", "m"),
    entry<&Sample::velocity_residual>("velocity_residual", "m/s"),
    entry_along<&Sample::linear_momentum, 0>("linear_momentum.x", "kg m/s", Of::kAll),
    entry_along<&Sample::linear_momentum, 1>("linear_momentum.y", "kg m/s", Of::kAll),
    entry_along<&Sample::linear_momentum, 2>("linear_momentum.z", "kg m/s", Of::kSpatial),
    entry_along<&Sample::angular_momentum, 0>("angular_momentum.x", "kg m^2/s", Of::kSpatial),
    entry_along<&Sample::angular_momentum, 1>("angular_momentum.y", "kg m^2/s", Of::kSpatial),
    entry_along<&Sample::angular_momentum, 2>("angular_momentum.z", "kg m^2/s", Of::kAll),
    entry_of<&Sample::power, &Power::driven>("power.driven", "W"),
    entry_of<&Sample::power, &Power::applied>("power.applied", "W"),
    entry_of<&Sample::power, &Power::dissipated>("power.dissipated", "W"),
    entry_of<&Sample::work, &Power::driven>("work.driven", "J"),
    entry_of<&Sample::work, &Power::applied>("work.applied", "J"),
    entry_of<&Sample::work, &Power::dissipated>("work.dissipated", "J")};

}  // namespace

std::vector<SampleNumber> sample_numbers(const RecordingHeader& header) {
  std::vector<SampleNumber> numbers;
  for (const auto& [of, number] : kEntries) {
    if (of == Of::kSpatial && header.planar) continue;
    if (of == Of::kNotConservative && header.conservative) continue;
    numbers.push_back(number);
  }
  return numbers;
}

bool is_sample_number(const std::string& name) {
  return std::ranges::any_of(kEntries, [&](const Entry& e) { return name == e.number.name; });
}

}  // namespace hamiltree
