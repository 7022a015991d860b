package testbed

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Pair are the programs that measure a layer between two nodes.
type Pair struct {
	pair    *microbench.Pair
	testbed *Testbed
}

// Pair sets up the programs between nodes i and j, for messages up to most
// bytes.
func (b *Testbed) Pair(i, j, most int) Pair {
	if !b.OK() {
		return Pair{testbed: b}
	}
	return Pair{keep[*microbench.Pair](b)(b.Cluster.Pair(i, j, most)), b}
}

// PingPong runs microbench's ping-pong.
func (p Pair) PingPong(n, rounds int) microbench.PingPong {
	return try(p, func() (microbench.PingPong, error) { return p.pair.PingPong(n, rounds) })
}

// Stream runs microbench's one-way stream.
func (p Pair) Stream(n, messages int) microbench.Stream {
	return try(p, func() (microbench.Stream, error) { return p.pair.Stream(n, messages) })
}

// Simultaneous runs microbench's streams in both directions.
func (p Pair) Simultaneous(n, messages int) [2]microbench.Stream {
	return try(p, func() ([2]microbench.Stream, error) { return p.pair.Simultaneous(n, messages) })
}

// SendGap returns microbench's time per message at the sender.
func (p Pair) SendGap(l microbench.Loop) sim.Duration {
	return try(p, func() (sim.Duration, error) { return p.pair.SendGap(l) })
}

// ReceiveGap returns microbench's time per message at the receiver.
func (p Pair) ReceiveGap(l microbench.Loop) sim.Duration {
	return try(p, func() (sim.Duration, error) { return p.pair.ReceiveGap(l) })
}

// try calls measure unless the testbed has an error, and keeps the error of measure.
func try[T any](p Pair, measure func() (T, error)) (v T) {
	if p.testbed.OK() {
		v = keep[T](p.testbed)(measure())
	}
	return v
}
