package histo

import (
	"fmt"
	"testing"

	"github.com/sigview/sigview/trace"
)

// requestKinds are the packets of shared virtual memory, and plain data.
func requestKinds() []trace.Kind {
	var kinds []trace.Kind
	for k := trace.Data; k <= trace.Flag; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

func published(tags, nodes int) Spec {
	s := Published()
	s.Tags, s.Nodes, s.Kinds = tags, nodes, requestKinds()
	return s
}

type sample struct {
	p     Packet
	stage trace.Stage
	ticks int64
}

// traffic is a fixed mixture of small control packets and pages.
func traffic(s Spec, n int) []sample {
	list := make([]sample, n)
	x := uint64(1)
	next := func(below int) int {
		x = x*6364136223846793005 + 1442695040888963407
		return int(x >> 33 % uint64(below))
	}
	for i := range list {
		size := []int{16, 32, 64, 100, 4096, 4096, next(s.MaxBytes + 1)}[next(7)]
		list[i] = sample{
			Packet{Tag: trace.Tag(next(s.Tags)), Kind: s.Kinds[next(len(s.Kinds))], Bytes: size, Peer: next(s.Nodes)},
			trace.Stage(next(stages)), int64(next(33 * 300)),
		}
	}
	return list
}

func BenchmarkRecord(b *testing.B) {
	for _, c := range []struct {
		tags, nodes int
		variance    bool
	}{{1, 8, false}, {1, 8, true}, {4, 8, false}, {1, 64, false}} {
		b.Run(fmt.Sprintf("tags=%d/nodes=%d/variance=%t", c.tags, c.nodes, c.variance), func(b *testing.B) {
			spec := published(c.tags, c.nodes)
			spec.Variance = c.variance
			l, err := Plan(spec)
			if err != nil {
				b.Fatal(err)
			}
			bank, list := New(l), traffic(spec, 4096)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				t := &list[i&4095]
				bank.Record(t.p, t.stage, t.ticks)
				i++
			}
		})
	}
}

func BenchmarkSnapshotMerge(b *testing.B) {
	spec := published(1, 8)
	l, err := Plan(spec)
	if err != nil {
		b.Fatal(err)
	}
	bank := New(l)
	for _, t := range traffic(spec, 4096) {
		bank.Record(t.p, t.stage, t.ticks)
	}
	for b.Loop() {
		if _, err := Merge(bank.Snapshot(0), bank.Snapshot(1)); err != nil {
			b.Fatal(err)
		}
	}
}
