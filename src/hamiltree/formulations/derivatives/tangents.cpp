#include "hamiltree/formulations/derivatives/tangents.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/derivatives/inverse.hpp"
#include "hamiltree/formulations/derivatives/on_duals.hpp"
#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/parameter_visit.hpp"

namespace hamiltree::derivatives {
namespace {

// Eight columns of a row, from `first` on; what is beyond the last is zero.
Pack lanes_of(const Columns& columns, std::size_t row, int first) {
  Pack lanes;
  if (columns.size() == 0) return lanes;
  const double* from = columns.data() + static_cast<Eigen::Index>(row) * columns.cols() + first;
  const auto there = columns.cols() - first;
  if (there >= kLanes) return Pack::load(from);
  for (int lane = 0; lane < there; ++lane) lanes.set(lane, from[lane]);
  return lanes;
}

void set(const double* value, const Columns& directions, int first, std::vector<Duals>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = {value == nullptr ? 0.0 : value[i], lanes_of(directions, i, first)};
  }
}

void take(const std::vector<Duals>& from, int first, Columns& columns) {
  for (std::size_t row = 0; row < from.size(); ++row) {
    double* to = columns.data() + static_cast<Eigen::Index>(row) * columns.cols() + first;
    const auto there = columns.cols() - first;
    if (there >= kLanes) {
      from[row].derivative.pack().store(to);
    } else {
      for (int lane = 0; lane < there; ++lane) to[lane] = from[row].derivative[lane];
    }
  }
}

void take_values(const std::vector<Duals>& from, Eigen::VectorXd& to) {
  to.resize(static_cast<Eigen::Index>(from.size()));
  std::transform(from.begin(), from.end(), to.begin(), [](const Duals& x) { return x.value; });
}

template <class Space>
class TangentsOf final : public Tangents {
 public:
  TangentsOf(const Model& model, System<Space> system)
      : model_(model), work_(std::move(system)), visit_(model_, work_.system) {
    visit_.all([&](const std::string&, Duals& number) { parameters_.push_back(&number); });
  }
  TangentsOf(const TangentsOf&) = delete;
  TangentsOf& operator=(const TangentsOf&) = delete;

  void invert(Sweep sweep, const Point& point, const Directions& directions, int count, double leak,
              Inverted& result) override {
    allocate(count, result);
    for (int first = 0; first == 0 || first < count; first += kLanes) {
      seed(point, directions, first);
      sweep_once(sweep, leak);
      take(work_.generalized, first, result.d_generalized);
      take(work_.closing, first, result.d_closing);
      if (sweep != Sweep::kRates) continue;
      take(work_.result.q_dot, first, result.d_q_dot);
      take(work_.result.p_dot, first, result.d_p_dot);
    }
    take_values(work_.generalized, result.generalized);
    take_values(work_.closing, result.closing);
  }

 private:
  void allocate(int count, Inverted& result) const {
    const auto rows = [](const auto& x) { return static_cast<Eigen::Index>(x.size()); };
    result.d_generalized.resize(rows(work_.generalized), count);
    result.d_closing.resize(rows(work_.closing), count);
    result.d_q_dot.resize(rows(work_.result.q_dot), count);
    result.d_p_dot.resize(rows(work_.result.p_dot), count);
  }

  void seed(const Point& point, const Directions& directions, int first) {
    work_.t = {point.t, lanes_of(directions.t, 0, first)};
    set(point.q, directions.q, first, work_.q);
    set(point.v, directions.v, first, work_.v);
    set(point.v_dot, directions.v_dot, first, work_.v_dot);
    set(point.impulses, directions.impulses, first, work_.impulses);
    set(point.efforts, directions.efforts, first, work_.efforts);
    if (directions.parameters.size() == 0 && !parameters_move_) return;
    parameters_move_ = directions.parameters.size() > 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i]->derivative = lanes_of(directions.parameters, i, first);
    }
    visit_.complete_inertias();
  }

  void sweep_once(Sweep sweep, double leak) {
    if (sweep == Sweep::kForces) return invert_accelerations(work_);
    invert_velocities(work_);
    if (sweep == Sweep::kRates) evaluate_rates(leak, work_);
  }

  Model model_;
  Inverse<Space> work_;
  ParameterVisit<Space> visit_;
  std::vector<Duals*> parameters_;
  bool parameters_move_ = false;  // whether they did at the last seed
};

[[noreturn]] void refuse_callback(const std::string& name) {
  throw UsageError("force \"" + name +
                   "\" is a callback: the derivatives of a user's function are not known");
}

}  // namespace

void refuse_callbacks(const Model& model) {
  model.visit([](const auto& system) {
    for (const auto& force : system.joint_callbacks) refuse_callback(force.name);
    for (const auto& force : system.body_callbacks) refuse_callback(force.name);
    for (const auto& force : system.control_laws) refuse_callback(force.name);
  });
}

std::unique_ptr<Tangents> make_tangents(const Model& model) {
  refuse_callbacks(model);
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<Tangents> {
    using On = typename Space::template Rebind<Duals>;
    return std::make_unique<TangentsOf<On>>(model, system.template cast<Duals>());
  });
}

}  // namespace hamiltree::derivatives

namespace hamiltree {

template System<Planar<Duals>> System<Planar<double>>::cast<Duals>() const;
template Kinematics<Planar<Duals>>::Kinematics(const System<Planar<Duals>>&);
template System<Spatial<Duals>> System<Spatial<double>>::cast<Duals>() const;
template Kinematics<Spatial<Duals>>::Kinematics(const System<Spatial<Duals>>&);

}  // namespace hamiltree
