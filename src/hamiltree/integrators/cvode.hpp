// Multistep methods of adaptive order and step by SUNDIALS' CVODE.
#pragma once

#include <cvode/cvode.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <memory>
#include <string>
#include <type_traits>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/integrators/retake.hpp"
#include "hamiltree/integrators/sundials.hpp"

namespace hamiltree {

enum class CvodeFamily { kAdams, kBdf };

class Cvode final : public Integrator, public sundials::Adapter {
 public:
  Cvode(CvodeFamily family, const Tolerances& tolerances, OdeProblem& problem, double t,
        const double* y);

  void step(double stop) override;
  double time() const override { return t_; }
  const double* y() const override { return sundials::data(y_.get()); }
  Step last_step() const override { return last_; }
  IntegratorCounts counts() const override;
  bool has_dense_output() const override { return true; }
  void interpolate(double t, double* y) override;
  // So far: rates, those for Newton's matrix included, and how often that was factorised.
  long rates() const { return rates_; }
  long factorisations() const;

 private:
  struct FreeMemory {
    void operator()(void* memory) const { CVodeFree(&memory); }
  };
  struct FreeMatrix {
    void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  };
  struct FreeLinearSolver {
    void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  };
  struct FreeNonlinearSolver {
    void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
  };

  void take_step(double stop, bool again);
  void go_back(double t);
  void begin_again();

  static int rate(realtype t, N_Vector y, N_Vector y_dot, void* self);
  static int jacobian(realtype t, N_Vector y, N_Vector y_dot, SUNMatrix J, void* self,
                      N_Vector moved, N_Vector rate, N_Vector weights);
  static int correct(realtype t, N_Vector y, N_Vector correction, realtype tolerance,
                     N_Vector error, void* self);

  double t_, tried_ = 0.0;  // s: reached, and of the last rate
  Step last_;
  // Restarts are made when the next step begins: until then CVODE interpolates in the last one.
  bool restarts_ = false;
  double first_size_ = 0.0;  // s, of a restart; 0: CVODE chooses
  Refused refused_;          // the last step that was
  IntegratorCounts before_;  // the last restart, which sets CVODE's counts to zero
  long factorisations_before_ = 0, rates_ = 0;
  sundials::Context context_;
  sundials::Vector y_, last_good_, between_;
  std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix> matrix_;
  std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeLinearSolver> linear_solver_;
  std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, FreeNonlinearSolver> nonlinear_solver_;
  std::unique_ptr<void, FreeMemory> memory_;
};

}  // namespace hamiltree
