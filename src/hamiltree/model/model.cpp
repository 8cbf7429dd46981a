#include "hamiltree/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/add_ballast.hpp"
#include "hamiltree/model/joint_tables.hpp"
#include "hamiltree/model/opened.hpp"
#include "hamiltree/model/tree_choice.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {
namespace {

// Descriptions are three-dimensional; a planar space takes the x-y part of them.
template <class Space>
typename Space::Position to_position(const Eigen::Vector3d& x) {
  return x.template head<Space::kLinear>();
}
template <class Space>
Pose<Space> to_pose(const Frame& frame) {
  return {frame.rotation.template topLeftCorner<Space::kLinear, Space::kLinear>(),
          to_position<Space>(frame.position)};
}
template <class Space>
typename Space::Angular to_angular(const Eigen::Vector3d& x) {
  return x.template tail<Space::kAngular>();
}
template <class Space>
typename Space::AngularInertia to_angular_inertia(const Eigen::Matrix3d& J) {
  return J.template bottomRightCorner<Space::kAngular, Space::kAngular>();
}

Frame frame_of(const Pose<Planar<double>>& X) {
  Frame frame;
  frame.position.head<2>() = X.r;
  frame.rotation.topLeftCorner<2, 2>() = X.R;
  return frame;
}
Frame frame_of(const Pose<Spatial<double>>& X) { return {X.r, X.R}; }

}  // namespace

template <class Space>
struct ForceTables;

struct ModelCompiler {
  template <class Space>
  struct Tables;
};

// Builds the tables of one space.
template <class Space>
struct ModelCompiler::Tables {
  const Names& names;
  const SpanningTree& tree;
  bool for_assembly;  // then nothing moves, and a cut may do without its armature
  Model::Data& data;
  System<Space> system{};
  std::vector<int> numbered_body{}, numbered_joint{};  // table index of each described one
  // The user's frame of each body in the frame of the tables, the child frame of its tree joint.
  std::vector<Pose<Space>> X_BU{};

  void compile() {
    system.gravity = to_position<Space>(data.mechanism.gravity);
    number_bodies();
    add_bodies();
    for (const auto& branch : tree.branches) add_joint(branch.edge, branch.reversed, false);
    for (const int edge : tree.cuts) add_joint(edge, false, true);
    numbered_joint.resize(data.joint_of.size());
    for (std::size_t j = 0; j < data.joint_of.size(); ++j)
      numbered_joint[at(data.joint_of[j])] = static_cast<int>(j);
    choose_ball_ends(system);
    add_couplings();
    system.length = characteristic_length(system);
    add_row_scales(system);
    add_ballast(system);
    const ForceTables<Space> tables{*this, system};
    for (const auto& force : data.mechanism.forces)
      std::visit([&](const auto& f) { f.compile(tables); }, force);
    data.system = std::move(system);
  }

  int body(const std::string& name) const {
    return name == kGround ? kNone : numbered_body[at(names.bodies.find(name)->second)];
  }
  int joint(const std::string& name) const {
    return numbered_joint[at(names.joints.find(name)->second)];
  }
  // A frame of the user's in the frame of the body's table.
  Pose<Space> pose(int body, const Frame& frame) const {
    return body == kNone ? to_pose<Space>(frame) : X_BU[at(body)] * to_pose<Space>(frame);
  }

  // Along the tree; ground stays kNone.
  void number_bodies() {
    numbered_body.assign(data.mechanism.bodies.size(), kNone);
    for (const auto& branch : tree.branches) {
      numbered_body[at(branch.body)] = static_cast<int>(data.body_of.size());
      data.body_of.push_back(branch.body);
      const auto& joint = data.mechanism.joints[at(branch.edge)];
      X_BU.push_back(inverse(to_pose<Space>(branch.reversed ? joint.at_parent : joint.at_child)));
      data.user_frame.push_back(frame_of(X_BU.back()));
    }
  }

