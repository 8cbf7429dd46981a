#include "benchmarks/cases.hpp"

#include <algorithm>
#include <filesystem>

#include "benchmarks/models.hpp"
#include "hamiltree/io/load.hpp"

namespace hamiltree::benchmarks {
namespace {

// Beyond this, memory counts: only the fastest formulation, in fewer states.
constexpr int kLong = 4096;

const std::vector<std::string> kOpen{"recursive", "aba"};
const std::vector<std::string> kMany{"recursive", "batch", "aba"};
const std::vector<std::string> kClosed{"recursive", "aba", "hdca"};
const std::vector<std::string> kClosedInSpace{"recursive", "recursive_in_space", "aba", "hdca"};
const std::vector<std::string> kJacobians{"jacobians"};
const std::vector<std::string> kGenerated{"recursive", "generated_recursive", "generated_lanes",
                                          "hdca", "generated_hdca"};

std::vector<Case> open_cases(Mechanism (*make)(int), const std::vector<int>& sizes, int quick) {
  std::vector<Case> cases;
  for (const int n : sizes) {
    const std::size_t states = static_cast<std::size_t>(std::clamp(16 * kLong / n, 1, 16));
    cases.push_back({n, [=] { return make(n); }, states,
                     n > kLong ? std::vector<std::string>{"recursive"} : kOpen, n <= quick});
  }
  return cases;
}

std::vector<Case> ladders(SpaceKind space) {
  std::vector<Case> cases;
  for (const int loops : {1, 10, 100, 1000}) {
    cases.push_back({loops, [=] { return ladder(loops, space); }, 1,
                     space == SpaceKind::kSpatial ? kClosedInSpace : kClosed, loops <= 10});
  }
  return cases;
}

// Named by their loops.
std::vector<Case> grids() {
  std::vector<Case> cases;
  for (const int n : {4, 8, 16, 32})
    cases.push_back({n * (n - 1), [=] { return grid(n); }, 1, kClosed, n <= 4});
  return cases;
}
std::vector<Case> legs_on_a_crank() {
  std::vector<Case> cases;
  for (const int count : {1, 4, 12, 48})
    cases.push_back({3 * count, [=] { return legs(count); }, 1, kClosed, count <= 4});
  return cases;
}

Mechanism shipped(const std::string& name) {
  ImportLog log;
  const auto file = std::filesystem::path(HAMILTREE_MECHANISMS) / name / "model.toml";
  return read_model(file, {}, log).mechanism();
}

// The last ten are of our own reading.
std::vector<Case> machines() {
  std::vector<Case> cases;
  for (const char* name :
       {"stewart", "delta", "suspension", "excavator", "biped", "hexapod", "spherical_3rrr",
        "sarrus", "motorcycle", "pantograph_leg", "planetary_gear", "backhoe", "deployable_ring",
        "scissor_lift", "hand"}) {
    const auto make = [=] { return shipped(name); };
    const int bodies = static_cast<int>(make().bodies.size());
    const std::string stewart = "stewart";
    cases.push_back({bodies, make, 8, kOpen, name == stewart, name});
  }
  cases.push_back({55, geared_humanoid, 1, kOpen, false, "geared_humanoid"});
  return cases;
}

std::vector<Case> differentiated() {
  std::vector<Case> cases{{7, arm, 8, kJacobians, true, "arm"},
                          {28, humanoid, 8, kJacobians, false, "humanoid"}};
  const auto add = [&](const char* name, int bodies, const std::function<Mechanism()>& make) {
    cases.push_back({bodies, make, 1, kJacobians, false, name});
  };
  add("ladder of 10", 21, [] { return ladder(10, SpaceKind::kSpatial); });
  for (const char* name : {"stewart", "suspension", "biped"})
    add(name, static_cast<int>(shipped(name).bodies.size()), [=] { return shipped(name); });
  return cases;
}

std::vector<Family> all() {
  const std::vector<int> sizes{2, 7, 16, 64, 256, 1024, 4096, 65536, 1000000};
  return {
      {"chain", "Chain", "Pins with axes anywhere, each body on the one before.", "bodies",
       open_cases(chain, sizes, 64)},
      {"planar_chain", "Planar chain",
       "Pins in the plane. Engines without a plane compute it in space.", "bodies",
       open_cases(planar_chain, sizes, 7)},
      {"tree", "Binary tree", "Two bodies on every body, axes anywhere.", "bodies",
       open_cases(binary_tree, {63, 1023, 8191}, 63)},
      {"humanoid",
       "Humanoid",
       "27 pins at right angles on a floating base.",
       "bodies",
       {{28, humanoid, 16, kOpen, true}}},
      {"arm",
       "Arm with seven axes",
       "Right angles, in one state after another of a few.",
       "bodies",
       {{7, arm, 16, kOpen, true}}},
      {"batch",
       "Batch of arms",
       "The same arm in many states, evaluated one after another, as a batch eight at a time; "
       "times are "
       "those of one state.",
       "states",
       {{4096, arm, 4096, kMany, false}, {256, arm, 256, kMany, true}}},
      {"ladder", "Ladder of four-bars in space",
       "Cranks on the ground and couplers between them; three of the five rows of every loop are "
       "redundant, and recursive and hdca compute in the plane.",
       "loops", ladders(SpaceKind::kSpatial)},
      {"planar_ladder", "Ladder of four-bars in the plane",
       "The same in the plane. Engines without a plane compute it in space.", "loops",
       ladders(SpaceKind::kPlanar)},
      {"grid", "Grid in the plane",
       "Bars between the nodes of a square grid, those of a row parallel.", "loops", grids()},
      {"legs", "Legs on a crank",
       "Legs after Theo Jansen in the plane, three loops each, all on one crank.", "loops",
       legs_on_a_crank()},
      {"machines", "Machines in space",
       "Shipped machines as people build them, in eight states of a motion; other engines are "
       "handed all forces as efforts.",
       "machine", machines()},
      {"derivatives", "Derivatives",
       "Jacobians of the rates with respect to the state, and of accelerations by other engines, "
       "forward dynamics included in both.",
       "mechanism", differentiated(), true},
      {"generated",
       "Generated code",
       "A four-bar and ten in a row in the plane, the arm with seven axes, and a planar biped with "
       "six "
       "loops: by the engine, and as compiled C, of one state or of eight at a time, for which "
       "times are those of one.",
       "bodies of the mechanism",
       {{3, [] { return ladder(1, SpaceKind::kPlanar); }, 8, kGenerated, true},
        {7, arm, 8, kGenerated, true},
        {19, biped, 8, kGenerated, false},
        {21, [] { return ladder(10, SpaceKind::kPlanar); }, 8, kGenerated, false}}},
  };
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> result = all();
  return result;
}

Family family_of(const std::vector<Mechanism>& models) {
  Family family{"models",
                "Models of your own",
                "In eight states of a motion; other engines are handed all forces as efforts.",
                "model",
                {}};
  for (const auto& mechanism : models) {
    family.cases.push_back({static_cast<int>(mechanism.bodies.size()), [=] { return mechanism; }, 8,
                            kOpen, true, mechanism.name});
  }
  return family;
}

}  // namespace hamiltree::benchmarks
