#include "hardware/compiler/paper_assembly.hpp"

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree::hardware {

namespace {

using Matrix3 = Eigen::Matrix<Traced, 3, 3>;
using Vector3 = Eigen::Matrix<Traced, 3, 1>;

struct Body {
  Matrix3 xi_11, xi_12, xi_22;
  Vector3 xi_10, xi_20;
};

// Calls f(entry, name) for all that says what a body is: symmetric matrices by their upper part.
template <class F>
void for_each_coefficient(Body& body, const std::string& name, const F& f) {
  for (auto* xi : {&body.xi_11, &body.xi_22}) {
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) f((*xi)(i, j), name);
    }
  }
  for (auto& entry : body.xi_12.reshaped()) f(entry, name);
  for (auto& entry : body.xi_10) f(entry, name);
  for (auto& entry : body.xi_20) f(entry, name);
}

Body input_body(Trace& trace, const std::string& name) {
  Body body;
  for_each_coefficient(body, name, [&](Traced& entry, const std::string& of) {
    entry = trace.input(of + std::to_string(trace.inputs().size()));
  });
  for (auto* xi : {&body.xi_11, &body.xi_22}) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < i; ++j) (*xi)(i, j) = (*xi)(j, i);
    }
  }
  return body;
}

}  // namespace

Trace trace_paper_assembly() {
  constexpr int kOutputs = 27 + 6 + 6 + 2;
  Trace trace;
  const TraceScope scope(trace);
  for (int i = 0; i < kOutputs; ++i) trace.input("place" + std::to_string(i));
  const Body A = input_body(trace, "A");
  const Body B = input_body(trace, "B");

  // D picks the linear components.
  const Eigen::Matrix<Traced, 2, 2> sum = (B.xi_11 + A.xi_22).topLeftCorner<2, 2>();
  const Eigen::Matrix<Traced, 2, 2> C = -adjugate_inverse(sum);                  // (33)
  const Eigen::Matrix<Traced, 2, 3> W_A = C * A.xi_12.transpose().topRows<2>();  // (35)
  const Eigen::Matrix<Traced, 2, 3> W_B = C * B.xi_12.topRows<2>();              // (36)
  const Eigen::Matrix<Traced, 2, 1> beta = C * (B.xi_10 - A.xi_20).head<2>();    // (34), (37)
  Body whole;
  whole.xi_11 = A.xi_11 + A.xi_12.leftCols<2>() * W_A;               // (27)
  whole.xi_12 = -(A.xi_12.leftCols<2>() * W_B);                      // (28)
  whole.xi_22 = B.xi_22 + B.xi_12.transpose().leftCols<2>() * W_B;   // (30)
  whole.xi_10 = A.xi_10 - A.xi_12.leftCols<2>() * beta;              // (31)
  whole.xi_20 = B.xi_20 + B.xi_12.transpose().leftCols<2>() * beta;  // (32)

  const auto output = [&](const Traced& entry, const std::string& of) {
    trace.output(of + std::to_string(trace.outputs().size()), entry);
  };
  for_each_coefficient(whole, "C", output);
  for (const auto& entry : W_A.reshaped()) output(entry, "W_A");
  for (const auto& entry : W_B.reshaped()) output(entry, "W_B");
  for (const auto& entry : beta) output(entry, "beta");
  return trace;
}

}  // namespace hamiltree::hardware
