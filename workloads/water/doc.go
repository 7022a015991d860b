// Package water moves flexible water molecules on shared virtual memory, with
// the structure of the SPLASH-2 program Water-nsquared. Each node owns a run of
// molecules and computes the forces between each of them and the half of all
// others that follow it. It adds the forces up on its own first, then adds each
// molecule's sum to shared memory under a lock of that molecule. Energies are
// added under a lock too. Barriers divide the parts of a step.
//
// The molecules are simpler than the original's. They have three charged atoms,
// springs between them, and a Lennard-Jones force between oxygens. All forces are
// cut off at half the box by the distance of the oxygens. Velocity Verlet
// replaces the predictor-corrector.
//
// The arithmetic is real. Its cost on the simulated node is counted in
// operations and in bytes that miss the cache, and charged to the node's host.
//
// Files, in reading order:
//   - program.go: the program of a node
//   - verify.go: the result against a simulation by other means
//   - water.go: the simulation in shared memory, its input
//   - cost.go: what the parts cost a host
//   - force.go: forces between and within molecules
//   - spec.go: sizes, and how the molecules lie in memory
package water
