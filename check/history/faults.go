package history

import (
	"math/rand/v2"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
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
	Outages     // links that are down for a time
	PauseStorms // a node is paused, or pauses its switch; without pause frames it is a stall
	Mixed
	FewBuffers // of processes, and few tries: of layers that have a receive queue
	NumFaults
)

var faultNames = names.NewEnum[Faults]("faults", "none", "bit errors", "lost acknowledgements", "lost packets", "stalls", "resets", "dead links", "outages", "pause storms", "mixed", "few buffers")

// String returns the name.
func (f Faults) String() string { return faultNames.Name(f) }

// draw returns random faults of a sort in a network.
func (f Faults) draw(rng *rand.Rand, network *fabric.Spec, nodes int) (s fabric.Faults) {
	if f == Mixed {
		for g := BitErrors; g < Mixed; g++ {
			if rng.IntN(2) == 0 {
				g.add(rng, network, nodes, &s)
			}
		}
		return s
	}
	f.add(rng, network, nodes, &s)
	return s
}

func (f Faults) add(rng *rand.Rand, network *fabric.Spec, nodes int, s *fabric.Faults) {
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
		s.Stalls = append(s.Stalls, times(rng, nodes, long)...)
	case DeadLinks:
		from := rng.IntN(nodes)
		to := (from + 1 + rng.IntN(nodes-1)) % nodes
		s.Breaks = append(s.Breaks, fabric.Break{From: from, To: to, At: sim.Time(rng.Int64N(int64(3 * sim.Millisecond)))})
	case Outages:
		s.Outages = append(s.Outages, times(rng, nodes, spell(rng))...)
	case PauseStorms:
		if network.Pauses() && rng.IntN(2) == 0 {
			s.Storms = append(s.Storms, times(rng, nodes, spell(rng))...)
		} else {
			s.Stalls = append(s.Stalls, times(rng, nodes, spell(rng))...)
		}
	}
}

// spell returns a time from 10 µs to 1 s: shorter than any layer waits for an answer, or longer than it tries.
func spell(rng *rand.Rand) sim.Duration {
	return sim.Microseconds(portable.Pow(10, 1+5*rng.Float64()))
}

// times returns random times of nodes, not longer than one.
func times(rng *rand.Rand, nodes int, most sim.Duration) (all []fabric.Stall) {
	for range 1 + rng.IntN(3) {
		all = append(all, fabric.Stall{
			Node: rng.IntN(nodes), At: sim.Time(rng.Int64N(int64(5 * sim.Millisecond))), For: 1 + sim.Duration(rng.Int64N(int64(most))),
		})
	}
	return all
}

// starve leaves processes few buffers, and few tries to those that find none.
func (f Faults) starve(rng *rand.Rand, p *platform.Profile) {
	if v := p.Verbs; f == FewBuffers && v != nil {
		v.ReceiveDepth, v.NotReadyRetries = 1+rng.IntN(3), rng.IntN(8)
	}
}

// FaultWords are the names of the sorts.
func FaultWords() names.Words { return faultNames.Words() }
