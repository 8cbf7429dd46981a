#include "hardware/compiler/algebra.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hamiltree::hardware {

namespace {

// Longer sums are not opened: they stay one term.
constexpr std::size_t kLongestSum = 512;

// Terms of opposite numbers that differ by their rounding cancel.
constexpr double kRounding = 1e-14;

std::vector<Algebra::Term> merged(const std::vector<Algebra::Term>& x,
                                  const std::vector<Algebra::Term>& y, bool& cancels) {
  std::vector<Algebra::Term> all;
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->node < j->node)) {
      all.push_back(*i++);
    } else if (i == x.end() || j->node < i->node) {
      all.push_back(*j++);
    } else {
      const double sum = i->factor + j->factor;
      if (std::abs(sum) > kRounding * std::abs(i->factor)) {
        all.push_back({sum, i->node});
      } else {
        cancels = true;
      }
      ++i, ++j;
    }
  }
  return all;
}

}  // namespace

Algebra::Term Algebra::intern(Node node) {
  const auto key = std::make_tuple(node.form, node.number, node.parts);
  const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(nodes_.size()));
  if (is_new) {
    const int self = place->second;
    if (node.form == Form::kSum) {
      bool cancels = false;
      for (const auto& part : node.parts) node.terms = merged(node.terms, terms_of(part), cancels);
      if (node.terms.size() > kLongestSum) node.terms = {{1.0, self}};
    } else if (node.form == Form::kProduct) {
      for (const auto& part : node.parts) {
        const auto more = factors_of(part.node);
        node.factors.insert(node.factors.end(), more.begin(), more.end());
      }
      std::sort(node.factors.begin(), node.factors.end());
    } else {
      node.factors = {self};
    }
    nodes_.push_back(std::move(node));
  }
  return {1.0, place->second};
}

Algebra::Term Algebra::state(int number) { return intern({Form::kState, number, {}, {}, {}}); }

std::vector<Algebra::Term> Algebra::terms_of(Term x) const {
  if (!is_sum(x.node)) return {x};
  auto terms = at(x.node).terms;
  for (auto& term : terms) term.factor *= x.factor;
  return terms;
}

std::vector<int> Algebra::factors_of(int node) const {
  if (node == kOne) return {};
  return is_sum(node) ? std::vector<int>{node} : at(node).factors;
}

// A sum of two terms as they are. A factor that both share is drawn out, and the first is positive.
Algebra::Term Algebra::pair(Term x, Term y) {
  if (y.node < x.node) std::swap(x, y);
  const double scale =
      std::abs(x.factor) == std::abs(y.factor) ? x.factor : std::copysign(1.0, x.factor);
  x.factor /= scale;
  y.factor /= scale;
  Term sum = intern({Form::kSum, 0, {x, y}, {}, {}});
  sum.factor = scale;
  return sum;
}

// Neighbours first, so that sums over the same bodies are the same sums.
Algebra::Term Algebra::sum_of(const std::vector<Term>& terms, std::size_t begin, std::size_t end) {
  if (begin == end) return number(0.0);
  if (end - begin == 1) return terms[begin];
  std::size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  const Term left = sum_of(terms, begin, begin + half);
  return pair(left, sum_of(terms, begin + half, end));
}

Algebra::Term Algebra::add(Term x, Term y) {
  if (x.factor == 0.0) return y;
  if (y.factor == 0.0) return x;
  bool cancels = false;
  const auto all = merged(terms_of(x), terms_of(y), cancels);
  if (x.node == y.node || cancels) return sum_of(all, 0, all.size());  // (2)
  return pair(x, y);
}

Algebra::Term Algebra::product_of(const std::vector<int>& factors) {
  Term product = number(1.0);
  for (const int factor : factors) product = multiply(product, {1.0, factor});
  return product;
}

Algebra::Term Algebra::multiply(Term x, Term y) {
  const double factor = x.factor * y.factor;  // (1)
  if (factor == 0.0) return number(0.0);
  if (x.node == kOne) return {factor, y.node};
  if (y.node == kOne) return {factor, x.node};
  if (joins_pivots_) {
    for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
      const int pivot = is_sum(y.node) ? pivot_of(y.node) : kOne;
      auto factors = factors_of(x.node);
      const auto place = std::find(factors.begin(), factors.end(), pivot);
      if (pivot == kOne || place == factors.end()) continue;
      factors.erase(place);
      const Term rest = multiply(product_of(factors), times_pivot(y.node, pivot));  // (4)
      return {factor * rest.factor, rest.node};
    }
  }
  Term one{1.0, x.node}, other{1.0, y.node};
  if (other.node < one.node) std::swap(one, other);
  return {factor, intern({Form::kProduct, 0, {one, other}, {}, {}}).node};
}

Algebra::Term Algebra::reciprocal(Term x) {
  if (x.is_number()) return number(1.0 / x.factor);
  const int pivot = joins_pivots_ && is_sum(x.node) ? pivot_of(x.node) : kOne;
  if (pivot != kOne) {  // (3)
    const Term inverse = reciprocal(times_pivot(x.node, pivot));
    return multiply({inverse.factor / x.factor, inverse.node}, {1.0, pivot});
  }
  return {1.0 / x.factor, intern({Form::kReciprocal, 0, {{1.0, x.node}}, {}, {}}).node};
}

int Algebra::pivot_of(int sum) const {
  int latest = kOne;
  if (at(sum).parts.size() != 2) return kOne;
  for (const auto& part : at(sum).parts) {
    for (const int factor : factors_of(part.node)) {
      if (at(factor).form == Form::kReciprocal) latest = std::max(latest, factor);
    }
  }
  return latest == kOne ? kOne : at(latest).parts.front().node;
}

// a times a sum in which 1 / a stands
Algebra::Term Algebra::times_pivot(int sum, int pivot) {
  const auto parts = at(sum).parts;
  Term result = number(0.0);
  for (const auto& part : parts) {
    auto factors = factors_of(part.node);
    const auto place = std::find_if(factors.begin(), factors.end(), [&](int f) {
      return at(f).form == Form::kReciprocal && at(f).parts.front().node == pivot;
    });
    if (place == factors.end()) {
      result = add(result, multiply(part, {1.0, pivot}));
    } else {
      factors.erase(place);
      const Term rest = product_of(factors);
      result = add(result, {part.factor * rest.factor, rest.node});
    }
  }
  return result;
}

}  // namespace hamiltree::hardware
