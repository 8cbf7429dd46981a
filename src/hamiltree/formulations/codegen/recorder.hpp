// Recorder: the routines of a model, by running a kernel on the tracing scalar. Long to compile:
// each kernel has a translation unit of its own, see recorders.hpp.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/block_elimination/choices.hpp"
#include "hamiltree/formulations/codegen/inputs.hpp"
#include "hamiltree/formulations/codegen/on_traced.hpp"
#include "hamiltree/formulations/codegen/parameters.hpp"
#include "hamiltree/formulations/codegen/recorders.hpp"
#include "hamiltree/formulations/sensor_values.hpp"
#include "hamiltree/formulations/transmitted.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree::codegen {

template <template <class> class KernelOf, class Space>
class Recorder {
  using On = typename Space::template Rebind<Traced>;
  using Kernel = KernelOf<On>;
  using Traces = std::vector<Traced>;

 public:
  // Ranks and rows of the loops are those at the start, from now on.
  Recorder(const Model& model, const System<Space>& system, const StateView& start,
           const RecordOptions& options)
      : model_(model),
        system_(system),
        chooser_(system),
        chosen_(chooser_),
        options_(options),
        places_(places_of(options.inputs, system)) {
    redundancy_ = LoopChoices<KernelOf<Space>>::analyse(chooser_, start, chosen_);
  }

  // Records a model of this space.
  static Recorded of(const Model& model, const StateView& start, const RecordOptions& options) {
    return model.visit([&]<class Other>(const System<Other>& system) -> Recorded {
      if constexpr (std::is_same_v<Other, Space>) {
        return Recorder(model, system, start, options).all();
      } else {
        throw std::logic_error("a model of the other space");
      }
    });
  }

  Recorded all() {
    Recorded recorded{{}, {}, places_, redundancy_};
    if (options_.pass_parameters) recorded.parameters = parameters_of(model_, system_);
    auto& list = recorded.routines;
    list.push_back(rates());
    list.push_back(velocities());
    list.push_back(reactions());
    list.push_back(energy());
    if (!is_conservative(system_) || !places_.efforts.empty() || !places_.wrenches.empty())
      list.push_back(power());
    const bool has_loops = system_.constraints > 0;
    if (has_loops || system_.coordinates != system_.velocities) list.push_back(project());
    if (has_loops) {
      list.push_back(reset());
      list.push_back(pivots());
    }
    if (options_.sensors) {
      list.push_back(momenta_of_velocities());
      if (!model_.mechanism().sensors.empty()) list.push_back(sensors());
    }
    return recorded;
  }

 private:
  // Arguments of a routine beside parameters, time and coordinates.
  struct Takes {
    bool loads = false, v = false, p = true;
  };

  // One routine on its way: the kernel on its trace, and the state as its inputs.
  struct Evaluation {
    Evaluation(const Recorder& recorder, Routine& routine, const Takes& takes)
        : into(routine),
          scope(routine.trace),
          kernel(recorder.system_on(routine, takes.loads)),
          work(Kernel(recorder.system_.template cast<Traced>())),  // laid out by plain numbers
          kin(kernel.system()) {
      for (std::size_t c = 0; c < work.fronts.size(); ++c) {
        work.fronts[c].order = recorder.chosen_.fronts[c].order;
        work.fronts[c].mask = recorder.chosen_.fronts[c].mask;
        // Not to the last digit, so that most starts make the same file.
        work.fronts[c].largest_pivot =
            std::exp2(std::round(std::log2(recorder.chosen_.fronts[c].largest_pivot)));
      }
      t = routine.trace.input("t");
      routine.inputs.push_back({"t", 1, "time, s", false});
      q = array("q", system().coordinates, "coordinates");
      if (takes.v) v = array("v", system().velocities, "velocities of the joints");
      if (takes.p) p = array("p", system().velocities, "momenta");
    }

    const System<On>& system() const { return kernel.system(); }

    Traces array(const std::string& name, int size, const std::string& meaning) {
      Traces values;
      for (int i = 0; i < size; ++i) values.push_back(into.trace.input(name));
      if (size > 0) into.inputs.push_back({name, size, meaning});
      return values;
    }

    void give(const std::string& name, const Traces& values, const std::string& meaning) {
      if (values.empty()) return;
      for (const auto& value : values) into.trace.output(name, value);
      into.outputs.push_back({name, static_cast<int>(values.size()), meaning});
    }

