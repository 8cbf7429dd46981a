#include "hamiltree/math/trace_program.hpp"

#include <algorithm>
#include <cmath>

namespace hamiltree {
namespace {

// Numbers of terms up to three are known to the compiler.
constexpr std::size_t kAny = 4;

template <std::size_t kProducts, class F>
void with_multiples(std::size_t multiples, const F& f) {
  switch (multiples) {
    case 0:
      return f.template operator()<kProducts, 0>();
    case 1:
      return f.template operator()<kProducts, 1>();
    case 2:
      return f.template operator()<kProducts, 2>();
    case 3:
      return f.template operator()<kProducts, 3>();
    default:
      return f.template operator()<kProducts, kAny>();
  }
}
template <class F>
void with_terms(std::size_t products, std::size_t multiples, const F& f) {
  switch (products) {
    case 0:
      return with_multiples<0>(multiples, f);
    case 1:
      return with_multiples<1>(multiples, f);
    case 2:
      return with_multiples<2>(multiples, f);
    case 3:
      return with_multiples<3>(multiples, f);
    default:
      return with_multiples<kAny>(multiples, f);
  }
}

}  // namespace

bool TraceProgram::stands_still(std::span<const double> inputs) const {
  const auto first = static_cast<std::ptrdiff_t>(moving_.first);
  const auto end = static_cast<std::ptrdiff_t>(moving_.end);
  return std::equal(inputs.begin(), inputs.begin() + first, values_.begin()) &&
         std::equal(inputs.begin() + end, inputs.end(), values_.begin() + end);
}

void TraceProgram::evaluate(std::span<const double> inputs, bool with_late) {
  if (!stands_still(inputs)) has_values_ = {};
  std::ranges::copy(inputs, values_.begin());
  for (int late = 0; late <= (with_late ? kLate : 0); ++late) {
    auto& has_values = has_values_[static_cast<std::size_t>(late)];
    if (!has_values) evaluate_group(late);
    has_values = true;
    evaluate_group(kMoving + late);
  }
}

void TraceProgram::evaluate_group(int group) {
  const auto g = static_cast<std::size_t>(group);
  for (auto run = group_runs_[g]; run < group_runs_[g + 1]; ++run) evaluate_run(runs_[run]);
}

void TraceProgram::evaluate_run(const Run& run) {
  double* x = values_.data();
  if (run.op != TraceOp::kAdd) {
    const auto* operands = others_.data() + run.first_other;
    for (std::size_t i = run.first; i < run.last; ++i, ++operands)
      x[i] = apply_operation(run.op, x[operands->a], x[operands->b], x[operands->c]);
    return;
  }
  const auto* product = products_.data() + run.first_product;
  const auto* multiple = multiples_.data() + run.first_multiple;
  with_terms(run.products, run.multiples, [&]<std::size_t kProducts, std::size_t kMultiples>() {
    const auto products = kProducts == kAny ? run.products : kProducts;
    const auto multiples = kMultiples == kAny ? run.multiples : kMultiples;
    for (std::size_t i = run.first; i < run.last; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < products; ++k, ++product)
        sum += product->sign * x[product->a] * x[product->b];
      for (std::size_t k = 0; k < multiples; ++k, ++multiple)
        sum += multiple->factor * x[multiple->a];
      x[i] = sum;
    }
  });
}

void TraceProgram::push(std::span<const double> inputs, std::span<double> outputs) {
  std::ranges::fill(derivatives_, 0.0);
  keeps_ = keeps_late_ = false;
  std::ranges::copy(inputs, derivatives_.begin());
  for (const auto& run : runs_) push_run(run);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = derivatives_[outputs_[i]];
}

void TraceProgram::push_run(const Run& run) {
  if (run.op != TraceOp::kAdd) return push_other(run);
  const double* x = values_.data();
  double* d = derivatives_.data();
  const auto* product = products_.data() + run.first_product;
  const auto* multiple = multiples_.data() + run.first_multiple;
  for (std::size_t i = run.first; i < run.last; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < run.products; ++k, ++product) {
      const auto& [a, b, sign] = *product;
      sum += sign * (d[a] * x[b] + x[a] * d[b]);
    }
    for (std::size_t k = 0; k < run.multiples; ++k, ++multiple)
      sum += multiple->factor * d[multiple->a];
    d[i] = sum;
  }
}

void TraceProgram::push_other(const Run& run) {
  const double* x = values_.data();
  double* d = derivatives_.data();
  const auto* operands = others_.data() + run.first_other;
  for (std::size_t i = run.first; i < run.last; ++i, ++operands) {
    const auto [a, b, c] = *operands;
    switch (run.op) {
      case TraceOp::kDivide:
        d[i] = (d[a] - x[i] * d[b]) / x[b];
        break;
      case TraceOp::kAbs:
        d[i] = x[a] < 0.0 ? -d[a] : d[a];
        break;
      case TraceOp::kSqrt:
        d[i] = d[a] == 0.0 ? 0.0 : d[a] / (2.0 * x[i]);
        break;
      case TraceOp::kSin:
        d[i] = (c != i ? x[c] : std::cos(x[a])) * d[a];
        break;
      case TraceOp::kCos:
        d[i] = -(c != i ? x[c] : std::sin(x[a])) * d[a];
        break;
      case TraceOp::kTanh:
        d[i] = (1.0 - x[i] * x[i]) * d[a];
        break;
      case TraceOp::kAtan2:
        d[i] = (x[b] * d[a] - x[a] * d[b]) / (x[a] * x[a] + x[b] * x[b]);
        break;
      case TraceOp::kSelect:
        d[i] = x[a] != 0.0 ? d[b] : d[c];
        break;
      default:  // masks, which do not move
        d[i] = 0.0;
    }
  }
}

