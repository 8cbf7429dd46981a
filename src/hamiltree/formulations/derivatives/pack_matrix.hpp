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

  int packs = 0;
  std::vector<Lanes> data;

  PackMatrix() = default;
  PackMatrix(int rows, int columns_in_packs)
      : packs(columns_in_packs), data(at(rows * columns_in_packs), Lanes{}) {}
  Lanes* row(int i) { return data.data() + i * packs; }
  const Lanes* row(int i) const { return data.data() + i * packs; }
  Column column(int pack) { return {data.data() + pack, packs}; }
  double* entries(int i) { return data[at(i * packs)].lane; }
  const double* entries(int i) const { return data[at(i * packs)].lane; }
  void clear() { std::fill(data.begin(), data.end(), Lanes{}); }
};

// Motions or forces of up to six entries: each in one row of packs, and again as a column by
// itself.
struct ScrewMatrix {
  PackMatrix rows;
  std::vector<Lanes> columns;

  ScrewMatrix(int dimension, int packs)
      : rows(dimension, packs), columns(at(kLaneCount * packs), Lanes{}) {}
};

}  // namespace hamiltree::derivatives
