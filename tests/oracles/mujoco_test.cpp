// Open trees of MJCF and URDF files against MuJoCo: the same accelerations at random states.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "oracle_models.hpp"
#include "prepared.hpp"
#include "support/own_path.hpp"

#ifdef HAMILTREE_MUJOCO
#include "mujoco_model.hpp"
#endif

namespace hamiltree {
namespace {

#ifndef HAMILTREE_MUJOCO

TEST(MuJoCo, Accelerations) { GTEST_SKIP() << "MuJoCo is not there (libmujoco-dev)"; }

#else

using DataPointer = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

// A joint that both have, by its place in MuJoCo and in the tables of ours.
struct Pair {
  int mujoco = 0, own = 0;
};

class Twins {
 public:
  // Effects that only one of the two simulates, or each in its way, are switched off in both:
  // contacts, stops, dry friction.
  explicit Twins(const std::filesystem::path& file, const std::string& keyframe = "")
      : own_(own_mechanism(file, keyframe)),
        mujoco_(test::read_by_mujoco(file)),
        data_(nullptr, mj_deleteData) {
    mujoco_->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY;
    // The other is not asked for what the file does not say.
    if (file.extension() == ".urdf") {
      for (int i = 0; i < 3; ++i) mujoco_->opt.gravity[i] = own_.mechanism().gravity(i);
    }
    data_.reset(mj_makeData(mujoco_.get()));
    if (!keyframe.empty()) {
      std::copy_n(mujoco_->key_ctrl, mujoco_->nu, data_->ctrl);
      std::copy_n(mujoco_->key_act, mujoco_->na, data_->act);
    }
    pair_joints();
  }

  bool matched() const { return matched_; }
  int freedoms() const { return mujoco_->nv; }

  // The largest difference of an acceleration at a random state, by the largest of all and the
  // condition number of the mass matrix.
  double difference(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    Eigen::VectorXd q(own_q()), v(mujoco_->nv);
    for (auto& value : v) value = normal(random);
    for (const auto& [m, j] : pairs_) draw(m, j, normal, random, q, v);
    mj_forward(mujoco_.get(), data_.get());
    const Eigen::VectorXd own = own_accelerations(q, v);
    double largest = 0.0, difference = 0.0;
    for (const auto& [m, j] : pairs_) {
      const Eigen::VectorXd expected = mujoco_acceleration(m, v);
      for (Eigen::Index i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(expected(i)));
        difference = std::max(difference, std::abs(expected(i) - own(velocity_of(j) + i)));
      }
    }
    return difference / largest / condition();
  }

 private:
  static Model own_mechanism(const std::filesystem::path& file, const std::string& keyframe) {
    ImportLog log;
    auto mechanism = read_model(file, {.keyframe = keyframe}, log).mechanism();
    std::erase_if(mechanism.forces, [](const ForceDescription& f) {
      return std::holds_alternative<JointLimits>(f) || std::holds_alternative<JointFriction>(f);
    });
    std::erase_if(mechanism.couplings, [](const Coupling&) { return true; });
    return Model(mechanism);
  }

  int velocity_of(int j) const {
    return own_.visit([&](const auto& s) { return s.joint(j).v; });
  }
  int coordinate_of(int j) const {
    return own_.visit([&](const auto& s) { return s.joint(j).q; });
  }
  int own_q() const {
    return own_.visit([](const auto& s) { return s.coordinates; });
  }

  void pair_joints() {
    const auto& joints = own_.mechanism().joints;
    matched_ = own_.joint_count() == mujoco_->njnt && own_.velocity_count() == mujoco_->nv;
    for (int m = 0; m < mujoco_->njnt && matched_; ++m) {
      const std::string name = mujoco_->names + mujoco_->name_jntadr[m];
      for (int j = 0; j < own_.joint_count(); ++j) {
        const auto& own_name = joints[at(own_.described_joint(j))].name;
        const bool unnamed = name.empty() && own_.described_joint(j) == m;
        if (own_name == name || unnamed) pairs_.push_back({m, j});
      }
    }
    matched_ = matched_ && pairs_.size() == at(mujoco_->njnt);
  }