    void solve() { kernel.velocities(t, q.data(), p.data(), nullptr, work); }
    void move_bodies() {
      place(system(), t, q.data(), kin);
      move(system(), work.result.v.data(), kin);
    }

    Routine& into;
    TraceScope scope;
    Kernel kernel;
    typename Kernel::Work work;
    Kinematics<On> kin;
    Traced t;
    Traces q, v, p;
  };

  System<On> system_on(Routine& routine, bool with_loads) const {
    auto system = system_.template cast<Traced>();
    const auto taken = [&](const char* name, const char* meaning, const auto& take) {
      const auto before = routine.trace.inputs().size();
      take();
      const int count = static_cast<int>(routine.trace.inputs().size() - before);
      if (count > 0) routine.inputs.push_back({name, count, meaning});
    };
    if (options_.pass_parameters) {
      taken("parameters", "the model's numbers",
            [&] { take_parameters(model_, system, routine.trace); });
    }
    taken("drive", "time of the motions, then value, rate and acceleration of each driven joint",
          [&] { take_drives(places_.drives, system, routine.trace); });
    if (with_loads) {
      taken("effort", "from outside, along the joints, N and N m",
            [&] { take_efforts(places_.efforts, system, routine.trace); });
      taken("load", "from outside, force and moment on each body, N and N m",
            [&] { take_wrenches(model_, places_.wrenches, system, routine.trace); });
    }
    return system;
  }

  template <class Body>
  Routine record(const std::string& name, const std::string& meaning, const Body& body,
                 const Takes& takes = {}) const {
    Routine routine{name, meaning, {}, {}, {}};
    {
      Evaluation now(*this, routine, takes);
      body(now);
    }
    return routine;
  }

  static constexpr Takes kUnderLoads{true, false, true};
  static constexpr Takes kPose{false, false, false};
  static constexpr Takes kMotion{false, true, false};

  static constexpr const char* kSigma = "impulses of the loops' rows, N s and N m s";

  Routine rates() const {
    return record(
        "rates", "The rates of the state: Hamilton's equations.",
        [](Evaluation& now) {
          now.solve();
          now.kernel.momentum_rates(now.t, now.q.data(), now.work);
          const auto& result = now.work.result;
          now.give("v", result.v, "velocities of the joints");
          now.give("q_dot", result.q_dot, "rates of the coordinates");
          now.give("p_dot", result.p_dot, "rates of the momenta, N and N m");
          now.give("sigma", result.sigma, kSigma);
        },
        kUnderLoads);
  }

  Routine velocities() const {
    return record("velocities", "The velocities that the momenta have.", [](Evaluation& now) {
      now.solve();
      const auto& result = now.work.result;
      now.give("v", result.v, "velocities of the joints");
      now.give("q_dot", result.q_dot, "rates of the coordinates");
      now.give("sigma", result.sigma, kSigma);
    });
  }

  Routine reactions() const {
    return record(
        "reactions",
        "Accelerations, and what every joint transmits to its child, its efforts included.",
        [](Evaluation& now) {
          now.solve();
          now.kernel.accelerations(now.t, now.q.data(), now.work);
          Traces wrench;
          for (int j = 0; j < now.system().joint_count(); ++j) {
            const auto F = transmitted(now.system(), now.work, j).world;
            wrench.insert(wrench.end(), F.begin(), F.end());
          }
          now.give("v_dot", now.work.result.v_dot, "accelerations of the joints");
          now.give("lambda", now.work.result.lambda, "forces of the loops' rows, N and N m");
          now.give("wrench", wrench,
                   Space::kIsPlanar
                       ? "force x, y and moment of each joint at its origin, world axes"
                       : "force and moment of each joint at its origin, world axes");
        },
        kUnderLoads);
  }

  Routine energy() const {
    return record("energy", "Kinetic and potential energy.", [](Evaluation& now) {
      now.solve();
      now.move_bodies();
      now.give("energy",
               {kinetic_energy(now.system(), now.kin),
                potential_energy(now.system(), now.kin, now.q.data())},
               "kinetic, potential, J");
    });
  }

  Routine power() const {
    return record(
        "power", "What changes the energy from outside.",
        [](Evaluation& now) {
          now.solve();
          now.kernel.momentum_rates(now.t, now.q.data(), now.work);
          const auto forces = hamiltree::power(now.system(), now.work.kin, now.t, now.q.data());
          Traced driven(0);
          if (!now.system().drives.empty()) {
            now.kernel.accelerations(now.t, now.q.data(), now.work);
            driven = driven_power(now.system(), now.work);
          }
          now.give("power", {driven, forces.applied, forces.dissipated},
                   "of drives, of applied forces, of dissipation, W");
        },
        kUnderLoads);
  }

