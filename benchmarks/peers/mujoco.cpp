// MuJoCo. Of trees only the stages that forward dynamics needs; with loops all of mj_forward, by
// Newton's method, its loops held as stiffly as it lets them be.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"
#include "principal.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostBodies = 1024;  // of a chain: its mass matrix fills up
constexpr std::size_t kMostLoops = 100;    // more overflow its stack
constexpr int kDeepest = 60;  // its own files may not nest much deeper; URDF does not nest

std::string numbers(const double* x, int count) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  for (int i = 0; i < count; ++i) text << (i > 0 ? " " : "") << x[i];
  return text.str();
}
template <std::size_t n>
std::string numbers(const std::array<double, n>& x) {
  return numbers(x.data(), static_cast<int>(n));
}

int depth(const EngineMechanism& mechanism) {
  std::vector<int> depths;
  int deepest = 0;
  for (const auto& body : mechanism.bodies) {
    depths.push_back(body.parent == kEngineGround ? 1 : 1 + depths[index(body.parent)]);
    deepest = std::max(deepest, depths.back());
  }
  return deepest;
}

// Bodies within bodies.
class NestedFile {
 public:
  explicit NestedFile(const EngineMechanism& mechanism)
      : mechanism_(mechanism), children_(mechanism.bodies.size()) {
    text_ =
        "<mujoco><compiler angle='radian' boundmass='0'/><size memory='500M'/>"
        "<option solver='Newton' jacobian='auto' iterations='100' tolerance='1e-12'/><worldbody>";
    const int n = static_cast<int>(mechanism.bodies.size());
    std::vector<int> roots;
    for (int b = 0; b < n; ++b) {
      const int parent = mechanism.bodies[index(b)].parent;
      (parent == kEngineGround ? roots : children_[index(parent)]).push_back(b);
    }
    for (const int b : roots) add(b);
    text_ += "</worldbody><equality>";
    for (const auto& pin : mechanism.closures) add(pin);
    text_ += "</equality></mujoco>";
  }
  const std::string& text() const { return text_; }

 private:
  void add(int b) {
    const auto& body = mechanism_.bodies[index(b)];
    const Principal principal(body);  // finer than its own, which agree to 1e-8 or so
    const std::string name = "'b" + std::to_string(b) + "'";
    text_ += "<body name=" + name + " pos='" + numbers(body.at_parent.r) + "' quat='" +
             numbers(quaternion(body.at_parent.R)) + "'><inertial pos='" + numbers(body.com) +
             "' quat='" + numbers(quaternion(principal.rows())) + "' mass='" +
             numbers(&body.mass, 1) + "' diaginertia='" + numbers(principal.inertia.data(), 3) +
             "'/>";
    text_ += joint(body);
    for (const int child : children_[index(b)]) add(child);
    text_ += "</body>\n";
  }

  // Two joints in one body: the second turns with the first.
  static std::string joint(const EngineBody& body) {
    const auto along = [&](const std::string& type, const std::string& axis) {
      return "<joint type='" + type + "' axis='" + axis + "' armature='" +
             numbers(&body.armature, 1) + "'/>\n";
    };
    switch (body.joint) {
      case EngineJoint::kFree:
        return "<freejoint/>\n";
      case EngineJoint::kSpherical:
        return "<joint type='ball'/>\n";
      case EngineJoint::kUniversal:
        return along("hinge", "1 0 0") + along("hinge", "0 1 0");
      case EngineJoint::kPrismatic:
        return along("slide", "0 0 1");
      default:
        return along("hinge", "0 0 1");
    }
  }

  void add(const EngineClosure& pin) {
    const auto name = [](int b) {
      return b == kEngineGround ? std::string("world") : "b" + std::to_string(b);
    };
    text_ += "<connect body1='" + name(pin.parent) + "' body2='" + name(pin.child) + "' anchor='" +
             numbers(pin.at_parent.r) + "' solimp='0.9999 0.9999 0.001 0.5 2'/>\n";
  }