  // Coordinates are the same; of a free joint MuJoCo has the linear velocity in world axes.
  void draw(int m, int j, std::normal_distribution<double>& normal, std::mt19937_64& random,
            Eigen::VectorXd& q, Eigen::VectorXd& v) {
    const int type = mujoco_->jnt_type[m];
    const int count = type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
    Eigen::VectorXd own(count);
    for (auto& value : own) value = normal(random);
    if (count > 3) own.tail<4>().normalize();
    q.segment(coordinate_of(j), count) = own;
    std::copy(own.begin(), own.end(), data_->qpos + mujoco_->jnt_qposadr[m]);
    const int freedoms = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    Eigen::VectorXd rates = v.segment(velocity_of(j), freedoms);
    if (type == mjJNT_FREE) rates.head<3>() = rotation(own) * rates.head<3>();
    std::copy(rates.begin(), rates.end(), data_->qvel + mujoco_->jnt_dofadr[m]);
  }

  static Eigen::Matrix3d rotation(const Eigen::VectorXd& free_q) {
    return Eigen::Quaterniond(free_q(3), free_q(4), free_q(5), free_q(6)).toRotationMatrix();
  }

  // In the engine's velocities: of a free joint d/dt (R^T v) = R^T vdot - omega x R^T v.
  Eigen::VectorXd mujoco_acceleration(int m, const Eigen::VectorXd& v) const {
    const int type = mujoco_->jnt_type[m];
    const int freedoms = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    Eigen::VectorXd a =
        Eigen::Map<const Eigen::VectorXd>(data_->qacc + mujoco_->jnt_dofadr[m], freedoms);
    if (type == mjJNT_FREE) {
      const Eigen::VectorXd q =
          Eigen::Map<const Eigen::VectorXd>(data_->qpos + mujoco_->jnt_qposadr[m], 7);
      const auto pair = std::ranges::find(pairs_, m, &Pair::mujoco);
      const Eigen::Vector3d linear = v.segment<3>(velocity_of(pair->own));
      const Eigen::Vector3d omega = v.segment<3>(velocity_of(pair->own) + 3);
      a.head<3>() = rotation(q).transpose() * a.head<3>() - omega.cross(linear);
    }
    return a;
  }

  Eigen::VectorXd own_accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    const auto formulation = make_formulation("aba", own_);
    const auto workspace = formulation->make_workspace();
    const StateView state{0.0, q.data(), v.data()};
    formulation->analyse(state, *workspace);
    formulation->prepare(state, *workspace);
    EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
    return Eigen::Map<const Eigen::VectorXd>(workspace->v_dot.data(),
                                             static_cast<Eigen::Index>(workspace->v_dot.size()));
  }

  double condition() const {
    Eigen::MatrixXd M(mujoco_->nv, mujoco_->nv);
    mj_fullM(mujoco_.get(), M.data(), data_->qM);
    const Eigen::VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = s.asDiagonal() * M * s.asDiagonal();
    const Eigen::VectorXd values = symmetric_eigen(scaled).values;
    return values(values.size() - 1) / values(0);
  }

  Model own_;
  test::MujocoModel mujoco_;
  DataPointer data_;
  std::vector<Pair> pairs_;
  bool matched_ = false;
};

