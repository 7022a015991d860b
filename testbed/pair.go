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
func (p Pair) PingPong(n, rounds int) (r microbench.PingPong) {
	if p.bed.OK() {
		r = keep[microbench.PingPong](p.bed)(p.pair.PingPong(n, rounds))
	}
	return r
}

// Stream is microbench's.
func (p Pair) Stream(n, messages int) (r microbench.Stream) {
	if p.bed.OK() {
		r = keep[microbench.Stream](p.bed)(p.pair.Stream(n, messages))
	}
	return r
}

// Simultaneous is microbench's.
func (p Pair) Simultaneous(n, messages int) (r [2]microbench.Stream) {
	if p.bed.OK() {
		r = keep[[2]microbench.Stream](p.bed)(p.pair.Simultaneous(n, messages))
	}
	return r
}

// SendGap is microbench's.
func (p Pair) SendGap(l microbench.Loop) (d sim.Duration) {
	if p.bed.OK() {
		d = keep[sim.Duration](p.bed)(p.pair.SendGap(l))
	}
	return d
}

// ReceiveGap is microbench's.
func (p Pair) ReceiveGap(l microbench.Loop) (d sim.Duration) {
	if p.bed.OK() {
		d = keep[sim.Duration](p.bed)(p.pair.ReceiveGap(l))
	}
	return d
}