  const EngineMechanism& mechanism_;
  std::vector<std::vector<int>> children_;
  std::string text_;
};

// The angles of R = Rz(yaw) Ry(pitch) Rx(roll).
std::array<double, 3> roll_pitch_yaw(const std::array<double, 9>& R) {
  return {std::atan2(R[7], R[8]), std::atan2(-R[6], std::hypot(R[0], R[3])),
          std::atan2(R[3], R[0])};
}

// Links and joints side by side.
std::string flat_file(const EngineMechanism& mechanism) {
  std::string text =
      "<robot name='r'><mujoco><compiler boundmass='0' fusestatic='false'/>"
      "<size memory='500M'/></mujoco><link name='world'/>\n";
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const auto& body = mechanism.bodies[b];
    const Principal principal(body);
    const auto attribute = [](const std::string& name, double x) {
      return " " + name + "='" + numbers(&x, 1) + "'";
    };
    const std::string number = std::to_string(b);
    text += "<link name='b" + number + "'><inertial><origin xyz='" + numbers(body.com) + "' rpy='" +
            numbers(roll_pitch_yaw(principal.rows())) + "'/><mass" + attribute("value", body.mass) +
            "/><inertia" + attribute("ixx", principal.inertia(0)) +
            attribute("iyy", principal.inertia(1)) + attribute("izz", principal.inertia(2)) +
            " ixy='0' ixz='0' iyz='0'/></inertial></link>\n";
    text += "<joint name='j" + number + "' type='continuous'><parent link='" +
            (body.parent == kEngineGround ? "world" : "b" + std::to_string(body.parent)) +
            "'/><child link='b" + number + "'/><origin xyz='" + numbers(body.at_parent.r) +
            "' rpy='" + numbers(roll_pitch_yaw(body.at_parent.R)) +
            "'/><axis xyz='0 0 1'/></joint>\n";
  }
  return text + "</robot>";
}

