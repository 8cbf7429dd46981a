// Simbody: everything up to accelerations realised from a state.
#include <Simbody.h>

#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostLoops = 100;  // its time grows with their third power

SimTK::Vec3 vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

SimTK::Transform transform(const EngineFrame& frame) {
  SimTK::Mat33 R;
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = frame.R[index(i)];
  return {SimTK::Rotation(R, true), vector(frame.r)};
}

SimTK::Body::Rigid rigid(const EngineBody& body) {
  const auto& J = body.inertia;
  const SimTK::Inertia about_com(J[0], J[4], J[8], J[1], J[2], J[5]);
  const SimTK::Vec3 com = vector(body.com);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, com, about_com.shiftFromMassCenter(com, body.mass)));
}

class SimbodyModel final : public EngineModel {
 public:
  explicit SimbodyModel(const EngineMechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism), bodies_(mechanism.bodies.size()) {
    SimTK::Force::UniformGravity(forces_, matter_, vector(mechanism.gravity));
    for (std::size_t b = 0; b < bodies_.size(); ++b) add(b);
    // The tips are held together: with parallel pins in the loop the axes need no holding.
    for (const auto& pin : mechanism.closures) {
      SimTK::Constraint::Ball(body(pin.parent), vector(pin.at_parent.r), body(pin.child),
                              vector(pin.at_child.r));
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
  }

  void keep(const std::vector<EngineState>& states) override {
    states_ = states;
    q_.assign(states.size(), SimTK::Vector(state_.getNQ(), 0.0));
    u_.assign(states.size(), SimTK::Vector(state_.getNU(), 0.0));
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) copy(states[s], b, q_[s], u_[s]);
    }
  }

  void evaluate(std::size_t s) override {
    state_.updQ() = q_[s];
    state_.updU() = u_[s];
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  std::vector<double> accelerations(std::size_t s) override {
    evaluate(s);
    std::vector<double> result;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const double* u_dot = &state_.getUDot()[bodies_[b].getFirstUIndex(state_)];
      if (mechanism_.bodies[b].joint == EngineJoint::kRevolute) {
        result.push_back(*u_dot);
        continue;
      }
      const auto R = rotation(states_[s].q.data() + offsets_.q[b] + 3);
      const auto rates = free_rates(R, states_[s].v.data() + offsets_.v[b], u_dot + 3, u_dot);
      result.insert(result.end(), rates.begin(), rates.end());
    }
    return result;
  }

 private:
  SimTK::MobilizedBody& body(int b) {
    return b == kEngineGround ? matter_.Ground() : bodies_[index(b)];
  }

  void add(std::size_t b) {
    const auto& what = mechanism_.bodies[b];
    const SimTK::Transform at_body;
    if (what.joint == EngineJoint::kFree) {
      bodies_[b] = SimTK::MobilizedBody::Free(body(what.parent), transform(what.at_parent),
                                              rigid(what), at_body);
    } else {
      bodies_[b] = SimTK::MobilizedBody::Pin(body(what.parent), transform(what.at_parent),
                                             rigid(what), at_body);
    }
  }

  // A free body: quaternion, position; angular and linear velocity in the world's axes.
  void copy(const EngineState& state, std::size_t b, SimTK::Vector& q, SimTK::Vector& u) const {
    const double* from = state.q.data() + offsets_.q[b];
    const double* rate = state.v.data() + offsets_.v[b];
    const int first_q = bodies_[b].getFirstQIndex(state_),
              first_u = bodies_[b].getFirstUIndex(state_);
    if (mechanism_.bodies[b].joint == EngineJoint::kRevolute) {
      q[first_q] = from[0];
      u[first_u] = rate[0];
      return;
    }
    for (int i = 0; i < 4; ++i) q[first_q + i] = from[3 + i];
    for (int i = 0; i < 3; ++i) q[first_q + 4 + i] = from[i];
    const auto R = rotation(from + 3);
    const Vector linear = turn(R, rate), angular = turn(R, rate + 3);
    for (int i = 0; i < 3; ++i) {
      u[first_u + i] = angular[index(i)];
      u[first_u + 3 + i] = linear[index(i)];
    }
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  std::vector<EngineState> states_;
  std::vector<SimTK::Vector> q_, u_;
};

class Simbody final : public Engine {
 public:
  std::string name() const override { return "Simbody"; }
  std::string version() const override {
    int major = 0, minor = 0, patch = 0;
    SimTK_version_simbody(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
  std::string method() const override { return "realize(Acceleration)"; }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (mechanism.closures.size() > kMostLoops) {
      refusal = "more than " + std::to_string(kMostLoops) + " loops take it seconds";
      return nullptr;
    }
    return std::make_unique<SimbodyModel>(mechanism);
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Simbody)
