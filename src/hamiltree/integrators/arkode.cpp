#include "hamiltree/integrators/arkode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace hamiltree {

using sundials::check;
using sundials::data;
using sundials::self_of;

namespace {

// In a row. ARKODE's seven are too few where a step begins beside a singular pose, in which rates
// jump: it has to become as short as the way there.
constexpr int kMostRejections = 50;
constexpr double kForbidding = 1e100;
constexpr double kGrowthAfterRetake = 2.0;  // ARKODE's 1e4 would lead back at once
constexpr double kFewRoundings = 8 * std::numeric_limits<double>::epsilon();

// a of DenseOutput for Dormand-Prince is h times the sum of these times the stages
// [Hairer1993, sect. II.6].
constexpr std::array<double, 7> kDormandPrince{
    -12715105075.0 / 11282082432.0,  0.0,
    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0};

}  // namespace

Arkode::Arkode(ArkodeTable table, const Tolerances& tolerances, OdeProblem& problem, double t,
               const double* y)
    : Adapter(tolerances, problem),
      table_(table),
      order_(table == ArkodeTable::kDormandPrince ? 5 : 3),
      t_(t),
      context_(sundials::make_context()),
      y_(sundials::make_vector(problem.size(), y, context_.get())),
      last_good_(sundials::make_vector(problem.size(), y, context_.get())),
      stages_(table == ArkodeTable::kDormandPrince ? 6 : 3) {
  begin(0.0);
}

// At t_, with a step of this size (s) if it is not zero.
void Arkode::begin(double first_size) {
  first_stage_ = nullptr;
  memory_.reset(ERKStepCreate(rate, t_, y_.get(), context_.get()));
  if (!memory_) throw std::bad_alloc();
  void* memory = memory_.get();
  check(ERKStepSetUserData(memory, this));
  check(ERKStepSetErrHandlerFn(memory, keep_message<Arkode>, this));
  check(ERKStepSetTableNum(memory, table_ == ArkodeTable::kDormandPrince
                                       ? ARKODE_DORMAND_PRINCE_7_4_5
                                       : ARKODE_BOGACKI_SHAMPINE_4_2_3));
  check(ERKStepWFtolerances(memory, weights<Arkode>));
  check(ERKStepSetPostprocessStepFn(memory, accept));
  check(ERKStepSetMaxNumSteps(memory, -1));
  check(ERKStepSetMaxErrTestFails(memory, kMostRejections));
  if (first_size == 0.0) return;
  check(ERKStepSetInitStep(memory, first_size));
  check(ERKStepSetMaxFirstGrowth(memory, kGrowthAfterRetake));
}

void Arkode::step(double stop) {
  N_VScale(1.0, y_.get(), last_good_.get());
  for (int retakes = 0; !take_step(stop, retakes > 0); ++retakes) {
    if (retakes == kMostRetakes) throw refused_step(t_, refused_);
    before_ = counts();
    ++before_.rejected;
    begin(kShorterRetake * refused_.size);
  }
}

// False where the problem refuses the step; y then is where it began. `again`: after a refused one.
bool Arkode::take_step(double stop, bool again) {
  check(ERKStepSetStopTime(memory_.get(), stop));
  realtype reached = t_;
  not_finite_ = false;
  int flag = ERKStepEvolve(memory_.get(), stop, y_.get(), &reached, ARK_ONE_STEP);
  // ARKODE goes on for ever with steps that rounding makes none.
  if (flag == ARK_SUCCESS && !(reached > t_)) flag = ARK_ERR_FAILURE;
  if (flag < 0) {
    N_VScale(1.0, last_good_.get(), y_.get());
    if (flag == ARK_POSTPROCESS_STEP_FAIL && !problem_.refusal().empty()) return false;
    if (not_finite_) flag = ARK_RHSFUNC_FAIL;
    if (again) throw refused_step(t_, refused_);  // what it began with
    throw sundials::failed_step(flag, t_, tried_ - t_, message_, problem_, y_.get(),
                                [&](N_Vector errors, N_Vector weights) {
                                  ERKStepGetEstLocalErrors(memory_.get(), errors);
                                  ERKStepGetErrWeights(memory_.get(), weights);
                                });
  }
  t_ = flag == ARK_TSTOP_RETURN ? stop : reached;
  return true;
}

Step Arkode::last_step() const {
  Step step{0.0, order_};
  ERKStepGetLastStep(memory_.get(), &step.size);
  return step;
}

IntegratorCounts Arkode::counts() const {
  long steps = 0, rejected = 0;
  ERKStepGetNumSteps(memory_.get(), &steps);
  ERKStepGetNumErrTestFails(memory_.get(), &rejected);
  return {before_.steps + steps, before_.rejected + rejected, 0, 0};
}

// ERKStep gives up where a rate fails. A rate that no tolerance allows makes it try a shorter step.
int Arkode::rate(realtype t, N_Vector y, N_Vector y_dot, void* self) {
  auto& own = self_of<Arkode>(self);
  data(y_dot)[0] = 0.0;  // the entry of a problem without state
  own.tried_ = t;
  if (own.first_stage_ == nullptr) own.first_stage_ = data(y_dot);
  std::rotate(own.stages_.begin(), own.stages_.begin() + 1, own.stages_.end());
  own.stages_.back() = data(y_dot);
  if (own.problem_.rate(t, data(y), data(y_dot))) return 0;
  own.not_finite_ = true;
  if (t - own.t_ <= kFewRoundings * std::abs(t)) return -1;  // nor will one that moves no time
  std::fill_n(data(y_dot), own.problem_.size(), kForbidding);
  return 0;
}

int Arkode::accept(realtype t, N_Vector y, void* self) {
  auto& own = self_of<Arkode>(self);
  own.keep_step(data(y));
  if (own.problem_.accept_or_refuse(t, data(y))) return 0;
  if (auto why = own.problem_.refusal(); !why.empty()) own.refused_ = {std::move(why), t - own.t_};
  return -1;
}

void Arkode::keep_step(const double* end) {
  const auto size = problem_.size();
  taken_.start = t_;
  taken_.first_rate = Eigen::Map<const Eigen::ArrayXd>(first_stage_, size);
  taken_.stages = stages_;
  taken_.end = Eigen::Map<const Eigen::ArrayXd>(end, size);
  taken_.is_dense = false;
}

void Arkode::interpolate(double t, double* y) {
  if (!taken_.is_dense) make_dense_output();
  dense_.at(t, y);
}

void Arkode::make_dense_output() {
  taken_.is_dense = true;
  const auto size = problem_.size();
  const double h = t_ - taken_.start;
  dense_.set(taken_.start, h, size, data(last_good_.get()), taken_.first_rate.data(),
             taken_.end.data(), taken_.stages.back());
  if (order_ != 5) return;
  Eigen::ArrayXd a = kDormandPrince.front() * taken_.first_rate;
  for (std::size_t i = 1; i < kDormandPrince.size(); ++i)
    a += kDormandPrince[i] * Eigen::Map<const Eigen::ArrayXd>(taken_.stages[i - 1], size);
  dense_.raise(h * a);
  // Where a rate is not finite, which no stage of the step was, order 4 is what there is.
  Eigen::ArrayXd y(size), first(size), second(size);
  dense_.at(dense_.first_node(), y.data());
  if (!problem_.rate(dense_.first_node(), y.data(), first.data())) return;
  dense_.at(dense_.second_node(), y.data());
  if (!problem_.rate(dense_.second_node(), y.data(), second.data())) return;
  dense_.raise(first, second);
}

}  // namespace hamiltree
