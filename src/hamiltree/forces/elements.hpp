// All force elements: what they exert, what they store.
#pragma once

#include "hamiltree/forces/actuator.hpp"
#include "hamiltree/forces/applied_wrench.hpp"
#include "hamiltree/forces/ball_stop.hpp"
#include "hamiltree/forces/body_friction.hpp"
#include "hamiltree/forces/bushing.hpp"
#include "hamiltree/forces/callback.hpp"
#include "hamiltree/forces/curve_spring.hpp"
#include "hamiltree/forces/drag.hpp"
#include "hamiltree/forces/friction.hpp"
#include "hamiltree/forces/joint_spring.hpp"
#include "hamiltree/forces/joint_stop.hpp"
#include "hamiltree/forces/point_spring.hpp"
#include "hamiltree/forces/servo.hpp"
#include "hamiltree/forces/tendon_stop.hpp"
