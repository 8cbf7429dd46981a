// Shipped mechanisms whose motion or efforts are known in closed form, or from one equation in one
// coordinate, as their pages say; by every formulation.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

// Columns of a recording by their names.
class Columns {
 public:
  explicit Columns(Recording recording) : recording_(std::move(recording)) {}

  std::size_t size() const { return recording_.samples.size(); }
  double t(std::size_t i) const { return recording_.samples[i].t; }
  double kinetic_energy(std::size_t i) const { return recording_.samples[i].kinetic_energy; }
  double operator()(const std::string& name, std::size_t i) const {
    const auto& header = recording_.header;
    const auto& sample = recording_.samples[i];
    for (const auto& [channels, values] : {std::pair{&header.q, &sample.q},
                                           {&header.outside_q, &sample.outside_q},
                                           {&header.v, &sample.v},
                                           {&header.outside_v, &sample.outside_v},
                                           {&header.sensors, &sample.sensors}}) {
      for (std::size_t k = 0; k < channels->size(); ++k) {
        if ((*channels)[k].name == name) return (*values)(static_cast<Eigen::Index>(k));
      }
    }
    throw std::out_of_range(name);
  }
  double last(const std::string& name) const { return (*this)(name, size() - 1); }

 private:
  Recording recording_;
};

class ClosedForm : public testing::TestWithParam<std::string> {
 protected:
  // The first second of a shipped mechanism, each 0.1 s.
  static Columns second_of(const std::string& name) {
    const auto model = load(std::string(HAMILTREE_MECHANISMS) + "/" + name + "/model.toml");
    Simulation simulation(model,
                          {.formulation = GetParam(), .integrator = DormandPrince{1e-12, 1e-12}});
    return Columns(simulation.run_until(1.0, 0.1));
  }
};

TEST_P(ClosedForm, Bennett) {
  const auto run = second_of("bennett");
  const double alpha = std::asin(0.5);
  const double beta = std::asin(0.8);
  const double K = std::sin((beta + alpha) / 2.0) / std::sin((beta - alpha) / 2.0);
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double A = run("q.A", i) / 2.0;
    const double B = run("q.B", i) / 2.0;
    EXPECT_NEAR(std::sin(A) * std::sin(B), K * std::cos(A) * std::cos(B), 1e-12);
    EXPECT_NEAR(std::sin(run("q.C", i) + run("q.A", i)), 0.0, 1e-12);
    EXPECT_NEAR(std::sin(run("D.q", i) - run("q.B", i)), 0.0, 1e-12);
  }
  EXPECT_NEAR(run.last("q.A"), -3.1306846742, 1e-9);
  EXPECT_NEAR(run.last("v.A"), -2.5000875565, 1e-9);
}

TEST_P(ClosedForm, Bricard) {
  const auto run = second_of("bricard");
  for (std::size_t i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run.kinetic_energy(i), 0.27081, 1e-11);
    EXPECT_NEAR(std::cos(run("q.A", i) / 2.0) * std::cos(run("q.B", i) / 2.0), 0.5, 1e-12);
    EXPECT_NEAR(run("q.C", i), run("q.A", i), 1e-12);
    EXPECT_NEAR(run("F.q", i), -run("q.B", i), 1e-12);
  }
  EXPECT_NEAR(run.last("q.A"), 0.5218721398, 1e-9);
  EXPECT_NEAR(run.last("v.B"), -0.7684848064, 1e-9);
}

TEST_P(ClosedForm, Rssr) {
  const auto run = second_of("rssr");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto part = [&](const char* name) { return run("coupler." + std::string(name), i); };
    const double w = part("quat_w"), x = part("quat_x"), y = part("quat_y"), z = part("quat_z");
    const double spin = (1.0 - 2.0 * (y * y + z * z)) * part("omega.x") +
                        2.0 * (x * y + w * z) * part("omega.y") +
                        2.0 * (x * z - w * y) * part("omega.z");
    EXPECT_NEAR(spin, 20.0, 1e-7);
  }
  EXPECT_NEAR(run.last("q.A"), -0.2222534668, 1e-9);
  EXPECT_NEAR(run.last("v.A"), -0.9736685904, 1e-8);
}

