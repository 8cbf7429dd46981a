// Evaluations allocate nothing: every call of the C library's allocator in this program is counted
// while formulations evaluate the shipped mechanisms and samples with every joint, loops, drives
// and couplings. operator new ends there, too.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/batch/rollout.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/model/in_plane.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/floating_revolutes.hpp"
#include "support/random_mechanism.hpp"
#include "support/sample_mechanisms.hpp"
#include "support/shipped.hpp"
#include "support/workshop.hpp"

// Sanitizers bring their own allocator; other C libraries have no __libc_malloc.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAMILTREE_SANITIZED
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(HAMILTREE_SANITIZED)
#define HAMILTREE_COUNTS_ALLOCATIONS 0
#else
#define HAMILTREE_COUNTS_ALLOCATIONS 1
#endif

namespace {

thread_local std::size_t allocations = 0, locks = 0, writes = 0;

}  // namespace

#if HAMILTREE_COUNTS_ALLOCATIONS

extern "C" {

void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT

void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

// Locks and writing, passed on.
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  ++locks;
  static const auto real =
      reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return real(mutex);
}
ssize_t write(int file, const void* bytes, size_t count) {
  ++writes;
  return syscall(SYS_write, file, bytes, count);
}

}  // extern "C"

#endif

namespace hamiltree {
namespace {

template <class F>
std::size_t allocations_of(const F& f) {
  const std::size_t before = allocations;
  f();
  return allocations - before;
}

#define SKIP_UNLESS_COUNTING()                                                                    \
  if (!HAMILTREE_COUNTS_ALLOCATIONS) {                                                            \
    GTEST_SKIP() << "allocations are not counted under sanitizers, or without the GNU C library"; \
  }

// The guard itself: every way to the heap is seen.
TEST(Guard, CountsEveryKindOfAllocation) {
  SKIP_UNLESS_COUNTING();
  void* volatile memory = nullptr;  // keeps the compiler from leaving the calls out
  EXPECT_EQ(allocations_of([&] { memory = std::malloc(10); }), 1U);
  EXPECT_EQ(allocations_of([&] { memory = std::realloc(memory, 5000); }), 1U);
  std::free(memory);
  EXPECT_EQ(allocations_of([&] { memory = std::calloc(3, 5); }), 1U);
  std::free(memory);
  EXPECT_EQ(allocations_of([&] { memory = std::aligned_alloc(64, 128); }), 1U);
  std::free(memory);
  EXPECT_EQ(allocations_of([&] { memory = ::operator new(40); }), 1U);
  ::operator delete(memory);
  EXPECT_EQ(allocations_of([&] { memory = ::operator new(40, std::align_val_t(64)); }), 1U);
  ::operator delete(memory, std::align_val_t(64));
  EXPECT_EQ(allocations_of([&] {
              std::vector<double> v(static_cast<std::size_t>(allocations % 7) + 1);
              memory = v.data();
            }),
            1U);
  EXPECT_EQ(allocations_of([] {}), 0U);
}

TEST(Guard, CountsLocksAndWriting) {
  SKIP_UNLESS_COUNTING();
  const std::size_t locks_before = locks, writes_before = writes;
  std::mutex mutex;
  { const std::lock_guard hold(mutex); }
  EXPECT_EQ(locks, locks_before + 1);
  std::FILE* file = std::fopen("/dev/null", "w");
  std::fputs("a line", file);
  std::fflush(file);
  EXPECT_EQ(::write(fileno(file), "b", 1), 1);
  std::fclose(file);
  EXPECT_GE(writes, writes_before + 1);
}

// The allocations of the calling thread, which takes part in some of many runs; the first one may
// make room, also where the other thread does all of it.
TEST(Rollouts, AllocateNothingOnceTheirStatesAreMany) {
  SKIP_UNLESS_COUNTING();
  for (const auto& model :
       {Model(test::sample_chain(SpaceKind::kSpatial, 3)), test::shipped("stewart")}) {
    const auto nq = at(model.coordinate_count()), nv = at(model.velocity_count());
    const auto start = initial_state(model);
    std::vector<double> q, p(20 * nv), efforts(20 * 4 * nv, 0.2), path(20 * 5 * nq);
    for (int state = 0; state < 20; ++state) q.insert(q.end(), start.q.begin(), start.q.end());
    for (const int threads : {1, 2}) {
      Rollout rollout(model, RungeKutta4{1e-4}, threads);
      const auto run = [&] {
        rollout.run(0.0, 5e-4, 4, 20, q.data(), p.data(), efforts.data(), {path.data(), nullptr});
      };
      run();
      for (int again = 0; again < 100; ++again) ASSERT_EQ(allocations_of(run), 0U) << threads;
    }
  }
}

// The requests of the program's own code from one step of a run to the next: memory, locks and
// writing. Two steps go by first.
class Watch : public Recorder {
 public:
  void begin(const RecordingHeader&) override {}
  void sample(const Sample&) override { steps_ = 0; }
  void step(const StepRecord&) override {
    const Calls now{allocations, locks, writes};
    if (++steps_ > 3) {
      most_.allocations = std::max(most_.allocations, now.allocations - last_.allocations);
      most_.locks = std::max(most_.locks, now.locks - last_.locks);
      most_.writes = std::max(most_.writes, now.writes - last_.writes);
      ++watched_;
    }
    last_ = now;
  }
  void finish(const Summary&) override {}

