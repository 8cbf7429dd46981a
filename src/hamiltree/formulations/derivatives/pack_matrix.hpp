// PackMatrix: rows of packs, eight numbers each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::derivatives {

using kernel::kLaneCount;
using kernel::Lanes;

constexpr int packs_for(int columns) { return (columns + kLaneCount - 1) / kLaneCount; }

struct PackMatrix {
  // One pack of every row.
  struct Column {
    Lanes* first;
    std::ptrdiff_t packs;
    Lanes& operator[](int row) const { return first[row * packs]; }
  };
  // The columns, each with one number of every row.
  struct Entries {
    const double* first;
    std::ptrdiff_t stride;
    Entries of(int column) const { return {first + column, stride}; }
    double operator[](int row) const { return first[row * stride]; }
  };

  int packs = 0;
  std::vector<Lanes> data;

  PackMatrix() = default;
  PackMatrix(int rows, int columns_in_packs)
      : packs(columns_in_packs), data(at(rows * columns_in_packs), Lanes{}) {}
  Lanes* row(int i) { return data.data() + i * packs; }
  const Lanes* row(int i) const { return data.data() + i * packs; }
  Column column(int pack) { return {data.data() + pack, packs}; }
  Entries columns() const { return {data.data()->lane, kLaneCount * packs}; }
  double* entries(int i) { return data[at(i * packs)].lane; }
  const double* entries(int i) const { return data[at(i * packs)].lane; }
  void clear() { std::fill(data.begin(), data.end(), Lanes{}); }
};

}  // namespace hamiltree::derivatives
