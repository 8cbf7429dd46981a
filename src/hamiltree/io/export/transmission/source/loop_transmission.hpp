// LoopTransmission: positions, velocities and efforts of the actuators of a closed linkage from
// those of its joints, and back. Exact: positions by Newton steps down to rounding, velocities by
// the linkage's own derivatives, efforts as those of the same power. Nothing is allocated.
#ifndef HAMILTREE_LOOP_TRANSMISSION
#define HAMILTREE_LOOP_TRANSMISSION

#include <math.h>
#include <stddef.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hamiltree {

// Where a value of an actuator or a joint lies, as in ros2_control: the interface is "position",
// "velocity" or "effort".
struct TransmissionHandle {
  std::string name;
  std::string interface;
  double* value;
};

template <class Linkage>
class LoopTransmission {
 public:
  enum { kActuators = Linkage::kActuators, kJoints = Linkage::kJoints };

  LoopTransmission() { reset(); }

  // To the pose at which the linkage was written, which also says on which branch it is assembled.
  void reset() {
    for (int i = 0; i < kUnknowns; ++i) x_[i] = Linkage::start(i);
    look(x_);
    for (int i = 0; i < kActuators; ++i) actuator_[i] = at_.actuator[i];
    for (int i = 0; i < kJoints; ++i) joint_[i] = at_.joint[i];
  }

  // Positions: the linkage goes to them from where it is, and stays there. False, with nothing
  // changed, where it cannot.
  bool actuators_to_joints(const double* actuator, double* joint) {
    double x[kUnknowns];
    if (!solve(Actuators{}, actuator, x)) return false;
    keep(x);
    for (int i = 0; i < kJoints; ++i) joint[i] = joint_[i];
    return true;
  }
  bool joints_to_actuators(const double* joint, double* actuator) {
    double x[kUnknowns];
    if (!solve(Joints{}, joint, x)) return false;
    keep(x);
    for (int i = 0; i < kActuators; ++i) actuator[i] = actuator_[i];
    return true;
  }

  // Velocities and efforts at the pose where the linkage is. False at a singular one.
  bool actuator_to_joint_velocities(const double* actuator, double* joint) {
    return carry<false>(Actuators{}, Joints{}, actuator, joint);
  }
  bool joint_to_actuator_velocities(const double* joint, double* actuator) {
    return carry<false>(Joints{}, Actuators{}, joint, actuator);
  }
  bool actuator_to_joint_efforts(const double* actuator, double* joint) {
    return carry<true>(Joints{}, Actuators{}, actuator, joint);
  }
  bool joint_to_actuator_efforts(const double* joint, double* actuator) {
    return carry<true>(Actuators{}, Joints{}, joint, actuator);
  }

  // Derivatives of actuators by joints and back, row by row.
  bool actuators_by_joints(double* T) { return derivatives(Joints{}, Actuators{}, T); }
  bool joints_by_actuators(double* S) { return derivatives(Actuators{}, Joints{}, S); }

  // By how much the loops are open, m and rad.
  double gap() {
    look(x_);
    double widest = 0.0;
    for (int i = 0; i < kGaps; ++i) widest = fmax(widest, fabs(at_.gap[i]));
    return widest;
  }

  // The interface of ros2_control's transmissions. Handles may be given for some interfaces only;
  // of each that is given there must be one for every joint and every actuator.
  void configure(const std::vector<TransmissionHandle>& joints,
                 const std::vector<TransmissionHandle>& actuators) {
    for (int k = 0; k < kInterfaces; ++k) {
      const bool has_joints = find(joints, k, kJoints, Linkage::joint_name, joint_value_[k]);
      const bool has_actuators =
          find(actuators, k, kActuators, Linkage::actuator_name, actuator_value_[k]);
      if (has_joints != has_actuators)
        throw std::invalid_argument(std::string("the interface ") + interface(k) +
                                    " is given for joints or for actuators only");
      is_given_[k] = has_joints;
    }
  }
  // From measurements of the actuators. False where the linkage cannot be there.
  bool actuator_to_joint() {
    double from[kActuators], to[kJoints];
    for (int k = 0; k < kInterfaces; ++k) {
      if (!is_given_[k]) continue;
      for (int i = 0; i < kActuators; ++i) from[i] = *actuator_value_[k][i];
      const bool is_done = k == 0   ? actuators_to_joints(from, to)
                           : k == 1 ? actuator_to_joint_velocities(from, to)
                                    : actuator_to_joint_efforts(from, to);
      if (!is_done) return false;
      for (int i = 0; i < kJoints; ++i) *joint_value_[k][i] = to[i];
    }
    return true;
  }
  // Commands of the joints become those of the actuators; the linkage stays where it was measured.
  bool joint_to_actuator() {
    LoopTransmission commanded = *this;
    double from[kJoints], to[kActuators];
    for (int k = 0; k < kInterfaces; ++k) {
      if (!is_given_[k]) continue;
      for (int i = 0; i < kJoints; ++i) from[i] = *joint_value_[k][i];
      const bool is_done = k == 0   ? commanded.joints_to_actuators(from, to)
                           : k == 1 ? commanded.joint_to_actuator_velocities(from, to)
                                    : commanded.joint_to_actuator_efforts(from, to);
      if (!is_done) return false;
      for (int i = 0; i < kActuators; ++i) *actuator_value_[k][i] = to[i];
    }
    return true;
  }

