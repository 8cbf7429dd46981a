// Poses, shifts, cross products and inertias of both spaces against what they mean: power, energy
// and derivatives are the same from every frame.
#include <gtest/gtest.h>

#include "hamiltree/space/inertia.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"
#include "support/random_space.hpp"

namespace hamiltree {
namespace {

using test::derivatives_of;
using test::difference;
using test::moving;
using test::RandomSpace;

constexpr int kSamples = 100;
constexpr double kRounding = 1e-14;  // measured: 3e-15 at most

template <class S>
class SpaceTest : public testing::Test {
 protected:
  RandomSpace<S> random{20170301};
};

using Spaces = testing::Types<Planar<double>, Spatial<double>>;
TYPED_TEST_SUITE(SpaceTest, Spaces);

TYPED_TEST(SpaceTest, PosesCompose) {
  for (int i = 0; i < kSamples; ++i) {
    const auto X_AB = this->random.pose();
    const auto X_BC = this->random.pose();
    const auto X_CD = this->random.pose();
    const auto x_C = this->random.position();
    EXPECT_LE(difference((X_AB * X_BC) * x_C, X_AB * (X_BC * x_C)), kRounding);
    EXPECT_LE(difference(X_AB * x_C, X_AB.r + X_AB.R * x_C), kRounding);
    const auto left = (X_AB * X_BC) * X_CD;
    const auto right = X_AB * (X_BC * X_CD);
    EXPECT_LE(difference(left.R, right.R), kRounding);
    EXPECT_LE(difference(left.r, right.r), kRounding);
  }
}

TYPED_TEST(SpaceTest, InversePoseUndoes) {
  using Rotation = typename TypeParam::Rotation;
  using Position = typename TypeParam::Position;
  for (int i = 0; i < kSamples; ++i) {
    const auto X = this->random.pose();
    for (const auto& I : {X * inverse(X), inverse(X) * X}) {
      EXPECT_LE(difference(I.R, Rotation(Rotation::Identity())), kRounding);
      EXPECT_LE(difference(I.r, Position(Position::Zero())), kRounding);
    }
  }
}

TYPED_TEST(SpaceTest, StackJoinsWhatLinearAndAngularTake) {
  const auto F = this->random.force();
  EXPECT_EQ(stack<TypeParam>(linear<TypeParam>(F), angular<TypeParam>(F)), F);
}

TYPED_TEST(SpaceTest, SkewIsTheMoment) {
  for (int i = 0; i < kSamples; ++i) {
    const auto l = this->random.position();
    const auto f = this->random.position();
    EXPECT_LE(difference(TypeParam::skew(l) * f, TypeParam::moment(l, f)), kRounding);
    // omega . (l x f) = f . (omega x l)
    const auto omega = this->random.template vector<typename TypeParam::Angular>();
    EXPECT_NEAR(omega.dot(TypeParam::moment(l, f)), f.dot(TypeParam::cross(omega, l)), kRounding);
  }
}

TYPED_TEST(SpaceTest, ShiftsKeepPower) {
  for (int i = 0; i < kSamples; ++i) {
    const auto l = this->random.position();
    const auto F = this->random.force();
    const auto V = this->random.motion();
    EXPECT_NEAR(shift_force<TypeParam>(l, F).dot(V), F.dot(shift_motion<TypeParam>(l, V)),
                kRounding);
  }
}

TYPED_TEST(SpaceTest, ShiftsAddUp) {  // S_ij S_jk = S_ik
  using Position = typename TypeParam::Position;
  for (int i = 0; i < kSamples; ++i) {
    const auto l_ij = this->random.position();
    const auto l_jk = this->random.position();
    const Position l_ik = l_ij + l_jk;
    const auto F = this->random.force();
    const auto V = this->random.motion();
    EXPECT_LE(difference(shift_force<TypeParam>(l_ij, shift_force<TypeParam>(l_jk, F)),
                         shift_force<TypeParam>(l_ik, F)),
              kRounding);
    EXPECT_LE(difference(shift_motion<TypeParam>(l_jk, shift_motion<TypeParam>(l_ij, V)),
                         shift_motion<TypeParam>(l_ik, V)),
              kRounding);
  }
}

TYPED_TEST(SpaceTest, RotationsKeepPower) {
  for (int i = 0; i < kSamples; ++i) {
    const auto R = this->random.rotation();
    const auto F = this->random.force();
    const auto V = this->random.motion();
    EXPECT_NEAR(rotate<TypeParam>(R, F).dot(rotate<TypeParam>(R, V)), F.dot(V), kRounding);
    EXPECT_LE(difference(unrotate<TypeParam>(R, rotate<TypeParam>(R, F)), F), kRounding);
  }
}

// A point that is fixed in a turning frame moves as shift_motion says.
TYPED_TEST(SpaceTest, ShiftedMotionIsTheVelocityOfThePoint) {
  for (int i = 0; i < kSamples; ++i) {
    const auto X = this->random.pose();
    const auto V = this->random.motion();
    const auto l = this->random.position();
    const auto x = moving(X, V) * l.template cast<Dual>();
    EXPECT_LE(difference(derivatives_of(x), X.R * linear<TypeParam>(shift_motion<TypeParam>(l, V))),
              kRounding);
  }
}

TYPED_TEST(SpaceTest, FrameChangesKeepPowerAndCompose) {
  for (int i = 0; i < kSamples; ++i) {
    const auto X_AB = this->random.pose();
    const auto X_BC = this->random.pose();
    const auto F = this->random.force();
    const auto V = this->random.motion();
    EXPECT_NEAR(force_to_parent(X_AB, F).dot(V), F.dot(motion_to_child(X_AB, V)), kRounding);
    EXPECT_LE(difference(force_to_parent(X_AB, force_to_parent(X_BC, F)),
                         force_to_parent(X_AB * X_BC, F)),
              kRounding);
    EXPECT_LE(difference(motion_to_child(X_BC, motion_to_child(X_AB, V)),
                         motion_to_child(X_AB * X_BC, V)),
              kRounding);
    EXPECT_LE(difference(force_to_parent(inverse(X_AB), force_to_parent(X_AB, F)), F), kRounding);
  }
}

// d/dt (X F) = X (Fdot + V x* F) for a frame X that moves with V, here with Fdot = 0.
TYPED_TEST(SpaceTest, CrossForceIsTheRateOfAForceFixedInAMovingFrame) {
  using DualSpace = typename TypeParam::template Rebind<Dual>;
  for (int i = 0; i < kSamples; ++i) {
    const auto X = this->random.pose();
    const auto V = this->random.motion();
    const auto F = this->random.force();
    const typename DualSpace::Force F_dual = F.template cast<Dual>();
    const auto seen = force_to_parent<DualSpace>(moving(X, V), F_dual);
    EXPECT_LE(difference(derivatives_of(seen), force_to_parent(X, cross_force<TypeParam>(V, F))),
              kRounding);
  }
}

TYPED_TEST(SpaceTest, CrossForceOfItsOwnMotionHasNoPower) {
  for (int i = 0; i < kSamples; ++i) {
    const auto V = this->random.motion();
    EXPECT_NEAR(V.dot(cross_force<TypeParam>(V, this->random.force())), 0.0, kRounding);
  }
}

// 2 T = m v_c^2 + omega J omega
TYPED_TEST(SpaceTest, InertiaGivesTheKineticEnergy) {
  for (int i = 0; i < kSamples; ++i) {
    const auto body = this->random.inertia();
    const auto V = this->random.motion();
    const auto V_com = shift_motion<TypeParam>(body.com, V);
    const auto omega = angular<TypeParam>(V);
    const double twice =
        body.mass * linear<TypeParam>(V_com).squaredNorm() + omega.dot(body.J_com * omega);
    EXPECT_NEAR(V.dot(to_matrix(body) * V), twice, 2.0 * kRounding);
    EXPECT_NEAR(V.dot(momentum(body, V)), twice, 2.0 * kRounding);
  }
}

TYPED_TEST(SpaceTest, InertiaMatrixIsSymmetricAndGivesTheMomentum) {
  for (int i = 0; i < kSamples; ++i) {
    const auto body = this->random.inertia();
    const auto M = to_matrix(body);
    const auto V = this->random.motion();
    EXPECT_LE(difference(M, M.transpose()), kRounding);
    EXPECT_LE(difference(M * V, momentum(body, V)), 2.0 * kRounding);
  }
}

// The inertia of a rigid body, and any symmetric matrix, which is what articulated inertias are.
TYPED_TEST(SpaceTest, InertiaSeenFromTheParentGivesTheMomentumThere) {
  using Inertia = typename TypeParam::Inertia;
  for (int i = 0; i < kSamples; ++i) {
    const auto X = this->random.pose();
    const auto V = this->random.motion();
    const auto any = this->random.template vector<Inertia>();
    for (const Inertia& M : {to_matrix(this->random.inertia()), Inertia(any + any.transpose())}) {
      const Inertia M_parent = inertia_to_parent(X, M);
      EXPECT_LE(difference(M_parent * V, force_to_parent<TypeParam>(X, M * motion_to_child(X, V))),
                4.0 * kRounding);
      EXPECT_LE(difference(M_parent, M_parent.transpose()), kRounding);
    }
  }
}

TYPED_TEST(SpaceTest, CastKeepsEveryNumber) {
  const auto body = this->random.inertia();
  const auto cast = body.template cast<Dual>();
  EXPECT_EQ(cast.mass.value, body.mass);
  EXPECT_EQ(test::values_of(cast.com), body.com);
  EXPECT_EQ(test::values_of(cast.J_com), body.J_com);
  EXPECT_EQ(test::values_of(cast.J_com_inverse), body.J_com_inverse);
  const auto X = this->random.pose();
  EXPECT_EQ(test::values_of(X.template cast<Dual>().R), X.R);
  EXPECT_EQ(test::values_of(X.template cast<Dual>().r), X.r);
}

}  // namespace
}  // namespace hamiltree
