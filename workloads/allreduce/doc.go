// Package allreduce adds vectors of numbers, one on each node, so that every node has the sum, as
// training on many nodes does after each step.
//
// In a ring the vector is cut into one segment for each node. Each segment goes around twice: first
// every node adds its own numbers, then every node gets the sum. In a tree the nodes add what their
// children send and pass it up, and the sum comes down again. With two trees, each with half of the
// vector, a node that is inside of one is a leaf of the other.
//
// The vectors are those of a program with far more memory than the model has: a node's numbers are
// made when they are needed, and what has come is compared and not kept. All bytes that the program
// sends are sent. The numbers are whole, so that their sum is the same in any order: every node
// compares every element of every sum with one that was not added up from vectors. An addition is
// charged as one of float32.
//
// Files, in reading order:
//   - allreduce.go: the program, and its result
//   - ring.go: around the ring
//   - tree.go: up and down the trees
//   - worker.go: what both do with a chunk of the vector
//   - state.go: the state of the program and of a node
//   - spec.go: sizes and algorithms
package allreduce
