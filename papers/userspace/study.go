package userspace

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
)

// rows holds the checks of the paper's rows.
type rows struct {
	judge.Rows
	study study
}

// of adds a row without a counter-experiment.
func (r *rows) of(id, experiment string, t test) { r.versus(id, experiment, t, "", test{}) }

// changed adds a row whose counter-experiment is the same test on a changed pair.
func (r *rows) changed(id, experiment string, t test, c change) {
	r.versus(id, experiment, t, string(c), number(func(x *study) judge.Measured { return t.run(x.with(c)) }))
}

// versus adds a row with a counter-experiment.
func (r *rows) versus(id, experiment string, t test, counter string, c test) {
	r.Versus(id, experiment, r.measure(t), counter, r.measure(c), t.wants)
}

func (r *rows) measure(t test) judge.Measure {
	if t.run == nil {
		return nil
	}
	return judge.Run(func(s *judge.Session) judge.Measured {
		x := r.study
		x.Session = s
		return t.run(&x)
	})
}

// test measures a row. For a statement in words, wants is the criterion with all
// thresholds.
type test struct {
	wants string
	run   func(*study) judge.Measured
}

var value, holds = judge.Value, judge.Holds

// number makes a test without a criterion.
func number(run func(*study) judge.Measured) test { return test{run: run} }

// on makes a test of a testbed of a layer.
func on(layer, wants string, f func(*testbed.Testbed) judge.Measured, settings ...func(*testbed.Spec)) test {
	return test{wants, func(x *study) judge.Measured { return live(x, layer, f, settings...) }}
}

// first measures the first size for which f is true, in a unit of bytes, 0 if there
// is none. f also returns the figures behind it.
func first(sizes []int, unit float64, f func(x *study, n int) (bool, string)) test {
	return number(func(x *study) judge.Measured {
		for _, n := range sizes {
			if ok, seen := f(x, n); ok {
				return value(float64(n)/unit, "%s", seen)
			}
		}
		return value(0, "at no size")
	})
}

// each makes a test of one statement about each of some layers. f also returns the
// figures behind it.
func each(wants string, layers []string, f func(x *study, layer string) (bool, string)) test {
	return test{wants, func(x *study) judge.Measured {
		return judge.Every(layers, "%s", ", ", func(layer string) judge.Measured {
			ok, seen := f(x, layer)
			return holds(ok, "%s %s", layer, seen)
		})
	}}
}

// study is one measurement. It shares results with other measurements.
type study struct {
	*judge.Session
	seed   uint64
	change change // of the pair's platform
	shared judge.Memory
}

// with returns the study on a changed pair.
func (x *study) with(c change) *study {
	y := *x
	y.change = c
	return &y
}

// once returns the result of find for a key. It calls find once for each key and
// change.
func once[V any](x *study, find func() V, key ...any) V {
	return judge.Recall(x.shared, find, append(key, x.change)...)
}

// compared are the layers that the study measures (section 4), in the order of its
// tables.
var compared = []string{"gam", "bip", "fm", "pm", "vmmc"}

// pairPlatform is the pair of nodes that the layers were compared on.
const pairPlatform = "ppro"

// live runs f on a testbed of the pair with a layer, without a monitor unless settings
// say otherwise.
func live[T any](x *study, layer string, f func(*testbed.Testbed) T, settings ...func(*testbed.Spec)) T {
	s := testbed.Spec{
		Platform: pairPlatform, Layer: layer, Overlay: overlays.Of(string(x.change)), Seed: x.seed, Bytes: 64 << 10, Monitor: "off",
	}
	for _, set := range settings {
		set(&s)
	}
	return testbeds.Use(x.Session, s, f)
}

// place returns a layer on the pair's platform.
func (x *study) place(layer string) platform.Place {
	return judge.Must(overlays.Place(pairPlatform, layer, string(x.change)))
}

// change names an overlay of the pair's platform for counter-experiments.
type change string