 private:
  enum { kUnknowns = Linkage::kUnknowns, kGaps = Linkage::kGaps, kInterfaces = 3 };
  enum { kSides = kJoints > kActuators ? kJoints : kActuators, kRows = kGaps + kSides };
  enum { kNewtonSteps = 50 };

  struct Closure {
    double gap[kGaps], actuator[kActuators], joint[kJoints];
    double gap_x[kGaps * kUnknowns], actuator_x[kActuators * kUnknowns],
        joint_x[kJoints * kUnknowns];
  };
  // The two sides of the transmission.
  struct Actuators {
    enum { kSize = kActuators };
    static const double* value(const Closure& c) { return c.actuator; }
    static const double* by_x(const Closure& c) { return c.actuator_x; }
    static bool wraps(int i) { return Linkage::actuator_wraps(i); }
  };
  struct Joints {
    enum { kSize = kJoints };
    static const double* value(const Closure& c) { return c.joint; }
    static const double* by_x(const Closure& c) { return c.joint_x; }
    static bool wraps(int i) { return Linkage::joint_wraps(i); }
  };

  static const char* interface(int k) {
    return k == 0 ? "position" : k == 1 ? "velocity" : "effort";
  }

  void look(const double* x) {
    Linkage::closure(x, at_.gap, at_.actuator, at_.joint, at_.gap_x, at_.actuator_x, at_.joint_x);
  }

  // Angles that are known within half a turn go on where they were.
  static double difference(double to, double from, bool wraps) {
    return wraps ? remainder(to - from, 6.283185307179586) : to - from;
  }
  void keep(const double* x) {
    for (int i = 0; i < kUnknowns; ++i) x_[i] = x[i];
    for (int i = 0; i < kActuators; ++i)
      actuator_[i] += difference(at_.actuator[i], actuator_[i], Linkage::actuator_wraps(i));
    for (int i = 0; i < kJoints; ++i)
      joint_[i] += difference(at_.joint[i], joint_[i], Linkage::joint_wraps(i));
  }

  // Newton steps from the present pose, none longer than half a radian, while they gain something.
  template <class Side>
  bool solve(Side, const double* wanted, double* x) {
    for (int i = 0; i < kUnknowns; ++i) x[i] = x_[i];
    double before = INFINITY;
    for (int n = 0; n < kNewtonSteps; ++n) {
      double A[kRows * kUnknowns], b[kRows], widest = 0.0;
      look(x);
      for (int r = 0; r < kGaps; ++r) b[r] = -at_.gap[r];
      for (int r = 0; r < Side::kSize; ++r)
        b[kGaps + r] = difference(wanted[r], Side::value(at_)[r], Side::wraps(r));
      matrix(Side{}, A);
      if (!least_squares(kGaps + Side::kSize, A, b, 1)) return false;
      for (int i = 0; i < kUnknowns; ++i) widest = fmax(widest, fabs(b[i]));
      if (!(widest < INFINITY)) return false;
      if (widest < 1e-9 && !(widest < before)) return is_there(Side{}, wanted);
      const double share = widest > 0.5 ? 0.5 / widest : 1.0;
      for (int i = 0; i < kUnknowns; ++i) x[i] += share * b[i];
      before = widest;
    }
    return false;
  }
  // More rows than unknowns may contradict each other: then no step is left, but a gap is.
  template <class Side>
  bool is_there(Side, const double* wanted) const {
    for (int r = 0; r < kGaps; ++r) {
      if (!(fabs(at_.gap[r]) < 1e-9)) return false;
    }
    for (int r = 0; r < Side::kSize; ++r) {
      if (!(fabs(difference(wanted[r], Side::value(at_)[r], Side::wraps(r))) < 1e-9)) return false;
    }
    return true;
  }

  // Rows of the loops, then of one side, at the last pose looked at.
  template <class Side>
  void matrix(Side, double* A) const {
    for (int i = 0; i < kGaps * kUnknowns; ++i) A[i] = at_.gap_x[i];
    for (int i = 0; i < Side::kSize * kUnknowns; ++i) A[kGaps * kUnknowns + i] = Side::by_x(at_)[i];
  }

