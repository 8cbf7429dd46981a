/* Functions that the program would take from a glibc later than 2.34, so that wheels run there, too: g++ 12's static C++
   library takes its random numbers from arc4random, of 2.36; hypot got a new version in 2.35. */
#include <math.h>
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t number;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
  }
  return number;
}

/* Where long double has more digits and exponents than double, its squares neither overflow nor round visibly. */
double hypot(double x, double y) {
  if (isinf(x) || isinf(y)) {
    return INFINITY;
  }
  return (double)sqrtl((long double)x * x + (long double)y * y);
}
