// From a file's links and joints to a mechanism worth simulating. Readers say what the file says,
// link by link; the rest is the same for all formats and happens here, in this order.
#pragma once

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// All of the steps below. Looks go with their bodies. Throws ModelError where a coupling names a
// joint that is not there.
void normalise(Mechanism& mechanism, Looks& looks, const ImportOptions& options, ImportLog& log);

// Bodies that fixed joints hold together become one, those held to the ground part of it; the first
// in the file gives its name and frame. A joint inside of what has become rigid goes, with a
// warning unless it is free. Throws ModelError where fixed joints contradict each other by more
// than 1e-6 m or rad.
void merge_fixed_joints(Mechanism& mechanism, Looks& looks, ImportLog& log);

// Spherical joints between the same two bodies: two hold a line, so they become one revolute joint
// about it; more that are not on a line hold everything and become one fixed joint. Gives whether
// there is such a fixed joint now. Throws ModelError where the points are at other distances on the
// two bodies.
bool merge_points_on_a_line(Mechanism& mechanism);

// A body without mass and inertia that only one joint holds has no motion of its own: it goes, with
// a warning, and so on inwards; what was to be seen of it stays where it was at q = 0. One whose
// joint is coupled to another that has a motion stays, and so do all where no body has mass.
void drop_massless_ends(Mechanism& mechanism, Looks& looks, ImportLog& log);

// Refuses inertias that no body can have, by the names of the links. What is off by no more than
// 1e-9 of the largest moment of the model is set right, with a note. By the options principal
// moments become equal, with the same sum, or two may be less than the third; a warning says so.
void check_inertias(Mechanism& mechanism, const ImportOptions& options, ImportLog& log);

// The joint that closes a loop is not part of the state, so it can neither have armature nor be a
// coupled pin. Of loops in which every joint is or does, the last one ends on a body without mass
// of its own, which is welded to where it ended.
void free_loops(Mechanism& mechanism);

// Formats say where a joint stops, but not how hard: stops with no stiffness yet get that of a
// critically damped spring of 50 rad/s under the inertia outboard of the joint.
void stiffen_limits(Mechanism& mechanism);

// Warns of a joint whose stops, and those of the joint that it follows, leave both no way.
void warn_of_stops(const Mechanism& mechanism, ImportLog& log);

// A joint whose stops leave out zero starts, or is looked for, in the middle between them, or at
// the only one; a joint that follows another, where that puts it.
void start_between_stops(Mechanism& mechanism);

// Loops of drawings are off by rounding: those that stay open by no more than 1e-6 m, in the pose
// that comes closest to closing all, are closed by a shift of the frame of the joint that closes
// them, with a note. Others stay as they are, to be refused later.
void close_small_gaps(Mechanism& mechanism, ImportLog& log);

// The coordinate of the coupled joint where that of the other one is q.
double value_at(const Coupling& coupling, double q);

// Everything said about joints that are no longer there goes with them: forces and couplings.
void drop_orphans(Mechanism& mechanism);

}  // namespace hamiltree
