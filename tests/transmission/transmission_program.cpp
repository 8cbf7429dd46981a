// Reads positions of joints line by line. Prints actuators, the joints again, the gap, derivatives
// of actuators by joints and back, and the actuators' efforts for the joints' efforts 2, -3, ...
// With FORWARD there is no way back, which has dead points: those numbers are 0.
#include <stdio.h>

#include HEADER

typedef NAME::Transmission Transmission;

enum { kActuators = Transmission::kActuators, kJoints = Transmission::kJoints };

static int fails(const char* what) {
  printf("%s\n", what);
  return 1;
}

static void print(const double* x, int count) {
  for (int i = 0; i < count; ++i) printf("%.17g ", x[i]);
}

#ifndef FORWARD
// The handles give what the functions give, and one that is missing is missed.
static int check_handles(Transmission transmission, const double* joint, const double* actuator) {
  double values[3 * (kActuators + kJoints)] = {0.0};
  std::vector<hamiltree::TransmissionHandle> joints, actuators;
  const char* const interfaces[] = {"position", "velocity", "effort"};
  double* next = values;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kJoints; ++i)
      joints.push_back({NAME::Linkage::joint_name(i), interfaces[k], next++});
    for (int i = 0; i < kActuators; ++i)
      actuators.push_back({NAME::Linkage::actuator_name(i), interfaces[k], next++});
  }
  transmission.configure(joints, actuators);
  for (int i = 0; i < kJoints; ++i) values[i] = joint[i];
  if (!transmission.joint_to_actuator()) return fails("no command");
  for (int i = 0; i < kActuators; ++i) {
    if (!(fabs(values[kJoints + i] - actuator[i]) < 1e-12)) return fails("another command");
  }
  for (int i = 0; i < kJoints; ++i) values[i] = 0.0;
  if (!transmission.actuator_to_joint()) return fails("no measurement");
  for (int i = 0; i < kJoints; ++i) {
    if (!(fabs(values[i] - joint[i]) < 1e-12)) return fails("another measurement");
  }
  joints.pop_back();
  try {
    transmission.configure(joints, actuators);
  } catch (const std::invalid_argument&) {
    return 0;
  }
  return fails("a missing handle was not missed");
}
#endif

int main() {
  Transmission transmission;
  double joint[kJoints], actuator[kActuators], effort[kJoints];
  double back[kJoints] = {0.0}, motor[kActuators] = {0.0};
  double T[kActuators * kJoints], S[kJoints * kActuators] = {0.0};
  for (int i = 0; i < kJoints; ++i) effort[i] = i % 2 == 0 ? 2.0 : -3.0;
  (void)effort;
  for (;;) {
    for (int i = 0; i < kJoints; ++i) {
      if (scanf("%lf", &joint[i]) != 1) return 0;
    }
#ifndef FORWARD
    const Transmission before = transmission;
#endif
    if (!transmission.joints_to_actuators(joint, actuator)) {
      if (transmission.gap() > 1e-12) return fails("the pose was lost");
      printf("out of reach\n");
      continue;
    }
    if (!transmission.actuators_by_joints(T)) return fails("a singular pose");
#ifndef FORWARD
    if (check_handles(before, joint, actuator) != 0) return 1;
    Transmission other = before;
    if (!other.actuators_to_joints(actuator, back)) return fails("actuators out of reach");
    if (!transmission.joints_by_actuators(S) ||
        !transmission.joint_to_actuator_efforts(effort, motor))
      return fails("a singular pose");
#endif
    print(actuator, kActuators);
    print(back, kJoints);
    printf("%.17g ", transmission.gap());
    print(T, kActuators * kJoints);
    print(S, kJoints * kActuators);
    print(motor, kActuators);
    printf("\n");
  }
}