  struct Calls {
    std::size_t allocations = 0, locks = 0, writes = 0;
  };
  const Calls& most() const { return most_; }
  int watched() const { return watched_; }

 private:
  Calls last_, most_;
  int steps_ = 0, watched_ = 0;
};

TEST(Steps, AllocateLockAndWriteNothing) {
  SKIP_UNLESS_COUNTING();
  for (const auto* name : {"four_bar", "bricard", "rssr", "parallelogram", "driven_slider_crank",
                           "spatial_arm", "chain_100", "door", "gear_pair", "heavy_top"}) {
    const Model model = load(std::filesystem::path(HAMILTREE_MECHANISMS) / name / "model.toml");
    for (const auto& formulation : {"hdca", "recursive"}) {
      for (const auto& method :
           {Method(Euler{1e-3}), Method(SemiImplicitEuler{1e-3}), Method(RungeKutta4{1e-3}),
            Method(DormandPrince{1e-6, 1e-6}), Method(BogackiShampine{1e-6, 1e-6}),
            Method(Adams{1e-6, 1e-6}), Method(Bdf{1e-6, 1e-6}), Method(Spark{1, 1e-3}),
            Method(Spark{2, 1e-3}), Method(Spark{3, 1e-3})}) {
        Simulation simulation(model, {.formulation = formulation, .integrator = method});
        Watch watch;
        simulation.run_until(0.1, 0.1, watch);
        SCOPED_TRACE(std::string(name) + " by " + formulation + ", " + to_name(method));
        EXPECT_GT(watch.watched(), 0);
        EXPECT_EQ(watch.most().allocations, 0U);
        EXPECT_EQ(watch.most().locks, 0U);
        EXPECT_EQ(watch.most().writes, 0U);
      }
    }
  }
}

class NoAllocation : public testing::TestWithParam<std::string> {};

// Every evaluation of a formulation, all of them once before they are counted.
void expect_no_allocation(const Formulation& formulation, const Model& model,
                          const StateView& state) {
  SCOPED_TRACE(model.name());
  const std::vector<double> phi(at(model.constraint_count()), 1e-6);
  const auto workspace = formulation.make_workspace();
  formulation.analyse(state, *workspace);

  const auto rate = [&] { formulation.rate(state, *workspace); };
  const auto velocities = [&] { formulation.velocities(state, phi.data(), *workspace); };
  const auto accelerations = [&] { formulation.accelerations(state, *workspace); };
  const auto prepare = [&] { formulation.prepare(state, *workspace); };
  rate();
  EXPECT_EQ(allocations_of(rate), 0U) << "rate";
  velocities();
  EXPECT_EQ(allocations_of(velocities), 0U) << "velocities";
  accelerations();
  EXPECT_EQ(allocations_of(accelerations), 0U) << "accelerations";
  prepare();
  EXPECT_EQ(allocations_of(prepare), 0U) << "prepare";
  EXPECT_EQ(allocations_of(rate), 0U) << "rate after prepare";
  EXPECT_EQ(allocations_of([&] { formulation.energies(state, *workspace); }), 0U) << "energies";
}

TEST_P(NoAllocation, OnShippedMechanisms) {
  SKIP_UNLESS_COUNTING();
  int mechanisms = 0;
  for (const auto& folder : std::filesystem::directory_iterator(HAMILTREE_MECHANISMS)) {
    const Model model = load(folder.path() / "model.toml");
    ++mechanisms;
    const auto start = initial_state(model);
    const auto formulation = make_formulation(GetParam(), model);
    const bool momenta = formulation->form() == StateForm::kMomenta;
    expect_no_allocation(*formulation, model,
                         {0.1, start.q.data(), momenta ? start.p.data() : start.v.data()});
  }
  EXPECT_GE(mechanisms, 8);
}

TEST_P(NoAllocation, OnEveryJointWithLoopsDrivesAndCouplings) {
  SKIP_UNLESS_COUNTING();
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const std::vector<std::pair<const char*, Mechanism>> samples{
        {"joints", test::sample_joints(space, false)},
        {"joints, reversed", test::sample_joints(space, true)},
        {"loop", test::sample_loop(space, JointType::kPrismatic)},
        {"coupled loops", test::sample_coupled_loops(space)},
        {"drives", test::sample_driven(space)},
        {"couplings", test::sample_couplings(space)}};
    for (const auto& [name, sample] : samples) {
      Mechanism mechanism = sample;
      mechanism.name = name;
      const Model model(mechanism);
      test::RandomMechanism random(1);
      Eigen::VectorXd q = random.vector(model.coordinate_count());
      model.visit([&](const auto& system) { normalise_coordinates(system, q.data()); });
      const Eigen::VectorXd u = random.vector(model.velocity_count());
      expect_no_allocation(*make_formulation(GetParam(), model), model, {0.1, q.data(), u.data()});
    }
  }
}

TEST_P(NoAllocation, OfOurSideOfCallbacks) {
  SKIP_UNLESS_COUNTING();
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    Mechanism m = test::sample_loop(space, JointType::kPrismatic);
    m.add(EffortCallback{"effort", "C0", [](double t, double q, double) { return t - q; }, {}});
    m.add(LoadCallback{"load",
                       "B1",
                       [](double, const BodyState& body) -> BodyLoad {
                         return {-body.velocity, Eigen::Vector3d::Zero()};
                       },
                       {}});
    m.add(Controller{
        "controller",
        {"J0"},
        [](Controls& controls) { controls.add_effort(0, -controls.rate(controls.index("J1"))); },
        {}});
    const Model model(m);
    test::RandomMechanism random(1);
    const Eigen::VectorXd q = random.vector(model.coordinate_count());
    const Eigen::VectorXd u = random.vector(model.velocity_count());
    expect_no_allocation(*make_formulation(GetParam(), model), model, {0.1, q.data(), u.data()});
  }
}

