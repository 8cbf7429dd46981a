// Derivatives of rates and accelerations on random mechanisms with all joints, loops, drives,
// couplings and forces, along random directions of the state, the time and all parameters: against
// central differences of the general kernel in quadruple precision.
#include "hamiltree/formulations/derivatives/derivatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/model/parameters.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"
#include "support/wide_mechanism.hpp"

namespace hamiltree::test {
namespace {

using Eigen::VectorXd;

constexpr std::uint64_t kSeed = 30;
constexpr double kTolerance = 1e-9;  // of the largest entry; measured: 5e-12 at most
constexpr double kStep = 1e-11;      // of differences: their error is about 1e-22
constexpr int kDirections = 3;
constexpr int kOfState = 0;              // the direction in which the state moves alone
constexpr std::uint64_t kSamples = 143;  // of 14 kinds: 2,000 mechanisms

// One direction: of everything that the rates depend on.
struct Move {
  double t = 0.0;
  VectorXd q, u, parameters;
};

// The general kernel in quadruple precision, with the rows chosen for the one on double.
template <class Space>
class Wide {
  using On = typename Space::template Rebind<Quad>;

 public:
  Wide(const Model& model, const System<Space>& system, const RowsAtAPose<Space>& rows)
      : model_(model), system_(system.template cast<Quad>()), rows_(rows) {}

  struct Rates {
    std::vector<Quad> v, q_dot, p_dot, sigma, v_dot;
  };

  // At the state moved by a step.
  Rates rates(double t, const VectorXd& q, const VectorXd& p, const Move& move, double step) {
    auto system = system_;
    ParameterVisit<On> visit(model_, system);
    Eigen::Index i = 0;
    visit.all([&](const std::string&, Quad& number) {
      number += Quad(step) * Quad(move.parameters(i++));
    });
    visit.complete_inertias();
    const Recursive<On> kernel(system);
    typename Recursive<On>::Work work(kernel);
    rows_.give(work.fronts);
    const auto moved = [&](const VectorXd& x, const VectorXd& by) {
      std::vector<Quad> y;
      for (Eigen::Index k = 0; k < x.size(); ++k)
        y.push_back(Quad(x(k)) + Quad(step) * Quad(by(k)));
      return y;
    };
    const auto at_q = moved(q, move.q);
    const auto at_p = moved(p, move.u);
    const Quad now = Quad(t) + Quad(step) * Quad(move.t);
    kernel.velocities(now, at_q.data(), at_p.data(), nullptr, work);
    kernel.momentum_rates(now, at_q.data(), work);
    const auto& r = work.result;
    Rates rates{r.v, r.q_dot, r.p_dot, r.sigma, {}};
    kernel.accelerations(now, at_q.data(), work);
    rates.v_dot = work.result.v_dot;
    return rates;
  }

