#include "hamiltree/base/shared_or_alone.hpp"

#include <algorithm>

namespace hamiltree {

void SharedOrAlone::took(double seconds) {
  if (share_) {
    credit_ += alone_ - seconds;
    since_alone_ += seconds;
  } else {
    alone_ = looks_ == 0 ? seconds : std::min(seconds, kGrowth * alone_);
    looks_ = std::min(looks_ + 1, kFirst);
    since_alone_ = 0.0;
  }
  credit_ = std::min(credit_ + kEarned * seconds, kCredit);
  const bool known = since_alone_ < kBetweenLooks * alone_;
  share_ = looks_ == kFirst && known && credit_ >= 0.0;
}

}  // namespace hamiltree
