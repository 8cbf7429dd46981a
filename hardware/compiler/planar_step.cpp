#include "hardware/compiler/planar_step.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <set>
#include <utility>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::hardware {

namespace {

using OnDouble = Planar<double>;
using OnTrace = Planar<Traced>;

[[noreturn]] void refuse(const Model& model, std::string element, const std::string& sentence) {
  throw ModelError({model.name(), 0}, std::move(element), sentence);
}

const System<OnDouble>& planar_system(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> const System<OnDouble>& {
    if constexpr (Space::kIsPlanar) {
      return system;
    } else {
      refuse(model, model.name(), "The chip takes planar mechanisms only.");
    }
  });
}

[[noreturn]] void refuse_joint(const Model& model, int j, const std::string& sentence) {
  const auto& joint = model.mechanism().joints[at(model.described_joint(j))];
  const auto element = "joint \"" + joint.name + "\"";
  throw ModelError(joint.where, element, element + ": the chip takes " + sentence);
}

// Beside others a number may vanish in single precision, but not one that is divided by.
void check_inertia(const BodyDescription& body) {
  const auto check = [&](const char* what, double x) {
    if (x == 0.0 || std::isnormal(static_cast<float>(x))) return;
    const auto element = "body \"" + body.name + "\"";
    throw ModelError(body.where, element,
                     element + ": " + what + " " + to_short(x) +
                         " is beyond single precision, in which the chip computes");
  };
  check("mass", body.mass);
  check("inertia", body.inertia(2, 2));
}

void check(const Model& model, const System<OnDouble>& system) {
  for (const auto& body : model.mechanism().bodies) check_inertia(body);
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    if (joint.drive != kNone) refuse_joint(model, j, "no driven joints");
    if (joint.armature > 0.0) refuse_joint(model, j, "no joints with armature");
    if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic &&
        joint.type != JointType::kFixed) {
      refuse_joint(model, j, "revolute, prismatic and fixed joints only");
    }
  }
  if (!system.couplings.empty()) refuse(model, model.name(), "The chip takes no couplings.");
  if (!system.ballasted.empty()) {
    refuse(model, model.name(), "The chip takes only bodies that have mass and inertia.");
  }
  if (!system.control_laws.empty() || !system.joint_callbacks.empty() ||
      !system.body_callbacks.empty()) {
    refuse(model, model.name(), "The chip takes no controllers and no functions of yours.");
  }
}

std::vector<StateWord> words_of(const Model& model, const System<OnDouble>& system) {
  std::vector<StateWord> words;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (!joint.has_velocity()) continue;
    words.push_back({"p." + model.joint_name(b), Quantity::kMomentum, joint.v});
    if (joint.type == JointType::kRevolute) {
      words.push_back({"cos." + model.body_name(b), Quantity::kCosine, b});
      words.push_back({"sin." + model.body_name(b), Quantity::kSine, b});
    } else {
      words.push_back({"q." + model.joint_name(b), Quantity::kCoordinate, joint.q});
    }
  }
  return words;
}

// The state on the trace.
struct Variables {
  std::vector<Traced> q, p;
  std::vector<Planar<Traced>::Position> u;  // of each body: cos, sin
};

// As place() does it, with the orientations from the state. The axes of a revolute joint are those
// of the world: it blocks all of the plane's directions, whichever way it is turned.
void place_by_unit_vectors(const System<OnTrace>& system, const Variables& now,
                           hdca::Work<OnTrace>& work) {
  auto& kin = work.kin;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const auto inboard = kin.pose(system.inboard(b));
    auto& X = kin.X_WB[at(b)];
    if (joint.type == JointType::kRevolute) {
      const auto& u = now.u[at(b)];
      X.R << u(0), -u(1), u(1), u(0);
      kin.arm[at(b)] = inboard.R * (joint.reversed ? joint.X_CM.r : joint.X_PF.r);
      X.r = inboard.r + kin.arm[at(b)];
    } else {
      place_body(system, b, pose_in_inboard(joint, kin, now.q.data()), kin);
    }
    work.mobility[at(b)] = {system.carried(b), X};
  }
  for (int j = 0; j < system.joint_count(); ++j) {
    auto& X = kin.joints[at(j)].X_WJ;
    X = joint_frame(system, kin, j);
    if (system.joint(j).type == JointType::kRevolute) X.R = OnTrace::Rotation::Identity();
  }
}

// Where motions meet, rows in use cannot tell them apart.
void check_start(const Model& model, const InitialState& start) {
  branches::Branches branches(model);
  const auto on = branches.at_start(0.0, start.q, start.v, true).branches;
  if (on.empty()) return;
  refuse_joint(model, on.front().block->cuts().front(),
               "no loops that start at a singular pose; start beside it");
}

