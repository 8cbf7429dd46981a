// Callbacks in tables: the user's own efforts, loads on bodies and controllers; their descriptions
// are in model/callbacks.hpp.
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/model/callbacks.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

[[noreturn]] inline void refuse_cast(const std::string& name) {
  throw std::logic_error("force \"" + name + "\" is a callback, which exists for double only");
}

template <class Space>
struct JointCallback {
  std::string name;
  int joint = 0;
  std::function<double(double, double, double)> effort;

  template <class To>
  JointCallback<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, joint, effort};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kPosition);
  }
};

template <class Space>
struct BodyCallback {
  std::string name;
  int body = 0;
  Pose<Space> X;  // the user's frame of the body in that of the tables
  std::function<BodyLoad(double, const BodyState&)> load;

  template <class To>
  BodyCallback<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, body, X.template cast<typename To::Scalar>(), load};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.body(self.body);
  }
};

// The joints of a mechanism by the user's names and in the user's order.
struct JointDirectory {
  std::map<std::string, int, std::less<>> index;  // of the user
  std::vector<int> table;                         // index in the tables, by the user's
};

// It may look at any joint, by its directory.
template <class Space>
struct ControlLaw {
  std::string name;
  std::vector<int> joints;  // that it acts on
  std::shared_ptr<const JointDirectory> directory;
  std::function<void(Controls&)> law;

  template <class To>
  ControlLaw<To> cast() const {
    if (!std::same_as<typename To::Scalar, double>) refuse_cast(name);
    return {name, joints, directory, law};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    for (auto& joint : self.joints) visit.joint(joint, Uses::kPosition);
  }
};

}  // namespace hamiltree
