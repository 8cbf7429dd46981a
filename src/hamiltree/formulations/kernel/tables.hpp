// Tables: a mechanism in space as the passes of this folder go through it, flat, with everything
// that the geometry and the loops settle beforehand. See compile.hpp.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/storage.hpp"

namespace hamiltree::kernel {

inline constexpr int kNothing = -1;  // the ground, or no rows

enum class Kind {
  kFixed,
  kRevolute,
  kPrismatic,
  kHelical,
  kUniversal,
  kCylindrical,
  kPinInSlot,
  kPlanar,
  kTranslational,
  kSpherical,
  kFree,
};

// A body and its inboard joint. Open rows are the constraint rows of loops that have one end behind
// the joint; each keeps its lane from its first end to the place where it closes.
struct Body {
  int inboard = kNothing;
  Kind kind = Kind::kFixed;
  bool reversed = false;  // the joint's child is inboard: its frame M lies there
  double outward = 1.0;   // -1 where reversed
  int q = 0, v = 0;
  int angle = 0;  // the first of its sines
  int drive = kNothing;
  double R[9] = {}, r[3] = {};  // the joint's frame in the inboard body, column by column
  double mass = 0.0, mc[3] = {}, J[9] = {};  // at the body's origin, in its axes
  double pitch = 0.0, armature = 0.0;

  bool leaf = true;     // nothing hangs on it
  bool first = true;    // the first to add to its inboard body
  int rows = kNothing;  // the open rows behind the joint: of Work::rows
  int into = kNothing;  // where they go on at the inboard body
  int open = 0;
  std::array<unsigned char, kMostLanes> lane{};
  int port = kNothing;                 // what its own velocity adds to rows of couplings
  int first_event = 0, end_event = 0;  // before the joint is eliminated
  int impulses = 0;                    // of Work::impulses, for its open rows
};

// Events of open rows.
struct Event {
  enum class Kind { kOpen, kMerge, kClose };
  Kind kind = Kind::kOpen;
  int rows = 0;
  bool empty = false;  // of kOpen: nothing is in `rows` yet
  // kOpen: a cut acts on the body.
  int cut = 0;
  int side = 0;            // of Cut::body
  bool takes_gap = false;  // one of the two ends brings what the rows are to close by
  // kMerge: `other` is added; of a tree on the ground only what does not move with the body. Where
  // both are the same object, it becomes that of the body.
  int other = 0;
  bool of_ground = false;
  // kClose: the first `closing` lanes are eliminated, `staying` more remain open. kMerge: all lanes
  // of the other.
  int closing = 0, staying = 0;
  std::array<unsigned char, kMostLanes> lane{};
  bool in_order = false;   // all there are, lanes 0 to closing - 1
  bool held = false;       // closes as if the body stood still, which some poses do not allow
  int closed = 0;          // of Work::closed
  int impulses = 0;        // where it puts those of its rows
  int known_impulses = 0;  // those of rows that stay open
  alignas(64) double stays[kMostLanes] = {};  // 1 in the lanes of rows that stay open
  std::array<double, kMostLanes> weight{};  // turns the mobility of the row in each lane into 1/kg
  std::array<int, kMostLanes> joint{};      // the cut of each lane
  // The first lane of a row of the same cut in the same unit: their pivots compare.
  std::array<unsigned char, kMostLanes> alike{};
};

// One constraint row of a cut: a unit force or moment along an axis of the joint's frame.
struct CutRow {
  int row = 0;        // in Phi and sigma
  int component = 0;  // 0-2 force, 3-5 moment
  int lane = 0;
  int impulses = 0;
  double advance = 0.0;  // of helical joints: the moment that comes with a force along z
};

// The axes of a cut's rows: of the child; of the cross of a universal joint, x of the parent and y
// of the child; of the parent, for a pin in a slot.
enum class CutAxes { kOfChild, kOfCross, kOfParent };

// A loop's closure: a cut, or the coupling of two joints of the tree, which opens its row at
// their bodies and closes it where both of their inboard bodies are behind.
struct Cut {
  int joint = 0;  // of the model's tables
  // Child and parent. Of a ball whose frame is at the parent the other way round: then the axes of
  // its rows are less those of the frame.
  std::array<int, 2> body = {kNothing, kNothing};
  bool is_coupling = false;                            // `body` is inboard of the joints
  std::array<int, 2> opens_at = {kNothing, kNothing};  // the bodies, of couplings behind the joints
  std::array<double, 2> factor = {0.0, 0.0};           // of couplings
  double R[9] = {}, r[3] = {};                         // M in body[0], column by column
  double parent_R[9] = {};                             // F in body[1]
  CutAxes axes = CutAxes::kOfChild;
  bool is_ball = false;        // all three rows of a point, in world axes from `lane` on
  int lane = 0, impulses = 0;  // of a ball
  std::vector<CutRow> rows;
};

// The pivot of an axis of a joint whose body has no inertia of its own.
struct WatchedPivot {
  int body = 0, inverse = 0;  // of BodyWork::inverse
  double least = 0.0;         // kg or kg m^2; below it the pivot is lost
};

struct Tables {
  std::vector<Body> bodies;
  std::vector<int> inward, outward;  // orders in which neighbours in memory do not wait for another
  // By object of Work::rows: of all rows that are ever open there.
  std::vector<std::vector<unsigned char>> lanes_of_rows;
  std::vector<LanesOf<kMostLanes>> ports;  // by row, of bodies whose joints are coupled
  std::vector<Event> events;
  int first_ground_event = 0;  // the rest closes loops over the ground, after all bodies
  std::vector<Cut> cuts;
  std::vector<WatchedPivot> watched;
  std::vector<int> angles;  // coordinates that are angles, in eights, padded
  std::vector<double> angle_signs;
  double gravity[3] = {};
  int coordinates = 0, velocities = 0, constraints = 0;
  int lanes = kLaneCount;  // of open rows: 8, or 16 where more are open somewhere
  int drives = 0, rows = 0, closed = 0, impulses = 0;  // sizes of Work
};

}  // namespace hamiltree::kernel
