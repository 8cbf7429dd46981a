// Pickles: the version of the program, the bytes of archive.hpp, and their checksum.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "archive.hpp"
#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/version.hpp"
#include "members.hpp"

namespace hamiltree::bindings {

template <class T>
pybind11::tuple pickled_bytes(const T& x) {
  const auto bytes = to_bytes(x);
  return pybind11::make_tuple(kVersion, pybind11::bytes(bytes), Checksum(bytes).text());
}

template <class T>
T unpickled(const pybind11::tuple& state) {
  const auto version = state[0].cast<std::string>();
  if (version != kVersion) {
    throw UsageError("this was pickled by hamiltree " + version + ", and this is " +
                     std::string(kVersion));
  }
  const auto bytes = state[1].cast<std::string>();
  if (state[2].cast<std::string>() != Checksum(bytes).text()) throw not_what_was_pickled();
  return from_bytes<T>(bytes);
}

template <class T>
auto pickled() {
  return pybind11::pickle(&pickled_bytes<T>, &unpickled<T>);
}

}  // namespace hamiltree::bindings
