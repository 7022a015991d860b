package history

import (
	"math/rand/v2"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Faults is a sort of faults of the network.
type Faults uint8

// Sorts of faults.
const (
	Healthy Faults = iota
	BitErrors
	LostAcks
	LostPackets
	Stalls // too short for a reset of the network
	Resets // stalls that are long enough
	DeadLinks
	Mixed
	NumFaults
)

var faultNames = names.NewEnum[Faults]("faults", "none", "bit errors", "lost acknowledgements", "lost packets", "stalls", "resets", "dead links", "mixed")

func (f Faults) String() string { return faultNames.Name(f) }

// draw returns random faults of a sort.
func (f Faults) draw(rng *rand.Rand, nodes int) (s fabric.Faults) {
	if f == Mixed {
		for g := BitErrors; g < Mixed; g++ {
			if rng.IntN(2) == 0 {
				g.add(rng, nodes, &s)
			}
		}
		return s
	}
	f.add(rng, nodes, &s)
	return s
}

func (f Faults) add(rng *rand.Rand, nodes int, s *fabric.Faults) {
	switch f {
	case BitErrors:
		s.ErrorPerByte = portable.Pow(10, -6+3*rng.Float64())
		if rng.IntN(8) == 0 {
			s.BurstBytes = 2 + rng.IntN(30)
		}
	case LostAcks:
		s.DropAck = 0.3 * rng.Float64()
	case LostPackets:
		for range 1 + rng.IntN(3) {
			s.Drops = append(s.Drops, fabric.Drop{
				Kind: trace.Kind(rng.IntN(int(trace.NumKinds))), Nth: 1 + uint64(rng.IntN(20)), Count: 1 + uint64(rng.IntN(3)),
			})
		}
	case Stalls, Resets:
		long := 2 * sim.Millisecond
		if f == Resets {
			long = 150 * sim.Millisecond
		}
		for range 1 + rng.IntN(3) {
			s.Stalls = append(s.Stalls, fabric.Stall{
				Node: rng.IntN(nodes), At: sim.Time(rng.Int64N(int64(5 * sim.Millisecond))), For: 1 + sim.Duration(rng.Int64N(int64(long))),
			})
		}
	case DeadLinks:
		from := rng.IntN(nodes)
		to := (from + 1 + rng.IntN(nodes-1)) % nodes
		s.Breaks = append(s.Breaks, fabric.Break{From: from, To: to, At: sim.Time(rng.Int64N(int64(3 * sim.Millisecond)))})
	}
}

// FaultWords are the names of the sorts.
func FaultWords() names.Words { return faultNames.Words() }
