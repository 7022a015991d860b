// Package portable has functions of floating-point numbers that give the same digits on every
// processor. Those of package math that are not rounded correctly do not: some are assembly with
// another method on one processor, and in the others a compiler for arm64, ppc64, riscv64 or s390x
// fuses products with sums. Those that are exact or correctly rounded (Sqrt, Floor, Remainder, Ldexp, …)
// are used as they are. Gonum has both faults.
//
// An explicit conversion, float64(x*y) + z, is what the language offers against fusing.
//
// Files, in reading order:
//   - moments.go: means and variances
//   - order.go: medians and percentiles
//   - functions.go: logarithms, powers, sines and the length of a vector
package portable
