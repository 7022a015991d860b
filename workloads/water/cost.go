package water

import "github.com/sigview/sigview/sim/host"

// The cost of each part, counted as a compiler for the simulated machines
// would order it. A division takes the Pentium 39 cycles and a square root
// 70; they stand for all hosts.
const (
	divideCycles = 39
	rootCycles   = 70
)

// look returns the work of deciding whether pairs of molecules are near:
// three divisions, sixteen operations, two oxygens loaded.
func look(pairs int) host.Work {
	n := int64(pairs)
	return host.Work{Flops: 16 * n, Loads: 6 * n, Stores: 3 * n, Ints: 6 * n, Cycles: 3 * divideCycles * n}
}

// pull returns the work of the forces of pairs that are near: nine pairs of
// atoms with a root, two divisions, 20 operations and six sums in memory, and
// once the other force's 12 operations with two divisions.
func pull(pairs int) host.Work {
	n := int64(pairs)
	return host.Work{
		Flops: (9*20 + 12) * n, Loads: 9 * 14 * n, Stores: 9 * 6 * n, Ints: 9 * 6 * n,
		Cycles: (9*(rootCycles+2*divideCycles) + 2*divideCycles) * n,
	}
}

// inside returns the work of the springs, and of the sum of a molecule's
// forces.
func inside(molecules int) host.Work {
	n := int64(molecules)
	return host.Work{
		Flops: (3*28 + vector) * n, Loads: 3 * 12 * n, Stores: 3 * 6 * n, Ints: 3 * 6 * n,
		Cycles: 3 * (rootCycles + divideCycles) * n,
	}
}

// move returns the work of changing velocities, and positions with them.
func move(molecules int) host.Work {
	n := int64(molecules) * vector
	return host.Work{Flops: 4 * n, Loads: 4 * n, Stores: 2 * n, Ints: 2 * n}
}

// add returns the work of adding one molecule's forces to shared memory.
func add() host.Work {
	return host.Work{Flops: vector, Loads: 2 * vector, Stores: vector, Ints: 2 * vector}
}

// fetched is the first reading of positions that have come over the network.
func fetched(molecules int) host.Work {
	return host.Work{Loads: vector * int64(molecules), Stores: vector * int64(molecules), Read: vectorBytes * int64(molecules)}
}