// The overlays that several rows name.
const (
	unchanged  change = ""
	postedLate change = "BIP's messages by programmed I/O up to 512 B"
	hugeCache  change = "a second-level cache of 64 MB"
	wholeFirst change = "FM's packets of 8 KB, so that handlers wait for the whole message"
	stores     change = "uncombined stores"
	notAtOnce  change = "PM's packets fetched before they are sent"
	manyAtOnce change = "VMMC-2 with eight messages in progress"
	slowCopies change = "copies at four fifths of their rate"
	slowFetch  change = "programmed I/O and DMA to the interface at four fifths of their rate"
	slowWire   change = "network engines and links at four fifths of their rate"
	fastLoads  change = "loads that need no round trip of the bus"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/userspace/overlays.toml", overlayFile)

//go:embed kernel.toml
var kernelFile []byte

// kernels are a kernel's sockets on two networks.
var kernels = platform.MustOverlays("papers/userspace/kernel.toml", kernelFile)

// figures are figures of layers, or of one layer, by name.
type figures map[string]float64

// of returns the named figures.
func (f figures) of(names ...string) (v []float64) {
	for _, name := range names {
		v = append(v, f[name])
	}
	return v
}

func (f figures) least(names ...string) float64 { return slices.Min(f.of(names...)) }
func (f figures) most(names ...string) float64  { return slices.Max(f.of(names...)) }

// parameters measures O_s, O_r, L, g and RTT/2 of messages of n bytes by code
// fragments, µs. L follows from the others. It is negative if sending and receiving
// overlap.
func (x *study) parameters(layer string, n int) figures {
	return once(x, func() figures {
		r := judge.Get(x.Session, func(ctx context.Context) (logp.Result, error) {
			return measure.New(ctx, x.place(layer), x.seed).Received(n)
		})
		if !r.Os.OK() || !r.RTT.OK() || !r.G.OK() {
			x.Fail("%s, %d B, %q: %s%s%s", layer, n, x.change, r.Os.Reason, r.RTT.Reason, r.G.Reason)
		}
		p := figures{"O_s": r.Os.Value, "O_r": r.Or.Value, "g": r.G.Value, "RTT/2": r.RTT.Value / 2}
		p["L"] = p["RTT/2"] - p["O_s"] - p["O_r"]
		return p
	}, "parameters", layer, n)
}

// curve is a bandwidth test over sizes.
type curve []point

// point is the time per message and the bandwidth at a size. The time of a ping-pong
// is half a round trip.
type point struct {
	bytes  int
	us, mb float64
}

// curve measures a bandwidth test of a layer over the sizes of doubling or
// around.
func (x *study) curve(layer, program, sizes string) curve {
	return once(x, func() curve {
		place, list := x.place(layer), sizesOf(sizes)
		out := make(curve, len(list))
		return judge.Get(x.Session, func(ctx context.Context) (curve, error) {
			return out, parallel.Each(ctx, len(list), func(i int) error {
				at := len(list) - 1 - i // the longest first
				p, err := measure.Bandwidth(place, x.seed, program, list[at])
				out[at] = point{list[at], float64(list[at]) / p.MBps, p.MBps}
				if p.OneWayUs != nil {
					out[at].us = *p.OneWayUs
				}
				return err
			})
		})
	}, "curve", layer, program, sizes)
}

// Sets of sizes.
const (
	doubling = "4 B to 4 MB"
	around   = "word by word around powers of two, 64 B to 1 KB"
)

func sizesOf(set string) (out []int) {
	for n := 4; n <= experiment.MaxMessage; n *= 2 {
		switch {
		case set == doubling:
			out = append(out, n)
		case n >= 64 && n <= 1024:
			out = append(out, n-8, n-4, n, n+4, n+8)
		}
	}
	return out
}

// highest returns the highest bandwidth, MB/s.
func (c curve) highest() float64 {
	return slices.MaxFunc(c, func(a, b point) int { return cmp.Compare(a.mb, b.mb) }).mb
}

// at returns the bandwidth at a size of the curve, MB/s.
func (c curve) at(bytes int) float64 {
	return c[slices.IndexFunc(c, func(p point) bool { return p.bytes == bytes })].mb
}

// quantity is a figure of a layer.
type quantity struct {
	unit string
	of   func(x *study, layer string) float64
}

// over measures the quantity on some layers, by default on all compared ones. It also
// returns the figures in words.
func (q quantity) over(x *study, layers ...string) (figures, string) {
	f := figures{}
	var said []string
	if layers == nil {
		layers = compared
	}
	for _, layer := range layers {
		f[layer] = q.of(x, layer)
		said = append(said, fmt.Sprintf("%s %.4g", layer, f[layer]))
	}
	return f, strings.Join(said, ", ") + " " + q.unit
}

// number makes a test of a number computed from the figures of layers.
func (q quantity) number(f func(figures) float64, layers ...string) test {
	return number(func(x *study) judge.Measured {
		all, said := q.over(x, layers...)
		return value(f(all), "%s", said)
	})
}

// holds makes a test of a statement about the figures of the compared layers.
func (q quantity) holds(wants string, f func(figures) bool) test {
	return test{wants, func(x *study) judge.Measured {
		all, said := q.over(x)
		return holds(f(all), "%s", said)
	}}
}

// outermost returns the lowest figure of some layers if it is below lo, the lower end
// of a published range, and otherwise the highest.
func outermost(lo float64, layers ...string) func(figures) float64 {
	return func(f figures) float64 {
		if least := f.least(layers...); least < lo {
			return least
		}
		return f.most(layers...)
	}
}

// names lists layers.
func names(layers []string) string { return cmp.Or(strings.Join(layers, ", "), "none") }