struct Closer {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPointer = std::unique_ptr<mjModel, Closer>;

// By way of a file: it reads nothing else without a copy of a megabyte of names.
ModelPointer load(const EngineMechanism& mechanism, std::string& error) {
  const bool deep = depth(mechanism) > kDeepest;
  const auto path = std::filesystem::temp_directory_path() /
                    ("hamiltree_bench_" + std::to_string(getpid()) + (deep ? ".urdf" : ".xml"));
  std::ofstream(path) << (deep ? flat_file(mechanism) : NestedFile(mechanism).text());
  char message[500] = "";
  ModelPointer model(mj_loadXML(path.c_str(), nullptr, message, sizeof message));
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  error = std::string(message).substr(0, std::string_view(message).find('\n'));
  return model;
}

class MujocoModel final : public EngineModel {
 public:
  MujocoModel(const EngineMechanism& mechanism, ModelPointer model)
      : mechanism_(mechanism), offsets_(mechanism), model_(std::move(model)) {
    std::copy(mechanism.gravity.begin(), mechanism.gravity.end(), model_->opt.gravity);
    model_->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_WARMSTART;
    for (std::size_t k = 0; k < mechanism.closures.size(); ++k) {
      // The file says where the anchor is on one body only, and takes the pose of the file for it.
      double* anchors = model_->eq_data + k * mjNEQDATA;
      const auto& pin = mechanism.closures[k];
      std::copy(pin.at_parent.r.begin(), pin.at_parent.r.end(), anchors);
      std::copy(pin.at_child.r.begin(), pin.at_child.r.end(), anchors + 3);
    }
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, ("b" + std::to_string(b)).c_str());
      const int joint = model_->body_jntadr[body];
      q_of_.push_back(model_->jnt_qposadr[joint]);
      v_of_.push_back(model_->jnt_dofadr[joint]);
    }
    data_.reset(mj_makeData(model_.get()));
  }

  void keep(const std::vector<EngineState>& states) override {
    states_ = states;
    q_.assign(states.size(), std::vector<double>(static_cast<std::size_t>(model_->nq)));
    v_.assign(states.size(), std::vector<double>(static_cast<std::size_t>(model_->nv)));
    efforts_ = v_;
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (std::size_t b = 0; b < q_of_.size(); ++b) copy(s, b);
    }
  }

  void evaluate(std::size_t s) override {
    std::copy(q_[s].begin(), q_[s].end(), data_->qpos);
    std::copy(v_[s].begin(), v_[s].end(), data_->qvel);
    mjModel* m = model_.get();
    mjData* d = data_.get();
    if (!states_[s].efforts.empty())
      std::copy(efforts_[s].begin(), efforts_[s].end(), d->qfrc_applied);
    if (!mechanism_.closures.empty()) return mj_forward(m, d);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_makeM(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int i = 0; i < m->nv; ++i) d->qfrc_smooth[i] = d->qfrc_applied[i] - d->qfrc_bias[i];
    mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
  }

  std::vector<double> accelerations(std::size_t s) override {
    evaluate(s);
    std::vector<double> result;
    for (std::size_t b = 0; b < v_of_.size(); ++b) {
      const double* found = data_->qacc + v_of_[b];
      if (const auto joint = mechanism_.bodies[b].joint; joint != EngineJoint::kFree) {
        result.insert(result.end(), found, found + velocities(joint));
        continue;
      }
      // Its angular velocity and acceleration are in the body's axes as ours are.
      const auto R = rotation(states_[s].q.data() + offsets_.q[b] + 3);
      const Vector angular = turn(R, found + 3);
      const auto rates = free_rates(R, states_[s].v.data() + offsets_.v[b], found, angular.data());
      result.insert(result.end(), rates.begin(), rates.end());
    }
    return result;
  }

 private:
  // The linear velocity of a free body, and the force on it, are in the world's axes.
  void copy(std::size_t s, std::size_t b) {
    const auto joint = mechanism_.bodies[b].joint;
    const double* q = states_[s].q.data() + offsets_.q[b];
    const double* v = states_[s].v.data() + offsets_.v[b];
    std::copy(q, q + coordinates(joint), q_[s].data() + q_of_[b]);
    std::copy(v, v + velocities(joint), v_[s].data() + v_of_[b]);
    if (const auto& efforts = states_[s].efforts; !efforts.empty()) {
      const double* effort = efforts.data() + offsets_.v[b];
      std::copy(effort, effort + velocities(joint), efforts_[s].data() + v_of_[b]);
    }
    if (joint == EngineJoint::kFree) {
      const auto to_world = [R = rotation(q + 3)](double* linear) {
        const Vector turned = turn(R, linear);
        std::copy(turned.begin(), turned.end(), linear);
      };
      to_world(v_[s].data() + v_of_[b]);
      to_world(efforts_[s].data() + v_of_[b]);
    }
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  ModelPointer model_;
  std::unique_ptr<mjData, Closer> data_;
  std::vector<int> q_of_, v_of_;
  std::vector<EngineState> states_;
  std::vector<std::vector<double>> q_, v_, efforts_;
};

class Mujoco final : public Engine {
 public:
  std::string name() const override { return "MuJoCo"; }
  std::string version() const override { return mj_versionString(); }
  std::string method() const override {
    return "trees: positions, mass matrix, factors, bias forces, solve; loops: mj_forward, Newton";
  }
  bool soft_loops() const override { return true; }
  bool takes_machines() const override { return true; }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (mechanism.closures.size() > kMostLoops) {
      refusal = "more than " + std::to_string(kMostLoops) + " loops overflow its stack";
      return nullptr;
    }
    if (mechanism.bodies.size() > kMostBodies) {
      refusal = "more than " + std::to_string(kMostBodies) + " bodies take it seconds";
      return nullptr;
    }
    auto model = load(mechanism, refusal);
    if (model == nullptr) return nullptr;
    refusal.clear();
    return std::make_unique<MujocoModel>(mechanism, std::move(model));
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Mujoco)
