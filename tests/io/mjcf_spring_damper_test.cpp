// `springdamper` of MJCF's joints, against the numbers of MuJoCo 4.0: the inertia is that of the
// inverse mass matrix. Shells beside it.
#include <gtest/gtest.h>

#include <cmath>

#include "import_text.hpp"

namespace hamiltree {
namespace {

TEST(MjcfSpringDamper, BelongsToTheInverseMassMatrix) {
  const auto [mechanism, log] = test::import_text(R"(
    <mujoco><compiler angle='radian'/><worldbody>
      <body name='a' pos='0 0 1'>
        <joint name='x' type='slide' axis='1 0 0'/>
        <joint name='h' axis='0 1 0' pos='0.1 0 0' ref='0.3' springdamper='0.5 0.7' springref='0.2'
               armature='0.02'/>
        <geom type='box' size='0.1 0.2 0.3' density='500'/>
        <body name='b' pos='0.4 0.1 -0.3' euler='0.3 0.2 0.1'>
          <joint name='s' type='slide' axis='1 1 0' springdamper='0.1 1'/>
          <geom size='0.15' pos='0.1 0 0.2' density='800'/>
          <body name='c' pos='0 0 0.5'>
            <joint name='ball' type='ball' springdamper='2 0.5'/>
            <geom type='capsule' size='0.05 0.3' pos='0 0.1 0'/>
          </body>
        </body>
      </body>
    </worldbody></mujoco>)");
  double stiffness = 0.0, damping = 0.0, slide_stiffness = 0.0, slide_damping = 0.0, ball = 0.0;
  double ball_stiffness = 0.0;
  for (const auto& force : mechanism.forces) {
    if (const auto* spring = std::get_if<JointSpringDamper>(&force)) {
      (spring->joint == "h" ? stiffness : slide_stiffness) += spring->stiffness;
      (spring->joint == "h" ? damping : slide_damping) += spring->damping;
      if (spring->joint == "h" && spring->stiffness > 0.0) {
        EXPECT_EQ(spring->rest, 0.2);
      }
    }
    if (const auto* bushing = std::get_if<Bushing>(&force)) {
      ball = bushing->rotational_damping.x();
      ball_stiffness = bushing->angle_stiffness;
    }
  }
  EXPECT_NEAR(stiffness, 31.574198439661995, 1e-11);
  EXPECT_NEAR(damping, 15.471357235434375, 1e-11);
  EXPECT_NEAR(slide_stiffness, 1222.7847785084834, 1e-9);
  EXPECT_NEAR(slide_damping, 244.55695570169672, 1e-10);
  EXPECT_NEAR(ball, 0.09131319233505839, 1e-13);
  // 2 I / 2 s and I / (2 s 0.5)^2
  EXPECT_NEAR(ball_stiffness, 0.09131319233505839, 1e-13);
  EXPECT_EQ(log.warning_count(), 0U);
}

TEST(MjcfSpringDamper, NeedsTwoNumbersAboveZeroAndMass) {
  const auto error = [](const std::string& numbers, const std::string& rest) {
    return test::import_error("<mujoco><worldbody><body><joint name='j' springdamper='" + numbers +
                              "'/>" + rest + "</body></worldbody></mujoco>");
  };
  EXPECT_NE(error("1 -1", "<geom size='1'/>").find("needs two numbers above 0"), std::string::npos);
  EXPECT_NE(error("1", "<geom size='1'/>"), "no ModelError");
  EXPECT_NE(error("1 1", "").find("needs mass that it moves"), std::string::npos);
}

struct Shell {
  const char* type;
  double mass;
  Eigen::Vector3d moments;
};

TEST(MjcfShell, WeighsItsSurface) {
  for (const auto& [type, mass, moments] :
       {Shell{"sphere", 3.518583772020569, Eigen::Vector3d::Constant(0.09382890058721517)},
        Shell{"capsule",
              8.79645943005142,
              {0.8855102492918432, 0.8855102492918432, 0.3049439269084493}},
        Shell{"cylinder",
              7.037167544041138,
              {0.4398229715025711, 0.4398229715025711, 0.24630086404143983}},
        Shell{"box", 17.36, {2.8634666666666666, 2.462133333333333, 1.3122666666666667}},
        // MuJoCo takes the difference of two ellipsoids, to 1e-6.
        Shell{"ellipsoid",
              9.437049075591375,
              {0.9339658799799508, 0.8030646170373075, 0.428017502232251}}}) {
    const auto mechanism =
        test::import_text(
            std::string("<mujoco><worldbody><body name='b'><freejoint/><geom type='") + type +
            "' size='0.2 0.3 0.5' density='7' shellinertia='true'/></body>"
            "</worldbody></mujoco>")
            .mechanism;
    const auto& body = test::body_of(mechanism, "b");
    const double tolerance = type == std::string("ellipsoid") ? 1e-5 : 1e-14;
    EXPECT_NEAR(body.mass, mass, 1e-14 * mass) << type;
    EXPECT_LT((body.inertia.diagonal() - moments).norm(), tolerance * moments.norm()) << type;
  }
}

}  // namespace
}  // namespace hamiltree
