// Probe: what can be seen of a mechanism at a state, whatever formulation moves it: energies,
// residuals of the loops, momenta of a motion, sensors, poses. It keeps the kinematics of the last
// state placed.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// A singular pose may be near where Formulation::least_pivot() is below this.
inline constexpr double kSmallPivot = 1e-3;

struct Residuals {
  double position = 0.0;  // m: max |Phi|, angles times the length
  double velocity = 0.0;  // m/s
};

class Probe {
 public:
  virtual ~Probe() = default;

  // Puts the bodies where q and v say at time t. All other calls refer to the last state placed.
  void set(double t, const double* q, const double* v) {
    place(t, q);
    move(v);
  }
  // The two halves of it: poses, then velocities.
  virtual void place(double t, const double* q) = 0;
  virtual void move(const double* v) = 0;
  // The same of a model in space, as a formulation has computed it.
  virtual void take(double t, const double* q, const double* v,
                    const Kinematics<Spatial<double>>& kin) = 0;

  // Energies, residuals and momenta of a sample.
  virtual void numbers(Sample& sample) = 0;
  virtual double kinetic_energy() const = 0;    // J
  virtual double potential_energy() const = 0;  // J
  virtual double position_residual() = 0;       // m, see Residuals
  virtual double velocity_residual() = 0;       // m/s
  Residuals residuals() { return {position_residual(), velocity_residual()}; }
  virtual const Eigen::VectorXd& phi() = 0;       // m and rad, rows of cuts and couplings
  virtual const Eigen::VectorXd& phi_rate() = 0;  // m/s and rad/s
  // m or rad, an angle up to whole turns: of a cut with one coordinate.
  virtual double position(int cut) const = 0;
  virtual double rate(int cut) const = 0;     // m/s or rad/s
  virtual double greatest_speed() const = 0;  // m/s, of points and, times the length, of turns
  virtual void momenta(double* p) = 0;        // of the motion, with no impulse in any loop
  virtual void add_loop_impulses(const double* impulses, double* p) = 0;  // p += A^T impulses
  // p of the motion with the impulses sigma of the loops becomes p without them; least_pivot: that
  // of the formulation at this motion.
  virtual void reset(const double* sigma, double least_pivot, double* p) = 0;
  virtual void normalise(double* q) const = 0;

  // Coordinates and velocities of the joints that are not in the state, in the Model's order.
  // Angles of cuts go on from where they were last followed; there is nothing to follow where there
  // are no cuts. follow() must be called often enough for no angle to turn by half a turn in
  // between. follow_moving() goes by the velocities, however far they have turned; it returns a
  // joint whose turns these do not tell, or kNone.
  virtual void outside(Eigen::VectorXd& q, Eigen::VectorXd& v) const = 0;
  virtual bool counts_turns() const = 0;
  virtual bool turns_by_itself() const = 0;  // a cut, while its bodies stand still
  virtual void follow() = 0;
  virtual int follow_moving() = 0;
  virtual const Eigen::VectorXd& followed() const = 0;
  virtual void follow_from(const Eigen::VectorXd& outside_q) = 0;
  // Reactions come from a formulation, by joint (Model's order).
  virtual void sensors(const std::function<Reaction(int)>& reaction,
                       Eigen::VectorXd& values) const = 0;
  virtual void poses(std::vector<BodyPose>& poses) const = 0;

  // Inertia that each velocity feels with all joints further out free (the joint's own inertia Mj):
  // kg m^2 or kg.
  virtual Eigen::VectorXd joint_inertias() const = 0;
  virtual bool conservative() const = 0;
};

std::unique_ptr<Probe> make_probe(const Model& model);

}  // namespace hamiltree
