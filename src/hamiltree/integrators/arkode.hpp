// Embedded explicit Runge-Kutta pairs by SUNDIALS' ARKODE (ERKStep), with projection and reset as
// its post-step function.
#pragma once

#include <arkode/arkode_erkstep.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/integrators/dense_output.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/integrators/retake.hpp"
#include "hamiltree/integrators/sundials.hpp"

namespace hamiltree {

enum class ArkodeTable { kBogackiShampine, kDormandPrince };

class Arkode final : public Integrator, public sundials::Adapter {
 public:
  Arkode(ArkodeTable table, const Tolerances& tolerances, OdeProblem& problem, double t,
         const double* y);

  void step(double stop) override;
  double time() const override { return t_; }
  const double* y() const override { return sundials::data(y_.get()); }
  Step last_step() const override;
  IntegratorCounts counts() const override;
  bool has_dense_output() const override { return true; }
  void interpolate(double t, double* y) override;

 private:
  struct FreeMemory {
    void operator()(void* memory) const { ERKStepFree(&memory); }
  };

  void begin(double first_size);
  bool take_step(double stop, bool again);

  static int rate(realtype t, N_Vector y, N_Vector y_dot, void* self);
  static int accept(realtype t, N_Vector y, void* self);
  void keep_step(const double* end);
  void make_dense_output();

  ArkodeTable table_;
  int order_;
  double t_, tried_ = 0.0;   // s: reached, and of the last rate
  bool not_finite_ = false;  // a rate in the step of now
  Refused refused_;          // the last
  IntegratorCounts before_;  // the last retake, which begins anew
  sundials::Context context_;
  sundials::Vector y_, last_good_;
  // ARKODE keeps each stage where it evaluated it: the first one of all steps, and the others, the
  // last of which is at the end of the step.
  const double* first_stage_ = nullptr;
  std::vector<const double*> stages_;  // as they were evaluated
  // The last accepted step, which began at last_good_.
  struct {
    double start = 0.0;  // s
    Eigen::ArrayXd first_rate;
    std::vector<const double*> stages;  // the others, until the next step begins
    Eigen::ArrayXd end;                 // before the problem moved it
    bool is_dense = false;
  } taken_;
  DenseOutput dense_;
  std::unique_ptr<void, FreeMemory> memory_;
};

}  // namespace hamiltree
