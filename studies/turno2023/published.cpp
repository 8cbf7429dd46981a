#include "studies/turno2023/published.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/math/ldup.hpp"

namespace hamiltree::turno2023::published {
namespace {

using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

const Vector3 kH(0.0, 0.0, 1.0);  // (8)
const Eigen::Matrix<double, 3, 2> kD = Matrix3::Identity().leftCols<2>();
const Matrix2 kOmega = (Matrix2() << 0.0, -1.0, 1.0, 0.0).finished();  // (2)

Matrix3 inverse_inertia(const Link& link, const Vector2& O) {
  const Matrix3 S = shift(link.C - O);
  const Vector3 diagonal(link.mass, link.mass, link.inertia);
  const Matrix3 M = S * diagonal.asDiagonal() * S.transpose();  // (5)
  return adjugate_inverse(M);
}

// A joined to B, and what is needed on the way back (45).
struct Join {
  Body body;
  Eigen::Matrix<double, 2, 3> W_A, W_B;
  Vector2 beta;
};

Join join(const Body& A, const Body& B) {
  Join c;
  const Matrix2 C = -adjugate_inverse(Matrix2(kD.transpose() * (B.xi_11 + A.xi_22) * kD));  // (33)
  c.W_A = C * kD.transpose() * A.xi_21;                                                     // (35)
  c.W_B = C * kD.transpose() * B.xi_12;                                                     // (36)
  c.beta = C * (kD.transpose() * (B.xi_10 - A.xi_20));  // (34), (37)
  c.body.xi_11 = A.xi_11 + A.xi_12 * kD * c.W_A;        // (27)
  c.body.xi_12 = -A.xi_12 * kD * c.W_B;                 // (28)
  c.body.xi_21 = -B.xi_21 * kD * c.W_A;                 // (29)
  c.body.xi_22 = B.xi_22 + B.xi_21 * kD * c.W_B;        // (30)
  c.body.xi_10 = A.xi_10 - A.xi_12 * kD * c.beta;       // (31)
  c.body.xi_20 = B.xi_20 + B.xi_21 * kD * c.beta;       // (32)
  return c;
}

// (sigma_1, -sigma_2): the impulses of the ground on both ends.
Eigen::Vector4d ground_impulses(const Body& chain, Base base) {
  Eigen::Matrix4d eta;  // (43)
  eta << chain.xi_11.topLeftCorner<2, 2>(), chain.xi_12.topLeftCorner<2, 2>(),
      chain.xi_21.topLeftCorner<2, 2>(), chain.xi_22.topLeftCorner<2, 2>();
  Eigen::Vector4d bias;
  bias << chain.xi_10.head<2>(), (base == Base::kRight ? 1.0 : -1.0) * chain.xi_20.head<2>();
  const Eigen::Vector4d solution = ldup_inverse(eta) * bias;
  return base == Base::kEquation42 ? solution : Eigen::Vector4d(-solution);
}

}  // namespace

Matrix3 shift(const Vector2& s) {
  Matrix3 S = Matrix3::Identity();
  S.block<1, 2>(2, 0) = -s.transpose() * kOmega;
  return S;
}

Body leaf(const Link& link, const Vector3& H, Bias bias) {
  const Matrix3 S_12 = shift(link.O2 - link.O1), S_21 = shift(link.O1 - link.O2);
  Body body;
  body.xi_11 = inverse_inertia(link, link.O1);
  body.xi_12 = body.xi_11 * S_12;
  body.xi_21 = body.xi_12.transpose();
  body.xi_22 = inverse_inertia(link, link.O2);
  body.xi_10 = body.xi_11 * (link.p1 * H - link.p2 * (S_12 * H));
  body.xi_20 =
      body.xi_22 * (bias == Bias::kAsPrinted ? Vector3(link.p1 * H - link.p2 * (S_12 * H))
                                             : Vector3(link.p1 * (S_21 * H) - link.p2 * H));
  return body;
}

Velocities velocities(const std::vector<Link>& chain, Base base) {
  std::vector<Body> bodies;
  for (const auto& link : chain) bodies.push_back(leaf(link, kH));
  std::vector<Join> joins;  // k: of the links 0...k+1
  for (std::size_t k = 1; k < bodies.size(); ++k) {
    joins.push_back(join(k == 1 ? bodies[0] : joins.back().body, bodies[k]));
  }
  const Body& whole = joins.back().body;
  const Eigen::Vector4d ground = ground_impulses(whole, base);
  const Vector3 T1 = kD * ground.head<2>(), T2 = kD * ground.tail<2>();

  // Back down: the impulses at both handles of every link.
  std::vector<Vector3> first(bodies.size()), second(bodies.size());
  first[0] = T1;
  second.back() = T2;
  for (std::size_t k = joins.size(); k-- > 0;) {
    first[k + 1] = kD * (joins[k].W_B * second[k + 1] - joins[k].W_A * T1 + joins[k].beta);
    second[k] = -first[k + 1];
  }
  Velocities result;
  Vector3 inboard = Vector3::Zero();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Body& b = bodies[k];
    const Vector3 V1 = b.xi_11 * first[k] + b.xi_12 * second[k] + b.xi_10;
    const Vector3 V2 = b.xi_21 * first[k] + b.xi_22 * second[k] + b.xi_20;
    if (k == 0) result.slip = V1.head<2>().norm();
    result.joints.push_back(kH.dot(V1 - inboard));
    inboard = V2;
  }
  result.joints.push_back(-kH.dot(inboard));
  result.slip = std::max(result.slip, inboard.head<2>().norm());
  return result;
}

}  // namespace hamiltree::turno2023::published
