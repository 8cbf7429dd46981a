// Batch: rates of many states of one Model, or of as many Models. Eight states at a time: trees of
// revolutes, and loops of revolutes in the plane, none redundant; and with AVX-512, of one Model,
// all else that the kernel in world axes computes, the redundancy of loops taken as it is at the
// Model's start. A state whose loops cannot close as tabulated, or that needs other rows, is
// computed by itself. One state after the other otherwise, the redundancy of loops taken as it is
// at the first.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hamiltree/batch/revolute_lanes.hpp"
#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/eight_states.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/math/pack.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

class Batch {
 public:
  // All states are of one Model.
  explicit Batch(const Model& model);
  // Each state is of the Model at its place: instances of one mechanism that differ in their
  // dimensions, masses, gravity. Throws UsageError if their states are not alike.
  explicit Batch(std::span<const Model> instances);

  // Whether eight states are evaluated at a time.
  bool in_lanes() const { return revolutes_ || eight_states_; }
  // Whether close_loops() can: of one Model whose loops close at its start.
  bool closes_loops() const { return revolutes_ || probe_; }

  // Eight states that go their way side by side begin. Where rows are redundant, those in use are
  // chosen for each state as it is now, whatever was computed before; that allocates.
  void begin();

  // Eight states: q, p and the rates by coordinate and velocity, a lane for each state. With
  // many Models, of the eight of the given pack; lanes that have none go with the last. Where the
  // rates of a state are not finite, those of the others are as ever.
  Status rate(double t, std::span<const Pack> q, std::span<const Pack> p, std::span<Pack> q_dot,
              std::span<Pack> p_dot, std::size_t pack = 0);

  // After a step of eight states: closes their loops by one Newton step that moves the masses
  // least, and makes the momenta those of the same motion without impulses in the loops.
  void close_loops(double t, std::span<Pack> q, std::span<Pack> p, std::size_t pack = 0);

  // `count` states, one after the other in each array. Those that do not fill a pack are
  // evaluated with copies of the last.
  Status rate(double t, std::size_t count, const double* q, const double* p, double* q_dot,
              double* p_dot);

 private:
  struct OneByOne {
    std::shared_ptr<const Formulation> formulation;
    std::unique_ptr<Workspace> workspace;
    bool analysed = false;
  };

  void make_lanes(std::span<const Model> instances);
  void look_at_start(const Model& model);
  Status rate_of_eight_states(double t, std::span<const Pack> q, std::span<const Pack> p,
                              std::span<Pack> q_dot, std::span<Pack> p_dot);
  Status add_efforts(double t, std::span<const Pack> q, std::span<Pack> p_dot, std::size_t pack);
  Status one_by_one(double t, std::span<const Pack> q, std::span<const Pack> p,
                    std::span<Pack> q_dot, std::span<Pack> p_dot, std::size_t pack);
  OneByOne& single_of(std::size_t pack, int lane);
  void close_one(double t, std::span<Pack> q, std::span<Pack> p, OneByOne& single, int lane);
  enum class Rows { kAsBefore, kOfTheState };  // which of loops are in use
  Status one(double t, std::span<const Pack> q, std::span<const Pack> p, std::span<Pack> q_dot,
             std::span<Pack> p_dot, int lane, Rows rows, OneByOne& single);

  std::size_t coordinates_, velocities_;
  std::optional<RevoluteLanes> revolutes_;
  std::unique_ptr<EightStates> eight_states_;
  // Without lanes: one; one for each Model; or, of one with redundant rows, one for each lane.
  std::vector<OneByOne> singles_;
  bool is_redundant_ = false;
  std::unique_ptr<Probe> probe_;                      // of loops that are closed one by one
  std::vector<std::unique_ptr<AddedForces>> forces_;  // one or one for each Model, or none
  std::vector<double> state_, rates_, at_rest_;       // of one lane
  std::vector<Pack> q_packs_, p_packs_, v_packs_, q_dot_packs_, p_dot_packs_;
};

}  // namespace hamiltree