  template <class From, class To>
  bool derivatives(From, To, double* D) {
    enum { kColumns = From::kSize };
    double A[kRows * kUnknowns], B[kRows * kColumns] = {0.0};
    look(x_);
    matrix(From{}, A);
    for (int c = 0; c < kColumns; ++c) B[(kGaps + c) * kColumns + c] = 1.0;
    if (!least_squares(kGaps + From::kSize, A, B, kColumns)) return false;
    for (int r = 0; r < To::kSize; ++r) {
      for (int c = 0; c < kColumns; ++c) {
        double sum = 0.0;
        for (int i = 0; i < kUnknowns; ++i)
          sum += To::by_x(at_)[r * kUnknowns + i] * B[i * kColumns + c];
        D[r * kColumns + c] = sum;
      }
    }
    return true;
  }

  // A X = B by Householder reflections with pivoted columns; X takes the first rows of B. False
  // where A lacks a rank.
  static bool least_squares(int rows, double* A, double* B, int columns) {
    int order[kUnknowns];
    double largest = 0.0;
    for (int i = 0; i < kUnknowns; ++i) order[i] = i;
    for (int k = 0; k < kUnknowns; ++k) {
      int pivot = k;
      double best = -1.0;
      for (int c = k; c < kUnknowns; ++c) {
        double square = 0.0;
        for (int r = k; r < rows; ++r) square += A[r * kUnknowns + c] * A[r * kUnknowns + c];
        if (square > best) best = square, pivot = c;
      }
      const double size = k < rows ? sqrt(best) : 0.0;
      if (k == 0) largest = size;
      if (!(size > 1e-10 * largest)) return false;
      for (int r = 0; r < rows; ++r) swap(A[r * kUnknowns + k], A[r * kUnknowns + pivot]);
      const int name = order[k];
      order[k] = order[pivot];
      order[pivot] = name;

      double v[kRows], square = 0.0;
      const double diagonal = A[k * kUnknowns + k] > 0.0 ? -size : size;
      for (int r = k; r < rows; ++r) v[r] = A[r * kUnknowns + k];
      v[k] -= diagonal;
      for (int r = k; r < rows; ++r) square += v[r] * v[r];
      for (int c = k; c < kUnknowns; ++c) reflect(v, square, k, rows, A + c, kUnknowns);
      for (int c = 0; c < columns; ++c) reflect(v, square, k, rows, B + c, columns);
    }
    double x[kUnknowns];
    for (int c = 0; c < columns; ++c) {
      for (int k = kUnknowns - 1; k >= 0; --k) {
        double sum = B[k * columns + c];
        for (int i = k + 1; i < kUnknowns; ++i) sum -= A[k * kUnknowns + i] * x[order[i]];
        x[order[k]] = sum / A[k * kUnknowns + k];
      }
      for (int k = 0; k < kUnknowns; ++k) B[k * columns + c] = x[k];
    }
    return true;
  }
  static void reflect(const double* v, double square, int from, int rows, double* column,
                      int step) {
    if (!(square > 0.0)) return;
    double sum = 0.0;
    for (int r = from; r < rows; ++r) sum += v[r] * column[r * step];
    for (int r = from; r < rows; ++r) column[r * step] -= 2.0 * sum / square * v[r];
  }
  static void swap(double& a, double& b) {
    const double c = a;
    a = b;
    b = c;
  }

  // By the derivatives D of To by From: y = D x, or transposed y = D^T x.
  template <bool transposed, class From, class To>
  bool carry(From, To, const double* x, double* y) {
    enum { kOfD = To::kSize, kColumns = From::kSize };
    double D[kOfD * kColumns];
    if (!derivatives(From{}, To{}, D)) return false;
    for (int i = 0; i < (transposed ? int(kColumns) : int(kOfD)); ++i) y[i] = 0.0;
    for (int r = 0; r < kOfD; ++r) {
      for (int c = 0; c < kColumns; ++c)
        y[transposed ? c : r] += D[r * kColumns + c] * x[transposed ? r : c];
    }
    return true;
  }

  static bool find(const std::vector<TransmissionHandle>& handles, int k, int count,
                   const char* (*name)(int), double** values) {
    int found = 0;
    for (int i = 0; i < count; ++i) {
      values[i] = nullptr;
      for (const auto& handle : handles) {
        if (handle.name == name(i) && handle.interface == interface(k) && handle.value != nullptr)
          values[i] = handle.value;
      }
      if (values[i] != nullptr) ++found;
    }
    if (found != 0 && found != count)
      throw std::invalid_argument(std::string("the interface ") + interface(k) +
                                  " is given for some, not for all");
    return found == count;
  }

  double x_[kUnknowns];
  double actuator_[kActuators], joint_[kJoints];
  Closure at_;
  bool is_given_[kInterfaces] = {false, false, false};
  double* joint_value_[kInterfaces][kJoints];
  double* actuator_value_[kInterfaces][kActuators];
};

}  // namespace hamiltree

#endif