 private:
  const Model& model_;
  System<On> system_;
  const RowsAtAPose<Space>& rows_;
};

VectorXd difference_of(const std::vector<Quad>& ahead, const std::vector<Quad>& behind) {
  VectorXd d(static_cast<Eigen::Index>(ahead.size()));
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    d(static_cast<Eigen::Index>(i)) = to_double((ahead[i] - behind[i]) / Quad(2.0 * kStep));
  }
  return d;
}

double error(const VectorXd& x, const VectorXd& exact) {
  if (exact.size() == 0) return 0.0;
  return (x - exact).lpNorm<Eigen::Infinity>() / (1.0 + exact.lpNorm<Eigen::Infinity>());
}

Move random_move(RandomMechanism& random, const Model& model, int kind) {
  const auto numbers = parameters(model);
  Move move{0.0, VectorXd::Zero(model.coordinate_count()), VectorXd::Zero(model.velocity_count()),
            VectorXd::Zero(static_cast<Eigen::Index>(numbers.size()))};
  if (kind != 1) {
    move.q = random.vector(model.coordinate_count());
    move.u = random.vector(model.velocity_count());
  }
  if (kind != kOfState) {
    move.t = random.uniform(-1.0, 1.0);
    for (Eigen::Index i = 0; i < move.parameters.size(); ++i) {
      move.parameters(i) =
          random.uniform(-1.0, 1.0) * (0.1 + std::abs(numbers[static_cast<std::size_t>(i)].value));
    }
  }
  return move;
}

// Each kind of move is one column.
RateDirections columns_of(const std::vector<Move>& moves) {
  RateDirections all;
  const auto count = static_cast<Eigen::Index>(moves.size());
  all.t.resize(1, count);
  all.q.resize(moves[0].q.size(), count);
  all.p.resize(moves[0].u.size(), count);
  all.parameters.resize(moves[0].parameters.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto& move = moves[static_cast<std::size_t>(k)];
    all.t(0, k) = move.t;
    all.q.col(k) = move.q;
    all.p.col(k) = move.u;
    all.parameters.col(k) = move.parameters;
  }
  return all;
}

class RandomDerivatives : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {
 protected:
  template <class Space>
  double check(const Model& model, const System<Space>& system, RandomMechanism& random) {
    const Formulation formulation(
        "recursive", "", {},
        std::make_unique<GeneralKernelOf<Recursive<Space>>>(Recursive<Space>(system)));
    const auto workspace = formulation.make_workspace();
    const double t = RandomMechanism::kTime;
    VectorXd q = random.closed_pose(model, system);
    const VectorXd p = random.vector(system.velocities);
    formulation.analyse({t, q.data(), p.data()}, *workspace);
    RowsAtAPose<Space> rows(system);
    rows.choose(t, q, p);
    if (formulation.least_pivot(*workspace) < 1e-4) return 0.0;  // nearly singular: few digits
    // Off the loops too the rates are what is differentiated.
    if (random.chance(0.5)) q += random.vector(system.coordinates, 1e-3);
    normalise_coordinates(system, q.data());
    const StateView state{t, q.data(), p.data()};

    std::vector<Move> moves;
    for (int kind = 0; kind < kDirections; ++kind)
      moves.push_back(random_move(random, model, kind));
    Derivatives derivatives(model, formulation);
    RateDerivatives result;
    EXPECT_EQ(derivatives.of_rates(state, columns_of(moves), kDirections, *workspace, result),
              Status::kOk);
    Wide<Space> wide(model, system, rows);
    double worst = 0.0;
    const auto analytic = derivatives::make_analytic(model, formulation);
    Jacobians jacobians;
    const bool closed_form = analytic && analytic->find(state, *workspace, jacobians);
    if (closed_form) {
      ++closed_forms_;
      worst = error_of_time(state, jacobians.by_time, derivatives, *workspace);
    }
    for (int k = 0; k < kDirections; ++k) {
      const auto ahead = wide.rates(t, q, p, moves[at(k)], kStep);
      const auto behind = wide.rates(t, q, p, moves[at(k)], -kStep);
      const auto check_one = [&](const char* what, const Columns& columns, const auto& of) {
        const auto column = columns.col(columns.cols() == 1 ? 0 : k);
        const double off = error(column, difference_of(ahead.*of, behind.*of));
        EXPECT_LT(off, kTolerance) << what << " along move " << k;
        worst = std::max(worst, off);
      };
      using Rates = typename Wide<Space>::Rates;
      check_one("v", result.v, &Rates::v);
      check_one("q_dot", result.q_dot, &Rates::q_dot);
      check_one("p_dot", result.p_dot, &Rates::p_dot);
      check_one("sigma", result.sigma, &Rates::sigma);
      if (!closed_form || k != kOfState) continue;
      const auto check_form = [&](const char* what, const auto& part, const auto& of) {
        const Columns sum = jacobians.q.*part * moves[at(k)].q + jacobians.p.*part * moves[at(k)].u;
        check_one(what, sum, of);
      };
      using In = Jacobians::Part;
      check_form("v in closed form", &In::v, &Rates::v);
      check_form("q_dot in closed form", &In::q_dot, &Rates::q_dot);
      check_form("p_dot in closed form", &In::p_dot, &Rates::p_dot);
      check_form("sigma in closed form", &In::sigma, &Rates::sigma);
    }
    const double of_accelerations = check_accelerations(
        state, columns_of(moves), result.v, derivatives, *workspace, [&](int k) {
          return difference_of(wide.rates(t, q, p, moves[at(k)], kStep).v_dot,
                               wide.rates(t, q, p, moves[at(k)], -kStep).v_dot);
        });
    return std::max(worst, of_accelerations);
  }

  // The column of time, against the sweeps on dual numbers.
  static double error_of_time(const StateView& state, const RateDerivatives& by_time,
                              Derivatives& derivatives, Workspace& workspace) {
    RateDirections time;
    time.t = Columns::Ones(1, 1);
    RateDerivatives exact;
    EXPECT_EQ(derivatives.of_rates(state, time, 1, workspace, exact), Status::kOk);
    double worst = 0.0;
    for (const auto of : {&RateDerivatives::v, &RateDerivatives::q_dot, &RateDerivatives::p_dot,
                          &RateDerivatives::sigma}) {
      const double off = error((by_time.*of).col(0), (exact.*of).col(0));
      EXPECT_LT(off, kTolerance) << "by time";
      worst = std::max(worst, off);
    }
    return worst;
  }

