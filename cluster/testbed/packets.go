package testbed

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/sim/fabric"
)

// Tap calls see for every packet when its injection begins.
func (b *Testbed) Tap(see func(*fabric.Packet)) {
	b.Net.DropWhen(func(p *fabric.Packet) bool {
		see(p)
		return false
	})
}

// Hurt damages the k-th data packet that node 0 sends.
func (b *Testbed) Hurt(k int) {
	n := 0
	b.Tap(func(p *fabric.Packet) {
		if p.Src == 0 && p.Header.Meta.Kind.CarriesRequest() {
			if n++; n == k {
				p.CRCError = true
			}
		}
	})
}

// Snapshot ends recording and returns the merged histograms of all nodes. They are
// empty after an error.
func (b *Testbed) Snapshot() *histo.Snapshot {
	s, err := histo.Merge(b.Snapshots()...)
	if !b.Keep(err) {
		return &histo.Snapshot{}
	}
	return s
}

// Moments returns the moments of one latency over all nodes. Recording continues.
func (b *Testbed) Moments(q histo.Query) histo.Moments {
	s := b.Snapshot()
	if !b.OK() {
		return histo.Moments{}
	}
	b.Record()
	return keep[histo.Moments](b)(s.Moments(q))
}

// Reset empties all histograms.
func (b *Testbed) Reset() {
	for _, n := range b.Nodes {
		if n.Monitor != nil {
			n.Monitor.Reset()
		}
	}
}

// Count returns a counter of a node's layer, 0 if the layer has none of the name.
func (b *Testbed) Count(node int, name string) uint64 {
	n, _ := b.counter(node, name)
	return n
}

func (b *Testbed) counter(node int, name string) (n uint64, ok bool) {
	for _, k := range b.Nodes[node].Layer.Counts() {
		if k.Name == name {
			return k.N, true
		}
	}
	return 0, false
}

// Lost returns how many messages and packets all nodes have lost for good.
func (b *Testbed) Lost() (n uint64) {
	for _, node := range b.Nodes {
		for _, k := range node.Layer.Counts() {
			if k.Loss {
				n += k.N
			}
		}
	}
	return n
}
