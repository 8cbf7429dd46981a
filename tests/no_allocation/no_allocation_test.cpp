// Evaluations allocate nothing: every call of the C library's allocator in this program is counted
// while rate, velocities and prepare run on the shipped mechanisms. operator new ends there, too.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"

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

thread_local std::size_t allocations = 0;

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

class NoAllocation : public testing::TestWithParam<std::string> {};

TEST_P(NoAllocation, DuringEvaluations) {
  SKIP_UNLESS_COUNTING();
  int mechanisms = 0;
  for (const auto& folder : std::filesystem::directory_iterator(HAMILTREE_MECHANISMS)) {
    const Model model = load(folder.path() / "model.toml");
    SCOPED_TRACE(model.name());
    ++mechanisms;
    const auto start = initial_state(model);
    const std::vector<double> phi(static_cast<std::size_t>(model.constraint_count()), 1e-6);
    const auto formulation = make_formulation(GetParam(), model);
    const bool momenta = formulation->form() == StateForm::kMomenta;
    const StateView state{0.1, start.q.data(), momenta ? start.p.data() : start.v.data()};
    const auto workspace = formulation->make_workspace();
    formulation->analyse(state, *workspace);

    const auto rate = [&] { formulation->rate(state, *workspace); };
    const auto velocities = [&] { formulation->velocities(state, phi.data(), *workspace); };
    const auto prepare = [&] { formulation->prepare(state, *workspace); };
    rate();
    EXPECT_EQ(allocations_of(rate), 0U) << "rate";
    velocities();
    EXPECT_EQ(allocations_of(velocities), 0U) << "velocities";
    prepare();
    EXPECT_EQ(allocations_of(prepare), 0U) << "prepare";
    EXPECT_EQ(allocations_of(rate), 0U) << "rate after prepare";
  }
  EXPECT_GE(mechanisms, 8);
}

INSTANTIATE_TEST_SUITE_P(Formulations, NoAllocation, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hamiltree