TEST_P(ClosedForm, Door) {
  const auto run = second_of("door");
  for (std::size_t i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run("q.lower", i), 1.2 * std::cos(1.25 * run.t(i)), 1e-11);
    double weight = 0.0;
    for (const std::string hinge : {"lower", "middle", "upper"}) {
      weight += run(hinge + ".force.z", i);
    }
    EXPECT_NEAR(weight, 235.44, 1e-9);
  }
}

TEST_P(ClosedForm, Parallelogram) {
  const auto run = second_of("parallelogram");
  for (const char* bar : {"q.A_1", "q.A_2", "q.A_3"}) {
    EXPECT_NEAR(run.last(bar), -0.06965622520, 1e-10);
  }
}

TEST_P(ClosedForm, PendulumOnMovingPivot) {
  const auto run = second_of("pendulum_on_moving_pivot");
  EXPECT_NEAR(run.last("q.pivot"), 0.3120030308, 1e-9);
  EXPECT_NEAR(run.last("v.pivot"), 8.5770374555, 1e-8);
}

TEST_P(ClosedForm, DrivenSliderCrank) {
  const auto run = second_of("driven_slider_crank");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double angle = 0.5 + 10.0 * run.t(i);
    const double rise = 0.1 * std::sin(angle);
    EXPECT_NEAR(run("q.D", i), 0.1 * std::cos(angle) + std::sqrt(0.09 - rise * rise), 1e-13);
  }
  EXPECT_NEAR(run("drive.drive", 0), 0.802974817184, 1e-11);
  EXPECT_NEAR(run("drive.drive", 1), -0.156250822518, 1e-11);
  EXPECT_NEAR(run.last("drive.drive"), 0.156359110071, 1e-11);
}

TEST_P(ClosedForm, GearPair) {
  const auto run = second_of("gear_pair");
  for (std::size_t i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run("q.shaft_1", i), 1.5 * std::cos(2.0 * run.t(i)), 1e-11);
    EXPECT_NEAR(run("q.shaft_2", i), -0.75 * std::cos(2.0 * run.t(i)), 1e-11);
  }
}

TEST_P(ClosedForm, ScrewPress) {
  const auto run = second_of("screw_press");
  for (std::size_t i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run("q.nut", i), -19.62 * run.t(i) * run.t(i), 1e-11);
    EXPECT_NEAR(run("platen.q", i), -0.3924 * run.t(i) * run.t(i), 1e-13);
  }
}

TEST_P(ClosedForm, CardanShaft) {
  const auto run = second_of("cardan_shaft");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double a = run("q.input", i);
    const double ratio = 0.8 / (std::pow(std::cos(a), 2) + 0.64 * std::pow(std::sin(a), 2));
    const double b = run("output.q", i);
    EXPECT_NEAR(std::sin(b) * std::cos(a), 0.8 * std::sin(a) * std::cos(b), 1e-12);
    EXPECT_NEAR(run("output.v", i), ratio * run("v.input", i), 1e-11);
    EXPECT_NEAR(run("v.input", i), 10.0 * std::sqrt(2.64 / (2.0 + ratio * ratio)), 1e-9);
  }
  EXPECT_NEAR(run.last("q.input"), 9.3503225138, 1e-9);
}

TEST_P(ClosedForm, ScotchYoke) {
  const auto run = second_of("scotch_yoke");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double phi = 10.0 * run.t(i);
    EXPECT_NEAR(run("q.guide", i), 0.1 * std::cos(phi), 1e-14);
    EXPECT_NEAR(run("pin.force.x", i), 5.0 * std::cos(phi), 1e-12);
    EXPECT_NEAR(run("pin.force.y", i), 0.0, 1e-12);
    EXPECT_NEAR(run("pin.moment", i), 0.0, 1e-12);
    EXPECT_NEAR(run("drive.drive", i), 0.25 * std::sin(2.0 * phi), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, ClosedForm, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hamiltree
