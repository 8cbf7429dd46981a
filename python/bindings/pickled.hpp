// Pickles: the version of the program, and the bytes of archive.hpp.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "archive.hpp"
#include "hamiltree/base/version.hpp"
#include "members.hpp"

namespace hamiltree::bindings {

template <class T>
pybind11::tuple pickled_bytes(const T& x) {
  return pybind11::make_tuple(kVersion, pybind11::bytes(to_bytes(x)));
}

template <class T>
T unpickled(const pybind11::tuple& state) {
  const auto version = state[0].cast<std::string>();
  if (version != kVersion) {
    throw UsageError("this was pickled by hamiltree " + version + ", and this is " +
                     std::string(kVersion));
  }
  return from_bytes<T>(std::string_view(state[1].cast<pybind11::bytes>()));
}

template <class T>
auto pickled() {
  return pybind11::pickle(&pickled_bytes<T>, &unpickled<T>);
}

}  // namespace hamiltree::bindings