  void add_bodies() {
    for (std::size_t b = 0; b < data.body_of.size(); ++b) {
      const auto& described = data.mechanism.bodies[at(data.body_of[b])];
      RigidInertia<Space> inertia;
      inertia.mass = described.mass;
      inertia.com = X_BU[b] * to_position<Space>(described.com);
      inertia.J_com =
          Space::rotate_angular_inertia(X_BU[b].R, to_angular_inertia<Space>(described.inertia));
      inertia.J_com_inverse = inertia.J_com.inverse();
      system.bodies.push_back(inertia);
    }
  }

  void add_joint(int edge, bool reversed, bool cut) {
    const auto& described = data.mechanism.joints[at(edge)];
    Joint<Space> joint;
    joint.type = described.drive ? JointType::kFixed : described.type;
    joint.parent = body(described.parent);
    joint.child = body(described.child);
    joint.reversed = reversed;
    joint.X_PF = pose(joint.parent, described.at_parent);
    joint.X_CM = pose(joint.child, described.at_child);
    // By construction; said so to the last digit.
    if (!cut) (reversed ? joint.X_PF : joint.X_CM) = Pose<Space>{};
    set_type(described.type, described.pitch, joint);
    if (described.type == JointType::kFree && cut) refuse_idle(described);
    if (described.armature > 0.0 && cut && !for_assembly) refuse_armature_on_cut(described);
    joint.armature = cut ? 0.0 : described.armature;
    if (described.drive || described.parent_motion) {
      joint.drive = static_cast<int>(system.drives.size());
      system.drives.push_back(drive_of(described));
    }
    if (cut) {
      joint.row = system.constraints;
      system.constraints += joint.constraints;
    } else {
      joint.q = system.coordinates;
      joint.v = system.velocities;
      system.coordinates += joint.coordinates;
      system.velocities += joint.velocities;
    }
    system.joints.push_back(joint);
    data.joint_of.push_back(edge);
  }

  [[noreturn]] static void refuse_idle(const JointDescription& joint) {
    const std::string element = "joint \"" + joint.name + "\"";
    throw ModelError(joint.where, element,
                     element +
                         ": is free but other joints already connect its bodies, so it has no "
                         "effect");
  }

  [[noreturn]] static void refuse_armature_on_cut(const JointDescription& joint) {
    const std::string element = "joint \"" + joint.name + "\"";
    throw ModelError(joint.where, element,
                     element +
                         ": closes a loop in which every joint is coupled or has armature; one of "
                         "them must do without");
  }

  static Drive drive_of(const JointDescription& described) {
    Drive drive;
    if (const auto& motion = described.parent_motion) {
      const auto function = [](const std::optional<TimeFunction>& f) {
        return f ? PiecewiseSine(*f) : PiecewiseSine();
      };
      drive.motion = {function(motion->x),  function(motion->y),  function(motion->z),
                      function(motion->rx), function(motion->ry), function(motion->rz)};
    }
    if (described.drive) drive.coordinate = PiecewiseSine(*described.drive);
    drive.type = described.type;
    drive.pitch = described.pitch;
    return drive;
  }

  void add_couplings() {
    for (const auto& said : data.mechanism.couplings) {
      const JointCoupling coupling{joint(said.joint), joint(said.to),       said.ratio,
                                   said.offset,       system.constraints++, said.higher};
      for (const int j : {coupling.joint, coupling.to}) {
        if (system.joint(j).is_cut() && system.joint(j).type == JointType::kRevolute) {
          refuse_coupled_cut(said, data.mechanism.joints[at(data.joint_of[at(j)])]);
        }
      }
      if (coupling.is_curved() && system.joint(coupling.to).is_cut()) refuse_curve_over_cut(said);
      system.couplings.push_back(coupling);
    }
  }

  [[noreturn]] static void refuse_coupled_cut(const Coupling& coupling,
                                              const JointDescription& joint) {
    const std::string element = "coupling \"" + coupling.name + "\"";
    const std::string why = joint.cut == true
                                ? "\" has cut = true"
                                : "\" closes a loop in which every joint is spoken for";
    throw ModelError(coupling.where, element,
                     element + ": joint \"" + joint.name + why +
                         ", so its angle is known only up to whole turns; couple another joint of "
                         "the loop");
  }

