// Reference: what a chain does in quadruple precision, by the recursive algorithm.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "hamiltree/math/quad.hpp"
#include "hamiltree/model/model.hpp"
#include "studies/precision/chain.hpp"

namespace hamiltree::studies::round_off {

using QuadVector = Eigen::Matrix<Quad, Eigen::Dynamic, 1>;

// Coordinates and joint velocities of a model, in its order.
struct JointState {
  QuadVector q, v;
};

struct MomentumRates {
  QuadVector v, p_dot;
};

// Evaluations share memory: one thread at a time.
class Reference {
 public:
  virtual ~Reference() = default;

  // The state of the model, which may be cut, in which the plain chain's pins stand and turn so.
  virtual JointState state(const RevoluteState& pins) = 0;
  // Chooses the rows of loops at q; once, before the functions below.
  virtual void prepare(const Eigen::VectorXd& q) = 0;

  // p of a motion that no loop impulse disturbs.
  virtual QuadVector momenta(const QuadVector& q, const QuadVector& v) = 0;
  virtual MomentumRates rates(const QuadVector& q, const QuadVector& p) = 0;
  virtual QuadVector accelerations(const QuadVector& q, const QuadVector& v) = 0;
  // Rates of all pins along the chain, cut or not, in rad/s.
  virtual QuadVector pin_rates(const QuadVector& q, const QuadVector& v) = 0;
};

// The reference of a Model of chain(options).
std::unique_ptr<Reference> make_reference(const Model& model, const ChainOptions& options);
// The same in a known space; instantiated for Planar<double> and Spatial<double>.
template <class Space>
std::unique_ptr<Reference> make_reference(const Model& model, const System<Space>& system,
                                          const ChainOptions& options);

// |x - exact| / |exact| in the 2-norm.
double relative_error(const QuadVector& x, const QuadVector& exact);
double relative_error(const Eigen::VectorXd& x, const QuadVector& exact);

Eigen::VectorXd rounded(const QuadVector& x);
QuadVector widened(const Eigen::VectorXd& x);

}  // namespace hamiltree::studies::round_off
