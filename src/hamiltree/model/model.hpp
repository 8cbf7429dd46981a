// Model: a mechanism checked and compiled; immutable, shared by any number of simulations.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

struct Names;
struct SpanningTree;

using AnySystem = std::variant<System<Planar<double>>, System<Spatial<double>>>;

// What a JointDescription says of the start.
struct JointStart {
  std::optional<Eigen::VectorXd> initial_q, initial_v, guess_q;
};

class Model {
 public:
  // Compiles the mechanism. Throws ModelError naming the element that cannot be accepted.
  explicit Model(Mechanism mechanism);

  // The same mechanism on the spanning tree that has the joints with `initial` and `guess`, where
  // the initial state is easiest to say; nothing if this tree has them.
  std::optional<Model> for_assembly() const;

  // The same mechanism on the same tree with another start of its joints, as described, in their
  // order there. Throws ModelError for one that the joint cannot have.
  Model with_start(const std::vector<JointStart>& starts) const;

  // The same mechanism with its loops open: joints that close loops and couplings hold nothing,
  // though springs along them still act.
  Model opened() const;

  // The same mechanism with other tables of its bodies and joints, in their order and with the same
  // state; they may be those of another space, see in_plane.hpp.
  Model with_tables(AnySystem system) const;
  // The same with joints after all others that are the tree joints of these bodies as the user said
  // them; what is in the tree for them has no name of its own. See in_segments.hpp.
  Model with_tables(AnySystem system, const std::vector<int>& moved_to_end) const;

  const std::string& name() const { return data_->mechanism.name; }
  SpaceKind space() const { return data_->mechanism.space; }
  const Mechanism& mechanism() const { return data_->mechanism; }  // as the user said it

  int body_count() const;
  int joint_count() const;
  int loop_count() const;        // joints that close loops
  int coordinate_count() const;  // size of q
  int velocity_count() const;    // size of v and p
  int constraint_count() const;  // rows of Phi over all loop-closing joints

  // Calls f(system) with the System<Planar<double>> or System<Spatial<double>>.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), data_->system);
  }

  const AnySystem& tables() const { return data_->system; }
  // Whether they are those of the mechanism as it is described, not of with_tables.
  bool has_own_tables() const { return data_->own_tables; }

  // From the order of the tables to the user's: description index of body b and of joint j.
  int described_body(int b) const { return data_->body_of[at(b)]; }
  int described_joint(int j) const { return data_->joint_of[at(j)]; }
  const std::string& body_name(int b) const;
  const std::string& joint_name(int j) const;
  std::optional<int> find_body(const std::string& name) const;   // table index; kNone for ground
  std::optional<int> find_joint(const std::string& name) const;  // table index

  // The user's frame of body b as seen in the frame of the tables, as a 3-D frame.
  const Frame& user_frame(int b) const { return data_->user_frame[at(b)]; }

 private:
  struct Data {
    Mechanism mechanism;
    AnySystem system;
    std::vector<int> body_of, joint_of;
    std::map<std::string, int, std::less<>> body_named, joint_named;  // table indices
    std::vector<Frame> user_frame;
    bool own_tables = true;
  };
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  static std::shared_ptr<const Data> compiled(Mechanism mechanism, const Names& names,
                                              const SpanningTree& tree, bool for_assembly);

  std::shared_ptr<const Data> data_;

  friend struct ModelCompiler;
};

}  // namespace hamiltree