  // Velocities move as the momenta make them.
  template <class Exact>
  static double check_accelerations(const StateView& state, const RateDirections& moves,
                                    const Columns& d_v, Derivatives& derivatives,
                                    Workspace& workspace, const Exact& exact) {
    const auto& formulation = derivatives.formulation();
    EXPECT_EQ(formulation.accelerations(state, workspace), Status::kOk);
    const auto copied = [](std::span<const double> x) {
      return VectorXd(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
    };
    const VectorXd v = copied(workspace.v), v_dot = copied(workspace.v_dot);
    Accelerations result;
    EXPECT_EQ(derivatives.of_accelerations(state.t, state.q, v.data(), nullptr,
                                           {moves.t, moves.q, d_v, {}, moves.parameters},
                                           kDirections, workspace, result),
              Status::kOk);
    double worst = error(result.v_dot, v_dot);
    EXPECT_LT(worst, kTolerance) << "accelerations";
    for (int k = 0; k < kDirections; ++k) {
      const double off = error(result.d_v_dot.col(k), exact(k));
      EXPECT_LT(off, kTolerance) << "v_dot along move " << k;
      worst = std::max(worst, off);
    }
    return worst;
  }

  int closed_forms_ = 0;  // mechanisms whose Jacobians have one
};

TEST_P(RandomDerivatives, AgreeWithDifferencesInQuadruplePrecision) {
  const auto [space, topology] = GetParam();
  double worst = 0.0;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    const auto seed = kSeed + 1000 * static_cast<std::uint64_t>(topology) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(random.make(space, topology, i % 2 == 0 ? Extent::kFull : Extent::kBasic));
    worst = std::max(worst,
                     model.visit([&](const auto& system) { return check(model, system, random); }));
    if (HasFailure()) break;
  }
  // The rest has universal joints, pins in slots or driven joints in its loops, as have all pairs
  // of joints in parallel in the plane, or rows that are shared out.
  if (space != SpaceKind::kPlanar || topology != Topology::kParallelJoints) {
    EXPECT_GT(closed_forms_, static_cast<int>(kSamples / 3));
  }
  std::printf("  from seed %llu: worst %.1e, %d in closed form\n",
              static_cast<unsigned long long>(kSeed), worst, closed_forms_);
}

// Curved couplings leave the closed form.
TEST_P(RandomDerivatives, AgreeWithDifferencesWhereCouplingsAreCurved) {
  const auto [space, topology] = GetParam();
  double worst = 0.0;
  int curved = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto seed = kSeed + 1000 * static_cast<std::uint64_t>(topology) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    random.bend_couplings();
    const auto mechanism = cut_where_closed(random.make(space, topology, Extent::kFull));
    if (mechanism.couplings.empty()) continue;
    ++curved;
    const Model model(mechanism);
    worst = std::max(worst,
                     model.visit([&](const auto& system) { return check(model, system, random); }));
    if (HasFailure()) break;
  }
  EXPECT_GT(curved, 1);
  EXPECT_EQ(closed_forms_, 0);
  std::printf("  from seed %llu: %d mechanisms, worst %.1e\n",
              static_cast<unsigned long long>(kSeed), curved, worst);
}

// Every formulation solves with factors of its own; where no row is redundant they agree, and their
// Jacobians are made of the derivatives along unit directions.
TEST(Derivatives, OfAllFormulationsAgree) {
  double worst = 0.0;
  int samples = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const auto space = seed % 2 == 0 ? SpaceKind::kPlanar : SpaceKind::kSpatial;
    const Model model(random.make(space, kTopologies[seed % 7], Extent::kFull));
    const VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
    const VectorXd p = random.vector(model.velocity_count());
    const StateView state{RandomMechanism::kTime, q.data(), p.data()};
    std::vector<Jacobians> all;
    bool usable = true;
    for (const auto* name : {"dense", "recursive", "hdca"}) {
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      usable = usable && formulation->analyse(state, *workspace).redundant == 0;
      Derivatives derivatives(model, *formulation);
      ASSERT_EQ(derivatives.jacobians(state, *workspace, all.emplace_back()), Status::kOk);
      usable = usable && formulation->least_pivot(*workspace) > 1e-4;
    }
    if (!usable) continue;
    ++samples;
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (const auto part : {&Jacobians::q, &Jacobians::p, &Jacobians::t}) {
        using Part = Jacobians::Part;
        for (const auto of : {&Part::v, &Part::q_dot, &Part::p_dot, &Part::sigma}) {
          const Columns exact = all[0].*part.*of;
          if (exact.size() == 0) continue;
          const double off = ((all[i].*part.*of) - exact).lpNorm<Eigen::Infinity>() /
                             (1.0 + exact.lpNorm<Eigen::Infinity>());
          EXPECT_LT(off, 1e-8) << "formulation " << i;
          worst = std::max(worst, off);
        }
      }
    }
  }
  EXPECT_GT(samples, 20);
  std::printf("  %d samples; worst %.1e\n", samples, worst);
}

