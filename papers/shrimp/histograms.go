package shrimp

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// histograms holds the rows of what the monitor keeps and how finely.
func (r *rows) histograms() {
	tight := testbed.Spec{Layout: func(s *histo.Spec) { s.BudgetBytes = 4 << 10 }}
	const budget = "a budget of 4 KB"
	r.beds("sh-bin-len", "a message of every length", testbed.Spec{}, budget, tight, lengthWords)
	for id, stage := range map[string]trace.Stage{"src": trace.Source, "lanai": trace.LANai, "dest": trace.Dest, "net": trace.Net} {
		r.beds("sh-bin-"+id, "bins of recorded packets", testbed.Spec{}, budget, tight, latencyUs(stage))
	}
	r.beds("sh-mon-dims", "two senders, two receivers, two sizes", testbed.Spec{Nodes: 4},
		"sums over sizes alone", testbed.Spec{Nodes: 4, Layout: func(s *histo.Spec) { s.Dims = 0 }}, dimensions)
	r.beds("sh-fig2", "packets over size and Source", testbed.Spec{},
		"histograms without latency bins by size", testbed.Spec{Layout: func(s *histo.Spec) { s.Dims &^= histo.LatencyBySize }}, joint)
	r.Versus("sh-bins-d", "latency bins that 180 KB hold", binsPerRow(1), "half the budget", binsPerRow(2))
	eight := testbed.Spec{Nodes: 8, Cold: true, Kinds: svm.Kinds()}
	r.overlaid("sh-mon-mem", "SRAM with and without the monitor", eight, "a budget of 512 KB, with the SRAM for it", memoryKB)
	r.overlaid("sh-lim-mem", "layout for the FFT", eight, "16 MB of SRAM, half of it for histograms", coarsened)
}

// lengthWords is how many lengths, in words, fall into one size bin; NaN when
// bins differ.
func lengthWords(b *testbed.Bed) judge.Measured {
	const upTo = 1024
	var sizes []int
	for n := 4; n <= upTo; n += 4 {
		sizes = append(sizes, n)
	}
	b.Run(b.Each(0, 1, sizes, testbed.Quiet))
	var words []float64
	for _, bin := range b.Layout.Bins() {
		if bin.HiBytes <= upTo {
			words = append(words, float64(b.Moments(histo.Query{Stage: trace.Source, Sizes: bin}).Count))
		}
	}
	return value(same(words), "lengths up to %d B in %d bins", upTo, len(words))
}

// same is what all of some numbers are, NaN when they differ.
func same(of []float64) float64 {
	if len(slices.Compact(of)) != 1 {
		return math.NaN()
	}
	return of[0]
}

// latencyUs is the width of the bins that latencies of one stage were recorded
// in.
func latencyUs(stage trace.Stage) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		b.Run(b.Each(0, 1, testbed.Mixed(100), 20*sim.Microsecond))
		var widths []float64
		n := uint64(0)
		for bin := range b.Snapshot().Bins() {
			if bin.Stage == stage && !bin.ByKind && !bin.Open {
				widths = append(widths, float64(bin.HiNs-bin.LoNs)/1000)
				n += bin.Count
			}
		}
		return value(same(widths), "%d packets in such bins", n)
	}
}

// dimensions asks for counts by size, sender, receiver and latency of traffic
// that is known.
func dimensions(b *testbed.Bed) judge.Measured {
	traffic := []struct{ from, to, size, count int }{{0, 2, 64, 3}, {1, 2, 64, 5}, {2, 3, 1024, 7}, {3, 2, 1024, 11}, {0, 3, 64, 0}}
	var programs []testbed.Program
	bySize := map[int]uint64{}
	for _, t := range traffic {
		programs = append(programs, b.Each(t.from, t.to, testbed.Same(t.size, t.count), testbed.Quiet))
		bySize[t.size] += uint64(t.count)
	}
	b.Run(programs...)
	s := b.Snapshot()
	if s.Layout().Spec().Dims&(histo.Pairs|histo.LatencyBySize) == 0 {
		return holds(false, "neither pairs of nodes nor latencies are kept apart")
	}
	ok, text := true, ""
	for _, t := range traffic {
		for stage := range trace.NumStages {
			m, err := s.Pair(histo.Pair{Sender: t.from, Receiver: t.to}, histo.Query{Stage: stage})
			ok = ok && b.Keep(err) && m.Count == uint64(t.count)
		}
	}
	for _, size := range []int{64, 1024} {
		d, err := s.Distribution(histo.Query{Stage: trace.Dest, Sizes: histo.Range{LoBytes: size - 32, HiBytes: size}})
		if !b.Keep(err) {
			break
		}
		p50, err := d.Percentile(0.5)
		ok = ok && b.Keep(err) && d.Count == bySize[size]
		text += fmt.Sprintf(", %d of %d B with median Dest %.1f µs", d.Count, size, p50.Ns/1000)
	}
	return holds(ok, "each pair of nodes with its own count%s", text)
}

// joint tells whether packets can be counted over size and Source together.
func joint(b *testbed.Bed) judge.Measured {
	const messages = 200
	b.Run(b.Each(0, 1, testbed.Mixed(messages), 20*sim.Microsecond))
	sizes, cells, count := map[int64]bool{}, 0, int64(0)
	for _, h := range analysis.Histograms(b.Snapshot()) {
		if h.Stage == trace.Source && h.Kind == trace.AllKinds {
			sizes[h.SizeLoBytes] = true
			cells++
			count += h.Count
		}
	}
	return holds(count == messages && len(sizes) > 3 && cells > 2*len(sizes), "%d packets in %d cells of %d sizes", count, cells, len(sizes))
}

// binsPerRow is how many latency bins a part of the budget gives to each of the
// 128 lengths and four latencies of one program, when neither nodes nor kinds
// are kept apart.
func binsPerRow(part int) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		spec := histo.Published()
		spec.Tags, spec.Nodes, spec.Kinds, spec.Dims = 1, 8, []trace.Kind{trace.Data}, histo.LatencyBySize
		spec.BudgetBytes /= part
		bins, used := 0, 0
		for spec.LatencyTop = 16; spec.LatencyTop <= 256; spec.LatencyTop++ {
			l, err := histo.Plan(spec)
			s.Check(err)
			if len(l.Notes()) > 0 {
				break
			}
			bins, used = spec.LatencyTop, l.Bytes()
		}
		return value(float64(bins), "%d of %d B", used, spec.BudgetBytes)
	})
}

// memoryKB is the SRAM that the histograms of a live monitor take.
func memoryKB(b *testbed.Bed) judge.Measured {
	bytes := float64(b.Layout.Bytes())
	return value(bytes/1024, "%.1f %% of SRAM", 100*bytes/float64(b.Nodes[0].NIC.Spec().SRAMBytes))
}

// coarsened tells whether SRAM forces histograms to be coarser than asked for.
func coarsened(b *testbed.Bed) judge.Measured {
	notes := b.Layout.Notes()
	return holds(len(notes) > 0, "%d KB for histograms, coarser than asked for: %v", b.Layout.Bytes()>>10, notes)
}
