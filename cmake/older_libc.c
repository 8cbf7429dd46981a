/* The static C++ library of g++ 12 takes its random numbers from arc4random, which glibc has since 2.36. This one lets
   wheels run on glibc 2.34, too. */
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t number;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
  }
  return number;
}
