package testbed

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Pair are the programs that measure a layer between two nodes.
type Pair struct {
	pair *microbench.Pair
	bed  *Bed
}

// Pair sets up the programs between nodes i and j, for messages up to most
// bytes.
func (b *Bed) Pair(i, j, most int) Pair {
	if !b.OK() {
		return Pair{bed: b}
	}
	return Pair{keep[*microbench.Pair](b)(b.Cluster.Pair(i, j, most)), b}
}

// PingPong is microbench's.
func (p Pair) PingPong(n, rounds int) microbench.PingPong {
	return try(p, func() (microbench.PingPong, error) { return p.pair.PingPong(n, rounds) })
}

// Stream is microbench's.
func (p Pair) Stream(n, messages int) microbench.Stream {
	return try(p, func() (microbench.Stream, error) { return p.pair.Stream(n, messages) })
}

// Simultaneous is microbench's.
func (p Pair) Simultaneous(n, messages int) [2]microbench.Stream {
	return try(p, func() ([2]microbench.Stream, error) { return p.pair.Simultaneous(n, messages) })
}

// SendGap is microbench's.
func (p Pair) SendGap(l microbench.Loop) sim.Duration {
	return try(p, func() (sim.Duration, error) { return p.pair.SendGap(l) })
}

// ReceiveGap is microbench's.
func (p Pair) ReceiveGap(l microbench.Loop) sim.Duration {
	return try(p, func() (sim.Duration, error) { return p.pair.ReceiveGap(l) })
}

// try measures unless something has failed before.
func try[T any](p Pair, measure func() (T, error)) (v T) {
	if p.bed.OK() {
		v = keep[T](p.bed)(measure())
	}
	return v
}
