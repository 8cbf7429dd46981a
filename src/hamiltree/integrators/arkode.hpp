// Dormand-Prince 5(4) by SUNDIALS' ARKODE (ERKStep), with projection and reset as its post-step
// function.
#pragma once

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <memory>
#include <string>
#include <type_traits>

#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {

class Arkode final : public Integrator {
 public:
  Arkode(OdeProblem& problem, double t, const double* y);

  void advance(double stop) override;
  double time() const override { return t_; }
  const double* y() const override { return N_VGetArrayPointer(y_.get()); }
  IntegratorCounts counts() const override;

 private:
  struct FreeContext {
    void operator()(SUNContext context) const { SUNContext_Free(&context); }
  };
  struct FreeVector {
    void operator()(N_Vector vector) const { N_VDestroy(vector); }
  };
  struct FreeMemory {
    void operator()(void* memory) const { ERKStepFree(&memory); }
  };

  static int rate(realtype t, N_Vector y, N_Vector y_dot, void* self);
  static int weights(N_Vector y, N_Vector weights, void* self);
  static int accept(realtype t, N_Vector y, void* self);
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);

  OdeProblem& problem_;
  double t_;
  std::string message_;  // the last that ARKODE gave
  std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext> context_;
  std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector> y_;
  std::unique_ptr<void, FreeMemory> memory_;
};

}  // namespace hamiltree