void TraceProgram::pull_run(const Run& run) {
  if (run.op != TraceOp::kAdd) return pull_other(run);
  const double* x = values_.data();
  double* d = derivatives_.data();
  const auto count = run.last - run.first;
  const auto* product = products_.data() + run.first_product + count * run.products;
  const auto* multiple = multiples_.data() + run.first_multiple + count * run.multiples;
  with_terms(run.products, run.multiples, [&]<std::size_t kProducts, std::size_t kMultiples>() {
    const auto products = kProducts == kAny ? run.products : kProducts;
    const auto multiples = kMultiples == kAny ? run.multiples : kMultiples;
    for (std::size_t i = run.last; i-- > run.first;) {
      const double g = d[i];
      for (std::size_t k = 0; k < products; ++k) {
        const auto& [a, b, sign] = *--product;
        const double share = g * sign;
        d[a] += share * x[b];
        d[b] += share * x[a];
      }
      for (std::size_t k = 0; k < multiples; ++k) {
        --multiple;
        d[multiple->a] += g * multiple->factor;
      }
    }
  });
}

// Divisions by zero are skipped where nothing depends on them: on the side of a select that was
// not taken.
void TraceProgram::pull_other(const Run& run) {
  const double* x = values_.data();
  double* d = derivatives_.data();
  const auto each = [&](const auto& pull_one) {
    const auto* operands = others_.data() + run.first_other + (run.last - run.first);
    for (std::size_t i = run.last; i-- > run.first;) pull_one(i, *--operands, d[i]);
  };
  const auto where_felt = [&](const auto& pull_one) {
    each([&](std::size_t i, const Operands& operands, double g) {
      if (g != 0.0) pull_one(i, operands, g);
    });
  };
  switch (run.op) {
    case TraceOp::kDivide:
      return where_felt([&](std::size_t i, const Operands& of, double g) {
        const double share = g / x[of.b];
        d[of.a] += share;
        d[of.b] -= share * x[i];
      });
    case TraceOp::kAbs:
      return each(
          [&](std::size_t, const Operands& of, double g) { d[of.a] += x[of.a] < 0.0 ? -g : g; });
    case TraceOp::kSqrt:
      return where_felt(
          [&](std::size_t i, const Operands& of, double g) { d[of.a] += g / (2.0 * x[i]); });
    case TraceOp::kSin:
      return each([&](std::size_t i, const Operands& of, double g) {
        d[of.a] += (of.c != i ? x[of.c] : std::cos(x[of.a])) * g;
      });
    case TraceOp::kCos:
      return each([&](std::size_t i, const Operands& of, double g) {
        d[of.a] -= (of.c != i ? x[of.c] : std::sin(x[of.a])) * g;
      });
    case TraceOp::kTanh:
      return each(
          [&](std::size_t i, const Operands& of, double g) { d[of.a] += (1.0 - x[i] * x[i]) * g; });
    case TraceOp::kAtan2:
      return where_felt([&](std::size_t, const Operands& of, double g) {
        const double y = x[of.a], z = x[of.b];
        const double share = g / (y * y + z * z);
        d[of.a] += z * share;
        d[of.b] -= y * share;
      });
    case TraceOp::kSelect:
      return each(
          [&](std::size_t, const Operands& of, double g) { d[x[of.a] != 0.0 ? of.b : of.c] += g; });
    default:
      return;
  }
}

void TraceProgram::pull_group(int group) {
  const auto g = static_cast<std::size_t>(group);
  for (auto run = group_runs_[g + 1]; run-- > group_runs_[g];) pull_run(runs_[run]);
}

void TraceProgram::clear_groups(int first, int end) {
  const auto place = [&](int group) {
    return derivatives_.begin() +
           static_cast<std::ptrdiff_t>(group_places_[static_cast<std::size_t>(group)]);
  };
  std::fill(place(first), place(end), 0.0);
}

void TraceProgram::seed(std::span<const double> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) derivatives_[outputs_[i]] += outputs[i];
}

void TraceProgram::pull_moving(std::span<const double> outputs, std::span<double> inputs) {
  std::ranges::fill(derivatives_, 0.0);
  seed(outputs);
  keeps_late_ = outputs.size() > early_outputs_;
  if (keeps_late_) pull_group(kMoving + kLate);
  pull_group(kMoving);
  for (auto i = moving_.first; i < moving_.end; ++i) inputs[i] += derivatives_[i];
  keeps_ = true;
}

void TraceProgram::pull(std::span<const double> outputs, std::span<double> inputs) {
  const bool has_late = outputs.size() > early_outputs_;
  if (keeps_) {
    std::fill_n(derivatives_.begin() + static_cast<std::ptrdiff_t>(moving_.first),
                moving_.end - moving_.first, 0.0);
    clear_groups(kMoving, kGroups);
  } else {
    std::ranges::fill(derivatives_, 0.0);
  }
  seed(outputs);
  if (has_late) pull_group(kMoving + kLate);
  pull_group(kMoving);
  if (has_late || keeps_late_) pull_group(kLate);
  pull_group(0);
  keeps_ = keeps_late_ = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] += derivatives_[i];
}

}  // namespace hamiltree
