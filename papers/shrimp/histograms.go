package shrimp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// coarse is a budget into which the published bins do not fit.
const coarse = 4 << 10

func tight(s *histo.Spec) { s.BudgetBytes = coarse }

// histograms holds the rows of what the monitor keeps and how finely.
func (r *rows) histograms() {
	const counter = "a budget of 4 KB"
	r.Versus("sh-mon-mem", "SRAM with and without the monitor", r.memoryKB(0), "a budget of 512 KB, with the SRAM for it", r.memoryKB(512))
	r.Versus("sh-mon-dims", "two senders, two receivers, two sizes", r.dimensions(nil),
		"sums over sizes alone", r.dimensions(func(s *histo.Spec) { s.Dims = 0 }))
	r.Versus("sh-bin-len", "a message of every length", r.lengthWords(nil), counter, r.lengthWords(tight))
	for _, s := range []struct {
		id    string
		stage trace.Stage
	}{{"src", trace.Source}, {"lanai", trace.LANai}, {"dest", trace.Dest}, {"net", trace.Net}} {
		r.Versus("sh-bin-"+s.id, "bins of recorded packets", r.latencyUs(s.stage, nil), counter, r.latencyUs(s.stage, tight))
	}
	r.Versus("sh-bins-d", "latency bins that 180 KB hold", binsPerRow(nil), "half the budget", binsPerRow(func(s *histo.Spec) { s.BudgetBytes /= 2 }))
	r.Versus("sh-fig2", "packets over size and Source", r.joint(nil),
		"histograms without latency bins by size", r.joint(func(s *histo.Spec) { s.Dims &^= histo.LatencyBySize }))
	r.Versus("sh-lim-mem", "layout for the FFT", r.coarsened(0), "16 MB of SRAM, half of it for histograms", r.coarsened(16<<20))
}

// memoryKB is the SRAM that the histograms of a live monitor take.
func (r *rows) memoryKB(budgetKB int) judge.Measure {
	spec := testbed.Spec{Nodes: 8, Cold: true, Kinds: svm.Kinds(), Profile: func(p *platform.Profile) {
		if budgetKB > 0 {
			p.Monitor.HistogramBytes = budgetKB << 10
			p.NI.SRAMBytes += budgetKB << 10
		}
	}}
	return r.bed(spec, func(b *testbed.Bed) judge.Measured {
		s := b.Nodes[0].NIC.Spec()
		return value(float64(b.Layout.Bytes())/1024, "%.1f %% of SRAM", 100*float64(b.Layout.Bytes())/float64(s.SRAMBytes))
	})
}

// dimensions asks for counts by size, sender, receiver and latency of traffic
// that is known.
func (r *rows) dimensions(layout func(*histo.Spec)) judge.Measure {
	return r.bed(testbed.Spec{Nodes: 4, Layout: layout}, func(b *testbed.Bed) judge.Measured {
		b.Run(
			b.Each(0, 2, testbed.Same(64, 3), testbed.Quiet), b.Each(1, 2, testbed.Same(64, 5), testbed.Quiet),
			b.Each(2, 3, testbed.Same(1024, 7), testbed.Quiet), b.Each(3, 2, testbed.Same(1024, 11), testbed.Quiet),
		)
		s := b.Snapshot()
		if s.Layout().Spec().Dims&(histo.Pairs|histo.LatencyBySize) == 0 {
			return holds(false, "neither pairs of nodes nor latencies are kept apart")
		}
		ok := true
		for _, want := range []struct {
			pair  histo.Pair
			count uint64
		}{{histo.Pair{Sender: 0, Receiver: 2}, 3}, {histo.Pair{Sender: 1, Receiver: 2}, 5}, {histo.Pair{Sender: 2, Receiver: 3}, 7}, {histo.Pair{Sender: 3, Receiver: 2}, 11}, {histo.Pair{Sender: 0, Receiver: 3}, 0}} {
			for stage := range trace.NumStages {
				m, err := s.Pair(want.pair, histo.Query{Stage: stage})
				b.Keep(err)
				ok = ok && m.Count == want.count
			}
		}
		text := ""
		for _, size := range []int{64, 1024} {
			q := histo.Query{Stage: trace.Dest, Sizes: histo.Range{LoBytes: size - 32, HiBytes: size}}
			d, err := s.Distribution(q)
			if !b.Keep(err) {
				break
			}
			p50, err := d.Percentile(0.5)
			b.Keep(err)
			ok = ok && d.Count == map[int]uint64{64: 8, 1024: 18}[size]
			text += fmt.Sprintf(", %d of %d B with median Dest %.1f µs", d.Count, size, p50.Ns/1000)
		}
		return holds(ok, "each pair of nodes with its own count%s", text)
	})
}

