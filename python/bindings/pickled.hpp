// Pickles: their format, the version of the program, the bytes of archive.hpp, and their checksum.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "archive.hpp"
#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/version.hpp"

namespace hamiltree::bindings {

// Another number whenever older bytes would be read as something else, within a version too: with
// other members, other fields of a force, or alternatives in another order.
inline constexpr int kPickleFormat = 1;

template <class T>
pybind11::tuple pickled_bytes(const T& x) {
  const auto bytes = to_bytes(x);
  return pybind11::make_tuple(kPickleFormat, kVersion, pybind11::bytes(bytes),
                              Checksum(bytes).text());
}

template <class T>
T unpickled(const pybind11::tuple& state) {
  if (state.size() != 4) throw not_what_was_pickled();
  const auto format = state[0].cast<long long>();
  const auto version = state[1].cast<std::string>();
  if (format != kPickleFormat || version != kVersion) {
    throw UsageError("this was pickled by hamiltree " + version + " in format " +
                     std::to_string(format) + ", and this is " + kVersion +
                     ", which reads format " + std::to_string(kPickleFormat));
  }
  const auto bytes = state[2].cast<std::string>();
  if (state[3].cast<std::string>() != Checksum(bytes).text()) throw not_what_was_pickled();
  return from_bytes<T>(bytes);
}

template <class T>
auto pickled() {
  return pybind11::pickle(&pickled_bytes<T>, &unpickled<T>);
}

}  // namespace hamiltree::bindings
