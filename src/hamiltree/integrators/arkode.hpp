// Embedded explicit Runge-Kutta pairs by SUNDIALS' ARKODE (ERKStep), with projection and reset as
// its post-step function.
#pragma once

#include <arkode/arkode_erkstep.h>

#include <memory>
#include <string>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/integrators/sundials.hpp"

namespace hamiltree {

enum class ArkodeTable { kBogackiShampine, kDormandPrince };

class Arkode final : public Integrator {
 public:
  Arkode(ArkodeTable table, const Tolerances& tolerances, OdeProblem& problem, double t,
         const double* y);

  void step(double stop) override;
  double time() const override { return t_; }
  const double* y() const override { return sundials::data(y_.get()); }
  Step last_step() const override;
  IntegratorCounts counts() const override;

 private:
  struct FreeMemory {
    void operator()(void* memory) const { ERKStepFree(&memory); }
  };

  static int rate(realtype t, N_Vector y, N_Vector y_dot, void* self);
  static int weights(N_Vector y, N_Vector weights, void* self);
  static int accept(realtype t, N_Vector y, void* self);
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);

  int order_;
  Tolerances tolerances_;
  OdeProblem& problem_;
  double t_, tried_ = 0.0;   // s: reached, and of the last rate
  bool not_finite_ = false;  // a rate in the step of now
  std::string message_;      // the last that ARKODE gave
  sundials::Context context_;
  sundials::Vector y_, last_good_;
  std::unique_ptr<void, FreeMemory> memory_;
};

}  // namespace hamiltree
