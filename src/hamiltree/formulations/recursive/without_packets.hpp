// Included before all else where the recursive kernel is compiled for double. Eigen's packets of
// two make its vectors of three and six slow: entries are stored one by one and read in pairs,
// which the processor cannot forward. Without packets it is a tenth faster. Types are laid out, and
// memory is taken and given back, as everywhere else.
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