// Rows of loops are chosen once, at the initial pose; there is no pivot mask on the chip.
void choose_rows(const Model& model, const System<OnDouble>& system, hdca::Work<OnTrace>& work) {
  const Hdca<OnDouble> kernel(system);
  Hdca<OnDouble>::Work chosen(kernel);
  if (system.constraints > 0) {
    const auto start = initial_state(model);
    check_start(model, start);
    LoopChoices<Hdca<OnDouble>>::analyse(kernel, {0.0, start.q.data(), start.p.data()}, chosen);
  }
  for (std::size_t c = 0; c < work.fronts.size(); ++c) {
    work.fronts[c].order = chosen.fronts[c].order;
    work.fronts[c].mask = 0.0;
  }
  work.loses_digits = false;  // no refinement
}

// u turned by the angle h omega, to third order, as two sums that wait for omega alone; its length
// is brought back to 1 by one Newton step beforehand.
//   (1)  e  = (3/2 - |u|^2 / 2) u
//   (2)  u' = e - (h w)^2 / 2 e + (h w - (h w)^3 / 6) (-e_y, e_x)
OnTrace::Position turned(const OnTrace::Position& u, double h, const Traced& omega) {
  const Traced shortening = Traced(1.5) - Traced(0.5) * (u(0) * u(0) + u(1) * u(1));
  const OnTrace::Position e(shortening * u(0), shortening * u(1));
  const Traced square = omega * omega;
  const auto component = [&](const Traced& along, const Traced& across) {
    const Traced once = (Traced(h) * across) * omega;
    const Traced twice = (Traced(-0.5 * h * h) * along) * square;
    const Traced thrice = ((Traced(-h * h * h / 6.0) * across) * omega) * square;
    return along + (once + (twice + thrice));
  };
  return {component(e(0), -e(1)), component(e(1), e(0))};
}

Traced& word_of(Variables& of, const StateWord& word) {
  switch (word.quantity) {
    case Quantity::kMomentum:
      return of.p[at(word.index)];
    case Quantity::kCoordinate:
      return of.q[at(word.index)];
    case Quantity::kCosine:
      return of.u[at(word.index)](0);
    case Quantity::kSine:
      break;
  }
  return of.u[at(word.index)](1);
}

// The inputs: the state's words, then the angles, which are not in the state.
Variables inputs_of(const Model& model, const System<OnDouble>& system, PlanarStep& step) {
  Variables now{std::vector<Traced>(at(system.coordinates)),
                std::vector<Traced>(at(system.velocities)),
                std::vector<OnTrace::Position>(at(system.body_count()))};
  for (const auto& word : step.words) word_of(now, word) = step.trace.input(word.name);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.has_velocity() && joint.type == JointType::kRevolute) {
      now.q[at(joint.q)] = step.trace.input("the angle of " + model.joint_name(b));
    }
  }
  return now;
}

// Initialisation, assembly, disassembly, momentum rates.
void find_rates(const Hdca<OnTrace>& kernel, const Traced& time, const Variables& now,
                Hdca<OnTrace>::Work& work) {
  place_by_unit_vectors(kernel.system(), now, work);
  hdca::contract(kernel.system(), kernel.plan(), block_elimination::RowChoice::kKeep, work);
  hdca::disassemble(kernel.system(), kernel.plan(), now.p.data(), nullptr, work);
  kernel.momentum_rates(time, now.q.data(), work);
}

// Euler's step. The semi-implicit one takes the velocities of the new momenta.
Variables euler_step(const Hdca<OnTrace>& kernel, const Variables& now, Update update, double h,
                     Hdca<OnTrace>::Work& work) {
  const bool is_rate = update == Update::kRates;
  const auto& system = kernel.system();
  const auto& result = work.result;
  Variables next = now;
  for (std::size_t i = 0; i < now.p.size(); ++i)
    next.p[i] = is_rate ? result.p_dot[i] : now.p[i] + Traced(h) * result.p_dot[i];
  if (update == Update::kSemiImplicitEuler)
    hdca::disassemble(system, kernel.plan(), next.p.data(), nullptr, work);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (!joint.has_velocity()) continue;
    const Traced omega = work.kin.V_WB[at(b)](2);
    const Traced v = result.v[at(joint.v)];
    if (joint.type == JointType::kRevolute) {
      next.u[at(b)] = is_rate ? OnTrace::Position(omega, omega) : turned(now.u[at(b)], h, omega);
    } else {
      next.q[at(joint.q)] = is_rate ? v : now.q[at(joint.q)] + Traced(h) * v;
    }
  }
  return next;
}