  [[noreturn]] static void refuse_curve_over_cut(const Coupling& coupling) {
    const std::string element = "coupling \"" + coupling.name + "\"";
    throw ModelError(coupling.where, element,
                     element + ": joint \"" + coupling.to +
                         "\", which it follows along a curve, closes a loop; a curve can follow "
                         "only a joint of the tree");
  }

  // The largest distance between two joints, or a joint and the centre of mass, of one body; where
  // all are in one place, the radius of gyration of all together.
  static double characteristic_length(const System<Space>& system) {
    std::vector<std::vector<typename Space::Position>> points(system.bodies.size());
    for (int b = 0; b < system.body_count(); ++b) {
      points[at(b)] = {Space::Position::Zero(), system.body(b).com};
    }
    for (int j = 0; j < system.joint_count(); ++j) {
      const auto& joint = system.joint(j);
      if (joint.parent != kNone) points[at(joint.parent)].push_back(joint.X_PF.r);
      if (joint.child != kNone) points[at(joint.child)].push_back(joint.X_CM.r);
    }
    double longest = 0.0;
    for (const auto& body : points) {
      // From the first point only: within a factor two of the diameter, linear in the handles.
      for (const auto& point : body) longest = std::max(longest, (point - body.front()).norm());
    }
    if (longest > 0.0) return longest;
    double mass = 0.0, inertia = 0.0;
    for (const auto& body : system.bodies) {
      mass += body.mass;
      inertia += body.J_com.diagonal().maxCoeff();
    }
    return mass > 0.0 && inertia > 0.0 ? std::sqrt(inertia / mass) : 1.0;
  }
};

// The tables that descriptions of forces add themselves to, and what their names and numbers are
// there.
template <class Space>
struct ForceTables {
  using In = Space;
  const ModelCompiler::Tables<Space>& model;
  ForceElements<Space>& system;

  int joint(const std::string& name) const { return model.joint(name); }
  JointType type(const std::string& name) const { return model.system.joint(joint(name)).type; }
  JointEnds<Space> ends(const std::string& name) const {
    const auto& it = model.system.joint(joint(name));
    return {joint(name), it.parent, it.child, it.X_PF, it.X_CM};
  }
  int body(const std::string& name) const { return model.body(name); }
  Pose<Space> pose(const std::string& name, const Frame& frame) const {
    return model.pose(body(name), frame);
  }
  Path<Space> path(const std::vector<RopePoint>& points) const {
    Path<Space> result;
    for (const auto& point : points) {
      const Frame frame{point.position, Eigen::Matrix3d::Identity()};
      result.push_back({body(point.body), pose(point.body, frame).r, point.ratio});
    }
    return result;
  }
  typename Space::Position along(const Eigen::Vector3d& x) const { return to_position<Space>(x); }
  typename Space::Angular about(const Eigen::Vector3d& x) const { return to_angular<Space>(x); }
  std::shared_ptr<const JointDirectory> directory() const {
    const auto directory = std::make_shared<JointDirectory>();
    directory->index = model.names.joints;
    directory->table = model.numbered_joint;
    return directory;
  }
};

std::shared_ptr<const Model::Data> Model::compiled(Mechanism mechanism, const Names& names,
                                                   const SpanningTree& tree, bool for_assembly) {
  auto data = std::make_shared<Data>();
  data->mechanism = std::move(mechanism);
  if (data->mechanism.space == SpaceKind::kPlanar) {
    ModelCompiler::Tables<Planar<double>>{names, tree, for_assembly, *data}.compile();
  } else {
    ModelCompiler::Tables<Spatial<double>>{names, tree, for_assembly, *data}.compile();
  }
  for (std::size_t b = 0; b < data->body_of.size(); ++b) {
    const auto& body = data->mechanism.bodies[at(data->body_of[b])];
    data->body_named.emplace(body.name, static_cast<int>(b));
  }
  for (std::size_t j = 0; j < data->joint_of.size(); ++j) {
    const auto& joint = data->mechanism.joints[at(data->joint_of[j])];
    data->joint_named.emplace(joint.name, static_cast<int>(j));
  }
  return data;
}

