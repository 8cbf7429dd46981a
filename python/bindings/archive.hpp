// Values as bytes and back, to the last bit: numbers, text, lists, alternatives, matrices, forces
// by their fields, and the structs whose members members.hpp tells.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "members.hpp"

namespace hamiltree::bindings {

inline std::runtime_error not_what_was_pickled() {
  return std::runtime_error("these bytes are not what was pickled");
}

class ToBytes {
 public:
  static constexpr bool kReads = false;
  void raw(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Throws std::runtime_error where the bytes end too early.
class FromBytes {
 public:
  static constexpr bool kReads = true;
  explicit FromBytes(std::string_view bytes) : left_(bytes) {}
  void raw(void* to, std::size_t size) {
    check(size);
    std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }
  void check(std::size_t size) const {
    if (size > left_.size()) throw not_what_was_pickled();
  }

 private:
  std::string_view left_;
};

template <class Archive, class T>
void archive(Archive& a, T& x);

namespace archived {

template <class T>
concept Plain =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::complex<double>>;

// The size of a list, which what is left of the bytes must hold.
template <class Archive>
std::size_t size(Archive& a, std::size_t own) {
  a.raw(&own, sizeof own);
  if constexpr (Archive::kReads) a.check(own);
  return own;
}

template <class Archive>
void value(Archive& a, std::string& x) {
  x.resize(size(a, x.size()));
  if (!x.empty()) a.raw(x.data(), x.size());
}
template <class Archive, class T>
void value(Archive& a, std::vector<T>& x) {
  x.resize(size(a, x.size()));
  for (auto& element : x) archive(a, element);
}
template <class Archive, class T>
void value(Archive& a, std::optional<T>& x) {
  bool there = x.has_value();
  archive(a, there);
  if (there && !x) x.emplace();
  if (there) archive(a, *x);
}
template <class Archive, class... T>
void value(Archive& a, std::variant<T...>& x) {
  std::size_t which = x.index();
  archive(a, which);
  if constexpr (Archive::kReads) {
    if (which >= sizeof...(T)) throw not_what_was_pickled();
    std::size_t i = 0;
    ((i++ == which ? void(x = T{}) : void()), ...);
  }
  std::visit([&](auto& alternative) { archive(a, alternative); }, x);
}
template <class Archive, class Scalar, int Rows, int Columns, int Order>
void value(Archive& a, Eigen::Matrix<Scalar, Rows, Columns, Order>& x) {
  std::uint32_t columns = static_cast<std::uint32_t>(x.cols());
  if constexpr (Columns == Eigen::Dynamic) archive(a, columns);
  // Without columns there may be more rows than bytes are left.
  auto rows = static_cast<std::size_t>(x.rows());
  if (columns == 0) {
    archive(a, rows);
  } else {
    rows = size(a, rows);
  }
  if constexpr (Archive::kReads && Rows == Eigen::Dynamic) {
    a.check(rows * columns);
    x.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  }
  if (rows != static_cast<std::size_t>(x.rows())) throw not_what_was_pickled();
  for (Scalar& entry : x.reshaped()) archive(a, entry);
}
template <class Archive, class Signature>
void value(Archive&, std::function<Signature>&) {
  throw UsageError("a mechanism with functions or controllers of the user cannot be pickled");
}

// The fields of a force.
template <class Archive>
class Fields {
 public:
  explicit Fields(Archive& a) : a_(a) {}

  template <class X>
  void number(const char*, X& x, Range, Need = Need::kOptional) {
    archive(a_, x);
  }
  template <class X>
  void numbers(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void body(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void moved_body(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void joint(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void joints(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void callback(const char*, X& x) {
    archive(a_, x);
  }
  template <class X, class Name>
  void point(const char*, X& x, Name&) {
    archive(a_, x);
  }
  template <class X, class Name>
  void frame(const char*, X& x, Name&) {
    archive(a_, x);
  }
  template <class X>
  void along_axes(const char*, X& x, Range) {
    archive(a_, x);
  }
  template <class X>
  void about_axes(const char*, X& x, Range) {
    archive(a_, x);
  }
  template <class X>
  void function(const char*, X& x, Need) {
    archive(a_, x);
  }
  template <class X>
  void along_axes_in_time(const char*, X& x) {
    archive(a_, x);
  }
  template <class X>
  void about_axes_in_time(const char*, X& x) {
    archive(a_, x);
  }
  template <class X, class Words>
  void word(const char*, X& x, const Words&) {
    archive(a_, x);
  }
  template <class Points>
  void rope(Points& points) {
    archive(a_, points);
  }
  template <class Names, class Ratios, class Points>
  void pulled(Names& names, Ratios& ratios, Points& points) {
    archive(a_, names);
    archive(a_, ratios);
    archive(a_, points);
  }

 private:
  Archive& a_;
};

template <class Archive, class T>
requires requires(T& x, Fields<Archive>& fields) { T::fields(x, fields); }
void value(Archive& a, T& x) {
  if constexpr (requires { x.name; }) archive(a, x.name);
  T::fields(x, Fields<Archive>(a));
  archive(a, x.where);
}

}  // namespace archived

template <class Archive, class T>
void archive(Archive& a, T& x) {
  if constexpr (archived::Plain<T>) {
    a.raw(&x, sizeof x);
  } else if constexpr (requires { archived::value(a, x); }) {
    archived::value(a, x);
  } else {
    std::apply([&](auto&... member) { (archive(a, member), ...); }, members(x));
  }
}

template <class T>
std::string to_bytes(T x) {
  ToBytes a;
  archive(a, x);
  return a.take();
}

template <class T>
T from_bytes(std::string_view bytes) {
  FromBytes a(bytes);
  T x;
  archive(a, x);
  return x;
}

}  // namespace hamiltree::bindings
