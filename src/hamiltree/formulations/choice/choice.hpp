// Choice: how a formulation computes a model, decided once: in its plane or in space, as a whole or
// in subsystems, by which kernel, in which lanes. What computes, draws or prints reads it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/model/in_plane.hpp"
#include "hamiltree/model/subsystems.hpp"

namespace hamiltree {

// The general kernel of the formulation, which takes every model; of `recursive` in space the
// reason why the one in world axes does not.
struct InJointAxes {
  std::string reason;
};
// kernel/, of `recursive`.
struct InWorldAxes {
  bool declines_plane = false;       // of a model that moves in one, where it would take more time
  std::optional<Model> lifted = {};  // of a planar model: with tables in space
};
// The kernel that computes rates, with the tables that it computes on.
using ChosenKernel = std::variant<InJointAxes, InWorldAxes, dh_frames::Tree,
                                  dh_frames::FloatingChain, planar_loops::Alternatives>;

// Trees of revolute joints: some are computed several at a time.
bool has_lanes(const ChosenKernel& kernel);

struct ChosenSubsystem;

struct Choice {
  std::string formulation;  // as in formulation_names(), or generated_ and one of these
  FormulationOptions options;
  Model model;
  std::optional<InPlane> plane;             // the model is computed there
  std::vector<ChosenSubsystem> subsystems;  // are computed one by one; empty: the model is a whole
  ChosenKernel kernel;                      // of the whole
  std::unique_ptr<AddedForces> forces;      // null: the kernel computes them

  // The model as it is computed.
  const Model& computed() const { return plane ? plane->model : model; }
};

// A part of a model that nothing but the ground connects to others.
struct ChosenSubsystem {
  Subsystem subsystem;
  Choice choice;
};

// Throws UsageError for an unknown name, and for options that do not fit it or the model.
Choice choice_of(std::string_view formulation, const Model& model,
                 const FormulationOptions& options = {});

// One line: the bodies, how they are computed, in what order.
std::string to_text(const Choice& choice);

std::unique_ptr<Formulation> make_formulation(Choice choice);

}  // namespace hamiltree