Model::Model(Mechanism mechanism) {
  const auto names = validate(mechanism);
  const auto tree = choose_tree(mechanism, names);
  data_ = compiled(std::move(mechanism), names, tree, false);
}

std::optional<Model> Model::for_assembly() const {
  const auto& joints = mechanism().joints;
  const auto is_spoken_for = [&](int edge) {
    const auto& joint = joints[at(edge)];
    return joint.initial_q || joint.initial_v || joint.guess_q;
  };
  const auto first_cut = data_->joint_of.begin() + body_count();
  const auto spoken_for = std::find_if(first_cut, data_->joint_of.end(), is_spoken_for);
  if (spoken_for == data_->joint_of.end()) return std::nullopt;
  if (!has_own_tables()) {
    throw UsageError("joint \"" + joints[at(*spoken_for)].name +
                     "\" closes a loop and has initial values or a guess, which count for the "
                     "parameters of the description only: give the start as coordinates");
  }
  std::vector<bool> chosen(joints.size(), false);
  for (int b = 0; b < body_count(); ++b) chosen[at(described_joint(b))] = true;
  const auto names = validate(mechanism());
  const auto tree = assembly_tree(mechanism(), names, chosen);
  if (std::ranges::none_of(tree.cuts, [&](int edge) { return chosen[at(edge)]; }))
    return std::nullopt;
  return Model(compiled(mechanism(), names, tree, true));
}

Model Model::with_start(const std::vector<JointStart>& starts) const {
  auto data = std::make_shared<Data>(*data_);
  for (std::size_t j = 0; j < starts.size(); ++j) {
    auto& joint = data->mechanism.joints[j];
    joint.initial_q = starts[j].initial_q;
    joint.initial_v = starts[j].initial_v;
    joint.guess_q = starts[j].guess_q;
  }
  validate(data->mechanism);
  return Model(std::shared_ptr<const Data>(std::move(data)));
}

Model Model::opened() const {
  return visit([&](const auto& system) { return with_tables(hamiltree::opened(system)); });
}

Model Model::with_tables(AnySystem system) const { return with_tables(std::move(system), {}); }

Model Model::with_tables(AnySystem system, const std::vector<int>& moved_to_end) const {
  auto data = std::make_shared<Data>(*data_);
  data->system = std::move(system);
  data->own_tables = false;
  for (const int b : moved_to_end) {
    data->joint_named[joint_name(b)] = static_cast<int>(data->joint_of.size());
    data->joint_of.push_back(described_joint(b));
  }
  Model model(*this);
  model.data_ = std::move(data);
  return model;
}

int Model::body_count() const {
  return visit([](const auto& system) { return system.body_count(); });
}
int Model::joint_count() const {
  return visit([](const auto& system) { return system.joint_count(); });
}
int Model::loop_count() const { return joint_count() - body_count(); }
int Model::coordinate_count() const {
  return visit([](const auto& system) { return system.coordinates; });
}
int Model::velocity_count() const {
  return visit([](const auto& system) { return system.velocities; });
}
int Model::constraint_count() const {
  return visit([](const auto& system) { return system.constraints; });
}

const std::string& Model::body_name(int b) const {
  return mechanism().bodies[at(described_body(b))].name;
}
const std::string& Model::joint_name(int j) const {
  return mechanism().joints[at(described_joint(j))].name;
}

std::optional<int> Model::find_body(const std::string& name) const {
  if (name == kGround) return kNone;
  const auto found = data_->body_named.find(name);
  return found == data_->body_named.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> Model::find_joint(const std::string& name) const {
  const auto found = data_->joint_named.find(name);
  return found == data_->joint_named.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hamiltree
