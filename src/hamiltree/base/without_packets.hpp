// Included before all else where the recursive kernel, or forces, are compiled for double. Eigen's
// packets of two make vectors of three and six slow: entries are stored one by one and read in
// pairs, which the processor cannot forward. Without packets the recursive kernel is a tenth
// faster, a bushing takes 35 ns instead of 60. Types are laid out, and memory is taken and given
// back, as everywhere else.
#pragma once

#ifdef EIGEN_CORE_H
#error "without_packets.hpp comes before Eigen"
#endif

#if defined(__x86_64__)
#define EIGEN_DONT_VECTORIZE
#if defined(__AVX512F__)
#define EIGEN_MAX_ALIGN_BYTES 64
#elif defined(__AVX__)
#define EIGEN_MAX_ALIGN_BYTES 32
#else
#define EIGEN_MAX_ALIGN_BYTES 16
#endif
#define EIGEN_MAX_STATIC_ALIGN_BYTES EIGEN_MAX_ALIGN_BYTES
#endif
