// Auto: dormand_prince until its steps are bound by modes that are far faster than the motion, then
// bdf, and back where the former is cheaper again; the idea is that of LSODA
// [Petzold1983]. Until the first change the steps are those of dormand_prince, bit for bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/integrators/arkode.hpp"
#include "hamiltree/integrators/cvode.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/integrators/time_scales.hpp"

namespace hamiltree {

class AutoSteps final : public Integrator {
 public:
  // Goes on where `changes` end: with bdf after an odd number of them, with dormand_prince else.
  AutoSteps(const Auto& tolerances, OdeProblem& problem, double t, const double* y,
            std::vector<MethodChange> changes = {});

  void step(double stop) override;
  double time() const override { return now().time(); }
  const double* y() const override { return now().y(); }
  Step last_step() const override { return last_; }
  IntegratorCounts counts() const override;
  bool has_dense_output() const override { return true; }
  void interpolate(double t, double* y) override { last_taker_->interpolate(t, y); }
  std::string note() const override { return note_; }

  Method method() const;                                                 // that takes the next step
  const std::vector<MethodChange>& changes() const { return changes_; }  // with those before

 private:
  const Integrator& now() const;
  bool is_stiff() const { return implicit_ != nullptr; }
  void take_up_explicit(double t, const double* y);
  void take_up_implicit(double t, const double* y);
  void change_to_explicit();
  void change_to_implicit();
  void step_explicitly(double stop);
  void step_implicitly(double stop);
  void take_explicit_step(double stop);
  void settle(double stop);
  void judge_explicit_step(const Scales& scales);
  int steps_until_look(bool far_faster, bool decays) const;
  int weight_of_limited_step() const;
  int limited_steps_for_change() const;
  void change_if_not_too_large();
  bool explicit_is_cheaper();

  Tolerances tolerances_;
  OdeProblem& problem_;
  std::vector<MethodChange> changes_;
  std::unique_ptr<Arkode> explicit_;
  std::unique_ptr<Cvode> implicit_;
  Integrator* last_taker_ = nullptr;     // of the last step
  std::unique_ptr<Integrator> retired_;  // kept for its last step until the next one begins
  TimeScales scales_;
  IntegratorCounts before_;  // of methods that are done
  Step last_;
  std::string note_;
  int until_look_ = 0;                   // explicit steps until the next is looked at
  double fastest_ = 0.0, moving_ = 0.0;  // 1/s, at the last look
  double limit_ = 0.0;                   // h |lambda| of the last step that was looked at
  bool decayed_before_ = false;          // the fastest mode, at the look before
  int limited_ = 0, unlimited_ = 0;      // steps by stability, and others in a row
  int held_ = 0;                         // steps in a row that were not lengthened
  long looks_at_held_ = 0;               // because of that
  int settling_ = 0;                     // steps left until bdf is taken up
  int dearer_ = 0;                       // judgements in a row by which bdf is
  long implicit_steps_ = 0;              // since bdf was taken up
  double window_start_ = 0.0;            // s
  double window_work_ = 0.0;             // rates
};

}  // namespace hamiltree