  Routine momenta_of_velocities() const {
    return record(
        "momenta", "The momenta that velocities have, without impulses in the loops.",
        [](Evaluation& now) {
          place(now.system(), now.t, now.q.data(), now.kin);
          move(now.system(), now.v.data(), now.kin);
          Traces p(now.v.size());
          momenta(now.system(), now.kin, p.data());
          now.give("p_new", p, "momenta");
        },
        kMotion);
  }

  Routine sensors() const {
    return record(
        "sensors",
        "What the sensors read, in the order of the model. Angles of joints that close "
        "loops are within half a turn.",
        [this](Evaluation& now) {
          now.solve();
          now.kernel.accelerations(now.t, now.q.data(), now.work);
          now.move_bodies();
          const auto reaction = [&](int j, Traces& out) {
            append_transmitted(transmitted(now.system(), now.work, j), out);
          };
          const auto outside = [&](int j, Traces& out) {
            append_outside(now.system(), now.kin, j, out);
          };
          now.give("sensor",
                   read_sensors(model_, now.system(), now.kin, now.q.data(),
                                now.work.result.v.data(), reaction, outside),
                   "readings");
        },
        kUnderLoads);
  }

  // One Newton step onto the closed loops that moves the masses least, and redundant coordinates
  // back on their manifold.
  Routine project() const {
    return record(
        "project",
        "Coordinates nearer to closed loops by one Newton step, quaternions of length 1.",
        [](Evaluation& now) {
          auto& q = now.q;
          const auto& system = now.system();
          normalise_coordinates(system, q.data());
          if (system.constraints > 0) {
            place(system, now.t, q.data(), now.kin);
            Traces phi(at(system.constraints));
            position_residual(system, now.kin, q.data(), phi.data());
            const Traces at_rest(at(system.velocities));
            now.kernel.velocities(now.t, q.data(), at_rest.data(), phi.data(), now.work);
            now.give("phi", phi, "by how much the loops were open before, m and rad");
            for (std::size_t i = 0; i < q.size(); ++i) q[i] += now.work.result.q_dot[i];
            normalise_coordinates(system, q.data());
          }
          now.give("q_new", q, "coordinates");
        },
        kPose);
  }

  Routine reset() const {
    return record("reset", "The momenta of the same motion without impulses in the loops.",
                  [](Evaluation& now) {
                    now.solve();
                    now.move_bodies();
                    Traces p(now.p.size());
                    momenta(now.system(), now.kin, p.data());
                    now.give("p_new", p, "momenta");
                  });
  }

  // Pivots as block_elimination::is_worn() sees them.
  Routine pivots() const {
    return record(
        "pivots", "How well the rows of the loops, chosen at generation, still serve.",
        [](Evaluation& now) {
          now.kernel.assemble(now.t, now.q.data(), block_elimination::RowChoice::kKeep, now.work);
          Traced worst(1);
          for (const auto& front : now.work.fronts) {
            if (front.mask == 0.0) continue;
            worst = smaller(worst, pivot_ratio(front));
          }
          now.give("ratio", {worst},
                   "smallest pivot to largest: below 1e-3 other rows would be better, 0 where one "
                   "is masked");
        },
        kPose);
  }

  static Traced smaller(const Traced& x, const Traced& y) { return select(x < y, x, y); }

  static Traced pivot_ratio(const block_elimination::Front<Traced>& front) {
    Traced smallest(0), largest(front.largest_pivot), alive(1);
    bool first = true;
    for (const int i : front.order) {
      if (i < front.yielding) continue;
      const double scale = front.scale[at(i)];
      const Traced inverse = front.inverse_pivot[at(i)];
      const Traced pivot = Traced(scale * scale) / inverse;
      const auto masked = inverse <= Traced(0);
      alive = select(masked, Traced(0), alive);
      largest = select(masked, largest, select(largest < pivot, pivot, largest));
      smallest = first ? pivot : smaller(pivot, smallest);
      first = false;
    }
    if (first) return Traced(1);
    return select(alive <= Traced(0), Traced(0), smallest / largest);
  }

  const Model& model_;
  const System<Space>& system_;
  KernelOf<Space> chooser_;
  typename KernelOf<Space>::Work chosen_;
  Redundancy redundancy_;
  RecordOptions options_;
  InputPlaces places_;
};

}  // namespace hamiltree::codegen