// What an operation asks for beyond sums, products and reciprocals; empty: nothing.
const char* beyond_the_units(TraceOp op) {
  switch (op) {
    case TraceOp::kConstant:
    case TraceOp::kInput:
    case TraceOp::kAdd:
    case TraceOp::kSubtract:
    case TraceOp::kMultiply:
    case TraceOp::kDivide:
    case TraceOp::kNegate:
      return "";
    case TraceOp::kSqrt:
      return "a square root";
    case TraceOp::kSin:
    case TraceOp::kCos:
      return "a sine or cosine";
    case TraceOp::kTanh:
      return "a hyperbolic tangent";
    case TraceOp::kAtan2:
      return "an arc tangent";
    case TraceOp::kAbs:
    case TraceOp::kLess:
    case TraceOp::kLessEqual:
    case TraceOp::kSelect:
      break;
  }
  return "a comparison";
}

// No output may need an input that is not a word of the state, nor an operation for which there is
// no unit. Loops and momenta need neither: what is left is a force.
void check_needs(const Model& model, const PlanarStep& step) {
  for (const auto i : step.trace.live_nodes()) {
    const auto& node = step.trace.nodes()[i];
    if (node.op == TraceOp::kInput && node.a >= step.words.size()) {
      refuse(model, model.name(),
             "A force depends on " + step.trace.inputs()[node.a].name + ", which the chip lacks.");
    }
    if (const std::string needed = beyond_the_units(node.op); !needed.empty()) {
      refuse(model, model.name(), "A force needs " + needed + ", which the chip lacks.");
    }
  }
}

}  // namespace

PlanarStep trace_planar_step(const Model& model, Update update, double h) {
  const auto& system = planar_system(model);
  check(model, system);
  PlanarStep step;
  step.words = words_of(model, system);
  const TraceScope scope(step.trace);
  const Hdca<OnTrace> kernel(system.cast<Traced>());
  Hdca<OnTrace>::Work work(kernel);
  choose_rows(model, system, work);

  const auto now = inputs_of(model, system, step);
  const Traced time = step.trace.input("the time");
  find_rates(kernel, time, now, work);
  auto next = euler_step(kernel, now, update, h, work);
  for (const auto& word : step.words) step.trace.output(word.name, word_of(next, word));
  check_needs(model, step);
  return step;
}

std::vector<double> to_words(const Model& model, const std::vector<StateWord>& words,
                             const double* q, const double* p) {
  const auto& system = planar_system(model);
  Kinematics<OnDouble> kin(system);
  place(system, 0.0, q, kin);
  std::vector<double> values;
  for (const auto& word : words) {
    switch (word.quantity) {
      case Quantity::kMomentum:
        values.push_back(p[word.index]);
        break;
      case Quantity::kCoordinate:
        values.push_back(q[word.index]);
        break;
      case Quantity::kCosine:
        values.push_back(kin.X_WB[at(word.index)].R(0, 0));
        break;
      case Quantity::kSine:
        values.push_back(kin.X_WB[at(word.index)].R(1, 0));
        break;
    }
  }
  return values;
}

void from_words(const Model& model, const std::vector<StateWord>& words,
                const std::vector<double>& values, double* q, double* p) {
  const auto& system = planar_system(model);
  Kinematics<OnDouble> kin(system);
  std::vector<OnDouble::Position> u(at(system.body_count()), OnDouble::Position(1.0, 0.0));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word.quantity == Quantity::kMomentum) p[word.index] = values[i];
    if (word.quantity == Quantity::kCoordinate) q[word.index] = values[i];
    if (word.quantity == Quantity::kCosine) u[at(word.index)](0) = values[i];
    if (word.quantity == Quantity::kSine) u[at(word.index)](1) = values[i];
  }
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    auto& X = kin.X_WB[at(b)];
    if (joint.has_velocity() && joint.type == JointType::kRevolute) {
      // The joint's turn is what lies between its frames once the body stands as the state says.
      const auto length = u[at(b)].norm();
      X.R << u[at(b)](0), -u[at(b)](1), u[at(b)](1), u[at(b)](0);
      X.R /= length;
      const Pose<OnDouble> X_FM = relative_pose(system, kin, b);
      const double angle = std::atan2(X_FM.R(1, 0), X_FM.R(0, 0));
      const double turns = std::round((q[joint.q] - angle) / (2.0 * std::numbers::pi));
      q[joint.q] = angle + 2.0 * std::numbers::pi * turns;
    }
    X = kin.pose(system.inboard(b)) * pose_in_inboard(joint, kin, q);
  }
}

std::vector<Word> to_single(const Model& model, const std::vector<StateWord>& words,
                            const double* q, const double* p) {
  std::vector<Word> single;
  const auto values = to_words(model, words, q, p);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto x = static_cast<float>(values[i]);
    if (!std::isfinite(x)) {
      refuse(model, words[i].name,
             words[i].name + " is " + to_short(values[i]) +
                 ", beyond single precision, in which the chip computes.");
    }
    single.push_back(bits_of(x));
  }
  return single;
}

}  // namespace hamiltree::hardware