// A prepared copy of a file, gone with it.
class PreparedFile {
 public:
  explicit PreparedFile(const std::filesystem::path& file,
                        test::Actuation actuation = test::Actuation::kLeftOut)
      : path_(test::own_path("oracle" + file.extension().string())) {
    std::ofstream(path_) << test::prepared(file, actuation);
  }
  PreparedFile(const PreparedFile&) = delete;
  PreparedFile& operator=(const PreparedFile&) = delete;
  ~PreparedFile() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class MuJoCoFiles : public testing::TestWithParam<std::filesystem::path> {};

void compare(const std::filesystem::path& file, test::Actuation actuation) {
  constexpr int kSeed = 1;
  std::mt19937_64 random(kSeed);
  std::unique_ptr<Twins> twins;
  try {
    const PreparedFile prepared(file, actuation);
    twins = std::make_unique<Twins>(prepared.path());
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << "one of the two does not take it: " << error.what();
  }
  if (!twins->matched()) GTEST_SKIP() << "the two do not have the same joints";
  double worst = 0.0;
  for (int i = 0; i < 20; ++i) worst = std::max(worst, twins->difference(random));
  std::cout << "  " << twins->freedoms() << " freedoms, largest difference " << worst << "\n";
  EXPECT_LT(worst, 1e-9) << "seed " << kSeed;
}

// Measured at most 4.99e-10, of a delta robot with links of 1e-9 kg; of most files 1e-15.
TEST_P(MuJoCoFiles, Accelerations) { compare(GetParam(), test::Actuation::kLeftOut); }

class ActuatedMuJoCoFiles : public testing::TestWithParam<std::filesystem::path> {};

// With their tendons and actuators, at controls of 0.
TEST_P(ActuatedMuJoCoFiles, Accelerations) { compare(GetParam(), test::Actuation::kKept); }

// Every kind of actuator, and ropes with motors, at the controls and activations of a keyframe.
// Measured 2.2e-16 and 1.4e-14.
TEST(MuJoCo, ActuatorsAtTheControlsOfAKeyframe) {
  constexpr int kSeed = 2;
  for (const auto& [file, keyframe] :
       {std::pair{"actuators.xml", "driven"}, std::pair{"tendons.xml", "driven"},
        std::pair{"ropes.xml", ""}}) {
    std::mt19937_64 random(kSeed);
    Twins twins(std::filesystem::path(HAMILTREE_TEST_MODELS) / file, keyframe);
    ASSERT_TRUE(twins.matched());
    double worst = 0.0;
    for (int i = 0; i < 20; ++i) worst = std::max(worst, twins.difference(random));
    std::cout << "  " << file << ": " << twins.freedoms() << " freedoms, largest difference "
              << worst << "\n";
    EXPECT_LT(worst, 1e-13) << file << ", seed " << kSeed;
  }
}

// In a medium that flows, as the file is written: prepared, its bodies would have other axes.
TEST(MuJoCo, DragOfAMedium) {
  constexpr int kSeed = 3;
  std::mt19937_64 random(kSeed);
  Twins twins(std::filesystem::path(HAMILTREE_TEST_MODELS) / "medium.xml");
  ASSERT_TRUE(twins.matched());
  double worst = 0.0;
  for (int i = 0; i < 20; ++i) worst = std::max(worst, twins.difference(random));
  std::cout << "  largest difference " << worst << "\n";
  EXPECT_LT(worst, 1e-9) << "seed " << kSeed;
}

// Without those of our models that MuJoCo refuses: links without mass, one with two parents, and
// cables, which some versions do not know (cable_test.cpp).
std::vector<std::filesystem::path> files() {
  auto files = test::oracle_files({".xml", ".urdf"});
  for (const char* name : {"arm.urdf", "side_car.urdf", "second_parent.urdf", "cable.xml"}) {
    std::erase(files, std::filesystem::path(HAMILTREE_TEST_MODELS) / name);
  }
  return files;
}

INSTANTIATE_TEST_SUITE_P(Files, MuJoCoFiles, testing::ValuesIn(files()), test::name_of_file);

std::vector<std::filesystem::path> actuated_files() {
  auto actuated = files();
  std::erase_if(actuated, [](const auto& file) { return !test::is_actuated(file); });
  return actuated;
}

INSTANTIATE_TEST_SUITE_P(Files, ActuatedMuJoCoFiles, testing::ValuesIn(actuated_files()),
                         test::name_of_file);

#endif

}  // namespace
}  // namespace hamiltree