TEST_P(NoAllocation, OnRandomMechanismsWithEveryForceAndArmature) {
  SKIP_UNLESS_COUNTING();
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto topology : test::kTopologies) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        test::RandomMechanism random(seed);
        const Model model(random.make(space, topology, test::Extent::kFull));
        const Eigen::VectorXd q =
            model.visit([&](const auto& system) { return random.closed_pose(model, system); });
        const Eigen::VectorXd u = random.vector(model.velocity_count());
        expect_no_allocation(*make_formulation(GetParam(), model), model,
                             {test::RandomMechanism::kTime, q.data(), u.data()});
      }
    }
  }
}

TEST_P(NoAllocation, OnMechanismsThatMoveInOnePlaneOfSpace) {
  SKIP_UNLESS_COUNTING();
  for (const auto topology : {test::Topology::kTree, test::Topology::kCoupledLoops}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      test::RandomMechanism random(seed);
      const Model model(random.make_in_one_plane(topology, test::Extent::kBasic));
      ASSERT_TRUE(in_plane(model));
      const Eigen::VectorXd q =
          model.visit([&](const auto& system) { return random.closed_pose(model, system); });
      const Eigen::VectorXd u = random.vector(model.velocity_count());
      expect_no_allocation(*make_formulation(GetParam(), model), model, {0.0, q.data(), u.data()});
    }
  }
}

TEST_P(NoAllocation, OnSubsystems) {
  SKIP_UNLESS_COUNTING();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    test::Workshop workshop(seed);
    const Model model(workshop.mechanism);
    const Eigen::VectorXd q = workshop.pose(model);
    const Eigen::VectorXd u = workshop.random.vector(model.velocity_count());
    expect_no_allocation(*make_formulation(GetParam(), model), model,
                         {test::RandomMechanism::kTime, q.data(), u.data()});
  }
}

TEST_P(NoAllocation, OnChainsWhoseSegmentsFloat) {
  SKIP_UNLESS_COUNTING();
  test::FloatingRevolutes pins(1);
  const Model model(pins.chain({.bodies = 50, .segment = 4}));
  const auto q = pins.pose(model);
  const Eigen::VectorXd u = pins.vector(model.velocity_count());
  expect_no_allocation(*make_formulation(GetParam(), model), model, {0.0, q.data(), u.data()});
}

// Threads share some evaluations and leave others to the caller, so there are many.
TEST_P(NoAllocation, WhereThreadsShareAnEvaluation) {
  SKIP_UNLESS_COUNTING();
  test::FloatingRevolutes pins(1);
  const Model model(pins.chain({.bodies = 300, .segment = 150}));
  const auto q = pins.pose(model);
  const Eigen::VectorXd u = pins.vector(model.velocity_count());
  const StateView state{0.0, q.data(), u.data()};
  FormulationOptions options;
  options.threads = 2;
  const auto formulation = make_formulation(GetParam(), model, options);
  expect_no_allocation(*formulation, model, state);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state, *workspace);
  formulation->rate(state, *workspace);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(allocations_of([&] { formulation->rate(state, *workspace); }), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, NoAllocation, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hamiltree
