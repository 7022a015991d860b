// Mutants plants defects in the program, one at a time, and reports which test notices each.
//
// A mutant is one replacement in one file, with the packages whose tests should fail. The
// working tree is not touched: the compiler reads the changed file in place of the real one.
//
// Files, in reading order:
//   - main.go: the command
//   - outcomes.go: files of outcomes, and the figures made of them
//   - try.go: one mutant against its tests
//   - mutant.go: the list of mutants
package main