// lengthWords is how many lengths, in words, fall into one size bin; NaN when
// bins differ.
func (r *rows) lengthWords(layout func(*histo.Spec)) judge.Measure {
	return r.bed(testbed.Spec{Layout: layout}, func(b *testbed.Bed) judge.Measured {
		const upTo = 1024
		var sizes []int
		for n := 4; n <= upTo; n += 4 {
			sizes = append(sizes, n)
		}
		b.Run(b.Each(0, 1, sizes, testbed.Quiet))
		words, bins := math.NaN(), 0
		for _, bin := range b.Layout.Bins() {
			if bin.HiBytes > upTo {
				break
			}
			m := b.Moments(histo.Query{Stage: trace.Source, Sizes: bin})
			if bins > 0 && words != float64(m.Count) {
				return value(math.NaN(), "bins hold %g and %d lengths", words, m.Count)
			}
			words = float64(m.Count)
			bins++
		}
		return value(words, "lengths up to %d B in %d bins", upTo, bins)
	})
}

// latencyUs is the width of the bins that latencies of one stage were
// recorded in.
func (r *rows) latencyUs(stage trace.Stage, layout func(*histo.Spec)) judge.Measure {
	return r.bed(testbed.Spec{Layout: layout}, func(b *testbed.Bed) judge.Measured {
		b.Run(b.Each(0, 1, testbed.Mixed(100), 20*sim.Microsecond))
		s := b.Snapshot()
		width, n := int64(0), uint64(0)
		for bin := range s.Bins() {
			if bin.Stage != stage || bin.ByKind || bin.Open {
				continue
			}
			if w := bin.HiNs - bin.LoNs; n > 0 && w != width {
				return value(math.NaN(), "bins of %d and %d ns", width, w)
			}
			width = bin.HiNs - bin.LoNs
			n += bin.Count
		}
		return value(float64(width)/1000, "%d packets in such bins", n)
	})
}

// binsPerRow is how many latency bins a budget gives to each of the 128
// lengths and four latencies of one program, when neither nodes nor kinds are
// kept apart.
func binsPerRow(change func(*histo.Spec)) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		spec := histo.Published()
		spec.Tags, spec.Nodes, spec.Kinds, spec.Dims = 1, 8, []trace.Kind{trace.Data}, histo.LatencyBySize
		if change != nil {
			change(&spec)
		}
		bins, used := 0, 0
		for spec.LatencyTop = 16; spec.LatencyTop <= 256; spec.LatencyTop++ {
			l, err := histo.Plan(spec)
			if err != nil {
				return judge.Measured{}, err
			}
			if len(l.Notes()) > 0 {
				break
			}
			bins, used = spec.LatencyTop, l.Bytes()
		}
		return value(float64(bins), "%d of %d B", used, spec.BudgetBytes), nil
	})
}

// joint tells whether packets can be counted over size and Source together.
func (r *rows) joint(layout func(*histo.Spec)) judge.Measure {
	return r.bed(testbed.Spec{Layout: layout}, func(b *testbed.Bed) judge.Measured {
		const messages = 200
		b.Run(b.Each(0, 1, testbed.Mixed(messages), 20*sim.Microsecond))
		s := b.Snapshot()
		sizes, cells, count := map[int64]bool{}, 0, int64(0)
		for _, h := range analysis.Histograms(s) {
			if h.Stage == trace.Source && h.Kind == trace.AllKinds {
				sizes[h.SizeLoBytes] = true
				cells++
				count += h.Count
			}
		}
		return holds(count == messages && len(sizes) > 3 && cells > 2*len(sizes),
			"%d packets in %d cells of %d sizes", count, cells, len(sizes))
	})
}

// coarsened tells whether SRAM forces the FFT's histograms to be coarser than
// asked for.
func (r *rows) coarsened(sram int) judge.Measure {
	spec := testbed.Spec{Nodes: 8, Cold: true, Kinds: svm.Kinds(), Profile: func(p *platform.Profile) {
		if sram > 0 {
			p.NI.SRAMBytes, p.Monitor.HistogramBytes = sram, sram/2
		}
	}}
	return r.bed(spec, func(b *testbed.Bed) judge.Measured {
		notes := b.Layout.Notes()
		if len(notes) == 0 {
			return holds(false, "%d KB hold everything asked for", b.Layout.Bytes()>>10)
		}
		return holds(true, "%d coarsenings: %s", len(notes), notes[0])
	})
}