// Redundant rows leave impulses open; dense takes the least, which turn with the pose.
// Along a motion that keeps the loops closed the same rows stay redundant.
TEST(Derivatives, OfLeastImpulsesAgreeWithDifferences) {
  constexpr double h = 1e-4, kBound = 1e-8;  // measured: 1.7e-10
  double worst = 0.0;
  RandomMechanism random(kSeed);
  for (const char* name : {"parallelogram", "bennett", "bricard", "sarrus", "scissor_lift"}) {
    SCOPED_TRACE(name);
    const Model model = shipped(name);
    const VectorXd q = initial_state(model).q, p = random.vector(model.velocity_count());
    const auto formulation = make_formulation("dense", model);
    const auto workspace = formulation->make_workspace();
    const StateView state{0.0, q.data(), p.data()};
    ASSERT_GT(formulation->analyse(state, *workspace).redundant, 0);
    formulation->velocities(state, nullptr, *workspace);
    RateDirections move;
    move.q = Eigen::Map<const VectorXd>(workspace->q_dot.data(), q.size());
    move.p = random.vector(static_cast<int>(p.size()));
    RateDerivatives result;
    Derivatives derivatives(model, *formulation);
    ASSERT_EQ(derivatives.of_rates(state, move, 1, *workspace, result), Status::kOk);
    VectorXd found(result.v.size() + result.p_dot.size() + result.sigma.size());
    found << result.v, result.p_dot, result.sigma;
    const auto rates = [&](double step) {
      const VectorXd at_q = q + step * move.q, at_p = p + step * move.p;
      formulation->rate({0.0, at_q.data(), at_p.data()}, *workspace);
      VectorXd all(found.size());
      auto to = all.begin();
      for (const auto part : {workspace->v, workspace->u_dot, workspace->sigma})
        to = std::ranges::copy(part, to).out;
      return all;
    };
    const VectorXd expected =
        (8.0 * (rates(h) - rates(-h)) - (rates(2.0 * h) - rates(-2.0 * h))) / (12.0 * h);
    const double off = error(found, expected);
    EXPECT_LT(off, kBound);
    worst = std::max(worst, off);
  }
  std::printf("  worst %.1e\n", worst);
}

// Jacobians at one pose after another, by rows that stay or may be others, are those of the sweeps.
TEST(Derivatives, FollowTheRowsInUse) {
  double worst = 0.0;
  int samples = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(random.make(SpaceKind::kSpatial, kTopologies[seed % 7], Extent::kBasic));
    if (model.constraint_count() == 0) continue;
    const auto formulation = make_formulation("recursive", model);
    const auto workspace = formulation->make_workspace();
    Derivatives derivatives(model, *formulation);
    const int n = model.coordinate_count(), m = model.velocity_count();
    VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
    for (int pose = 0; pose < 6; ++pose) {
      const VectorXd p = random.vector(m);
      const StateView state{RandomMechanism::kTime, q.data(), p.data()};
      if (pose == 0 || pose == 4) formulation->analyse(state, *workspace);
      if (pose == 3) formulation->lower_mask(0.1, *workspace);
      Jacobians found;
      ASSERT_EQ(derivatives.jacobians(state, *workspace, found), Status::kOk);
      RateDirections units;
      units.q = Columns::Identity(n, n + m);
      units.p = Columns::Zero(m, n + m);
      units.p.rightCols(m).setIdentity();
      RateDerivatives swept;
      ASSERT_EQ(derivatives.of_rates(state, units, n + m, *workspace, swept), Status::kOk);
      if (formulation->least_pivot(*workspace) < 1e-4) continue;
      ++samples;
      const auto check = [&](const Columns& exact, const auto& by_q, const auto& by_p) {
        Columns both(exact.rows(), exact.cols());
        both << by_q, by_p;
        const double off =
            (both - exact).lpNorm<Eigen::Infinity>() / (1.0 + exact.lpNorm<Eigen::Infinity>());
        EXPECT_LT(off, 1e-8) << "pose " << pose;
        worst = std::max(worst, off);
      };
      check(swept.v, found.q.v, found.p.v);
      check(swept.q_dot, found.q.q_dot, found.p.q_dot);
      check(swept.p_dot, found.q.p_dot, found.p.p_dot);
      check(swept.sigma, found.q.sigma, found.p.sigma);
      // As its loops allow, to first order.
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      const Eigen::Map<const VectorXd> q_dot(workspace->q_dot.data(), n);
      q += 0.1 / q_dot.norm() * q_dot;
      model.visit([&](const auto& s) { normalise_coordinates(s, q.data()); });
    }
  }
  EXPECT_GT(samples, 100);
  std::printf("  %d samples; worst %.1e\n", samples, worst);
}

