// An error of what an option gives to a model: `--set path=value`, or a path of a study.
#pragma once

#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"

namespace hamiltree {

class OptionError : public UsageError {
 public:
  // what() puts the option in front of the sentence.
  OptionError(std::string option, const std::string& sentence)
      : UsageError(option + ": " + sentence), option_(std::move(option)) {}

  const std::string& option() const { return option_; }  // as it was given

 private:
  std::string option_;
};

}  // namespace hamiltree
