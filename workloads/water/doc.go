// Package water moves flexible water molecules on shared virtual memory, with
// the structure of the SPLASH-2 program Water-nsquared: each node owns a run
// of molecules, computes the forces between each of them and the half of all
// others that follow it, adds them up on its own first, and then adds each
// molecule's sum to shared memory under a lock of that molecule; energies
// are added under a lock too, with barriers between the parts of a step.
//
// The molecules are simpler than the original's: three charged atoms, springs
// between them, a Lennard-Jones force between oxygens, all cut off at half the
// box by the distance of the oxygens, and velocity Verlet in place of a
// predictor-corrector.
//
// The arithmetic is real. What it costs on the simulated node is counted in
// operations and bytes that miss the cache and charged to the node's host.
package water