// No two choices have one number, not even of two workspaces.
TEST(Derivatives, ChoicesOfRowsAreNumbered) {
  RandomMechanism random(5);
  const Model model(random.make(SpaceKind::kSpatial, Topology::kSingleLoop, Extent::kBasic));
  const VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
  const VectorXd p = random.vector(model.velocity_count());
  const StateView state{RandomMechanism::kTime, q.data(), p.data()};
  const auto formulation = make_formulation("recursive", model);
  const auto one = formulation->make_workspace(), other = formulation->make_workspace();
  EXPECT_EQ(formulation->choice(*one), 0u);
  std::set<std::uint64_t> numbers;
  const auto tell = [&](const Workspace& workspace) {
    numbers.insert(formulation->choice(workspace));
  };
  formulation->analyse(state, *one);
  tell(*one);
  formulation->rate(state, *one);
  formulation->prepare(state, *one);
  tell(*one);
  EXPECT_EQ(numbers.size(), 1u);
  formulation->analyse(state, *other);
  tell(*other);
  formulation->analyse(state, *one);
  tell(*one);
  formulation->lower_mask(0.5, *one);
  tell(*one);
  EXPECT_EQ(numbers.size(), 4u);
  EXPECT_FALSE(numbers.contains(0));
}

// An effort at a joint does what the rest position of a spring with stiffness k does k times; for
// joints that close loops too.
TEST(Derivatives, OfEffortsAreThoseOfSprings) {
  int joints = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const auto space = seed % 2 == 0 ? SpaceKind::kPlanar : SpaceKind::kSpatial;
    const Model model(random.make(space, kTopologies[seed % 7], Extent::kFull));
    const auto numbers = parameters(model);
    const VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
    const VectorXd p = random.vector(model.velocity_count());
    const auto formulation = make_formulation("recursive", model);
    const auto workspace = formulation->make_workspace();
    const StateView state{RandomMechanism::kTime, q.data(), p.data()};
    formulation->analyse(state, *workspace);
    Derivatives derivatives(model, *formulation);
    for (int j = 0; j < model.joint_count(); ++j) {
      const auto value_of = [&](const char* what) {
        return std::ranges::find(numbers, "spring." + model.joint_name(j) + what, &Parameter::name);
      };
      const auto stiffness = value_of(".stiffness"), rest = value_of(".rest");
      if (stiffness == numbers.end() || stiffness->value < 0.1) continue;
      RateDirections directions;
      directions.efforts = Columns::Zero(model.joint_count(), 2);
      directions.efforts(j, 0) = stiffness->value;
      directions.parameters = Columns::Zero(static_cast<Eigen::Index>(numbers.size()), 2);
      directions.parameters(rest - numbers.begin(), 1) = 1.0;
      RateDerivatives result;
      ASSERT_EQ(derivatives.of_rates(state, directions, 2, *workspace, result), Status::kOk);
      EXPECT_LE((result.p_dot.col(0) - result.p_dot.col(1)).norm(), 1e-12 * result.p_dot.norm());
      joints += result.p_dot.norm() > 0.0 ? 1 : 0;  // an effort along a driven joint moves nothing
    }
  }
  EXPECT_GT(joints, 10);
}

TEST(Derivatives, SaysWhatHasNone) {
  Mechanism mechanism = RandomMechanism(3).make(SpaceKind::kPlanar, Topology::kChain);
  const auto message = [](const Mechanism& m, const char* name) -> std::string {
    const Model model(m);
    const auto formulation = make_formulation(name, model);
    try {
      Derivatives derivatives(model, *formulation);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message(mechanism, "aba"),
            "formulation aba has no momenta; derivatives take recursive, hdca or dense");
  mechanism.add(
      LoadCallback{"wind", "B0", [](double, const BodyState&) { return BodyLoad{}; }, {}});
  EXPECT_EQ(message(mechanism, "recursive"),
            "force \"wind\" is a callback: the derivatives of a user's function are not known");
}

INSTANTIATE_TEST_SUITE_P(Random, RandomDerivatives,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::ValuesIn(kTopologies)),
                         [](const auto& info) {
                           return case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace hamiltree::test
