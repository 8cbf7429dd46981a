// The interface between the benchmarks and an engine of others. Plain C++17 without Eigen: some
// engines' headers are not C++20, and an adapter compiled for this very processor lays out Eigen's
// memory otherwise than the program does.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace hamiltree::benchmarks {

constexpr int kEngineGround = -1;

// R: axes of the frame as columns, row after row; r: origin, m. Both in the frame around it.
struct EngineFrame {
  std::array<double, 9> R{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> r{};
};

enum class EngineJoint {
  kRevolute,   // about z; one coordinate, one velocity
  kPrismatic,  // along z
  kUniversal,  // about x, then about y
  kSpherical,  // quaternion w, x, y, z; angular velocity in the body's axes
  kFree,       // x, y, z, quaternion w, x, y, z; linear and angular velocity in the body's axes
};

// The frame of a body is that of its joint. A parent comes before its children.
struct EngineBody {
  double mass = 0.0;                // kg
  std::array<double, 3> com{};      // m
  std::array<double, 9> inertia{};  // kg m^2, about the centre of mass
  int parent = kEngineGround;
  EngineJoint joint = EngineJoint::kRevolute;
  EngineFrame at_parent;  // the joint's frame in the parent's
  double armature = 0.0;  // kg m^2 or kg, of joints with one velocity
};

// A ball, or a pin between parallel pins, that closes a loop: the origins are held together.
struct EngineClosure {
  int parent = kEngineGround, child = 0;
  EngineFrame at_parent, at_child;
};

struct EngineMechanism {
  std::array<double, 3> gravity{};  // m/s^2
  std::vector<EngineBody> bodies;
  std::vector<EngineClosure> closures;
};

// Body after body.
struct EngineState {
  std::vector<double> q, v;
  std::vector<double> efforts;  // of springs and the like along v; empty: none
};

// A mechanism as an engine has it.
class EngineModel {
 public:
  virtual ~EngineModel() = default;
  // Brings the states into the engine's own order and variables; not timed.
  virtual void keep(const std::vector<EngineState>& states) = 0;
  // Forward dynamics of one of them: what is timed.
  virtual void evaluate(std::size_t state) = 0;
  // dv/dt of that state, body after body, in our variables; not timed.
  virtual std::vector<double> accelerations(std::size_t state) = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  // The function evaluated, with its settings.
  virtual std::string method() const = 0;
  // Its loops close up to a spring's give only: then it is not held to agree in their motion.
  virtual bool soft_loops() const { return false; }
  // Joints of every kind, armatures and efforts; else pins and free joints only.
  virtual bool takes_machines() const { return false; }
  // Null where the engine cannot take the mechanism; then refusal says why.
  virtual std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                            std::string& refusal) const = 0;
  // The same mechanism; evaluate() is forward dynamics with derivatives by q, v and efforts.
  virtual std::unique_ptr<EngineModel> make_derivatives(const EngineMechanism&,
                                                        std::string& refusal) const {
    refusal = "it has no derivatives of its own";
    return nullptr;
  }
};

}  // namespace hamiltree::benchmarks

// The one name that an adapter exports, each a shared object of its own. It ends in the number of
// this interface, so that an adapter built before a change is not taken for a new one.
#define HAMILTREE_ENGINE hamiltree_engine_3
// How the adapter was compiled, and with it what the engine has in headers.
#define HAMILTREE_ENGINE_BUILD hamiltree_engine_build_3
#define HAMILTREE_ENGINE_TEXT(name) HAMILTREE_ENGINE_TEXT_OF(name)
#define HAMILTREE_ENGINE_TEXT_OF(name) #name

#define HAMILTREE_EXPORT_ENGINE(Type)                                                      \
  extern "C" __attribute__((visibility("default"))) const hamiltree::benchmarks::Engine*   \
  HAMILTREE_ENGINE() {                                                                     \
    static const Type engine;                                                              \
    return &engine;                                                                        \
  }                                                                                        \
  extern "C" __attribute__((visibility("default"))) const char* HAMILTREE_ENGINE_BUILD() { \
    return HAMILTREE_ENGINE_COMPILED;                                                      \
  }
