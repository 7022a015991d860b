package userspace

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/testbed"
)

// compared are the layers that were measured side by side (section 4), in the
// order of the study's tables.
var compared = []string{"gam", "bip", "fm", "pm", "vmmc"}

// rows are the checks.
type rows struct {
	judge.Rows
	study study
}

// of adds a row without a counter-experiment.
func (r *rows) of(id, experiment string, t test) { r.versus(id, experiment, t, "", test{}) }

// changed adds a row whose counter-experiment is the same on a changed platform.
func (r *rows) changed(id, experiment string, t func(change) test, c change) {
	r.versus(id, experiment, t(unchanged), string(c), t(c))
}

// versus adds a row with a counter-experiment.
func (r *rows) versus(id, experiment string, t test, counter string, c test) {
	check := judge.Check{Experiment: experiment, Measure: r.measure(t), Counter: counter, Criterion: t.wants}
	if c.run != nil {
		check.CounterMeasure = r.measure(c)
	}
	r.Add(id, check)
}

func (r *rows) measure(t test) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		x := r.study
		x.Session = s
		return t.run(&x)
	})
}

// test measures what a row states. A statement in words has wants, its
// criterion.
type test struct {
	wants string
	run   func(*study) judge.Measured
}

var value, holds = judge.Value, judge.Holds

// number makes a test without a criterion.
func number(run func(*study) judge.Measured) test { return test{run: run} }

// on makes a test of a bed of the pair.
func on(s testbed.Spec, wants string, f func(*testbed.Bed) judge.Measured) test {
	return test{wants, func(x *study) judge.Measured { return live(x, s, f) }}
}

// each makes a test of a statement about each of some layers. f also tells the
// figures of a layer.
func each(wants string, layers []string, f func(x *study, layer string) (bool, string)) test {
	return test{wants, func(x *study) judge.Measured {
		return judge.Every(layers, "%s", ", ", func(layer string) judge.Measured {
			ok, seen := f(x, layer)
			return holds(ok, "%s %s", layer, seen)
		})
	}}
}

// study is one measurement, with what the measurements before it found.
type study struct {
	*judge.Session
	seed   uint64
	shared map[any]any
}

// once returns what find finds for a key, which runs once for all rows.
func once[V any](x *study, key any, find func() V) V {
	if v, found := x.shared[key]; found {
		return v.(V)
	}
	v := find()
	x.shared[key] = v
	return v
}

// pairPlatform is the pair of nodes that the layers were compared on.
const pairPlatform = "ppro"

// pair is a bed of the pair without a monitor.
func pair(layer string, v change) testbed.Spec {
	return testbed.Spec{Layer: layer, Overlay: overlays.Of(string(v)), Bytes: 64 << 10, Monitor: "off"}
}

// live uses a bed of the pair.
func live[T any](x *study, s testbed.Spec, f func(*testbed.Bed) T) T {
	s.Platform, s.Seed = pairPlatform, x.seed
	return beds.Use(x.Session, s, f)
}

// place is a layer on the changed pair.
func (x *study) place(layer string, v change) platform.Place {
	p, err := overlays.Place(pairPlatform, layer, string(v))
	x.Check(err)
	return p
}

// change names an overlay of the pair's platform, which takes one mechanism
// away or moves it, for counter-experiments.
type change string

// The overlays that several rows name.
const (
	unchanged   change = ""
	postedLate  change = "BIP's messages by programmed I/O up to 512 B"
	hugeCache   change = "a second-level cache of 64 MB"
	wholeFirst  change = "FM's packets of 8 KB, so that handlers wait for the whole message"
	stores      change = "stores that are not combined"
	notAtOnce   change = "PM's packets fetched before they are sent"
	manyAtOnce  change = "VMMC-2 with eight messages in progress"
	slowCopies  change = "copies at four fifths of their rate"
	slowFetch   change = "programmed I/O and DMA to the interface at four fifths of their rate"
	slowWire    change = "network engines and links at four fifths of their rate"
	slowDeposit change = "DMA to the host at four fifths of its rate"
	fastLoads   change = "loads that need no round trip of the bus"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/userspace/overlays.toml", overlayFile)

// parameters are the LogP parameters of one message size, µs. L follows from
// the others even where it is below zero: sending and receiving then overlap.
type parameters struct{ os, or, l, g, half float64 }

// parameters measures messages of n bytes by code fragments.
func (x *study) parameters(layer string, n int, v change) parameters {
	type key struct {
		layer  string
		n      int
		change change
	}
	return once(x, key{layer, n, v}, func() parameters {
		r := judge.Get(x.Session, func(ctx context.Context) (logp.Result, error) {
			return measure.New(ctx, x.place(layer, v), x.seed).Received(n)
		})
		if !r.Os.OK() || !r.RTT.OK() || !r.G.OK() {
			x.Fail("%s, %d B, %q: %s%s%s", layer, n, v, r.Os.Reason, r.RTT.Reason, r.G.Reason)
		}
		p := parameters{os: r.Os.Value, g: r.G.Value, half: r.RTT.Value / 2}
		if r.Or.OK() {
			p.or = r.Or.Value
		}
		p.l = p.half - p.os - p.or
		return p
	})
}

// sizes is a set of message sizes.
type sizes string

const (
	doubling sizes = "4 B to 4 MB"
	words    sizes = "word by word up to 128 B"
	around   sizes = "word by word around powers of two, 64 B to 1 KB"
)

func (s sizes) list() (out []int) {
	switch s {
	case doubling:
		for n := 4; n <= experiment.MaxMessage; n *= 2 {
			out = append(out, n)
		}
	case words:
		for n := 4; n <= 128; n += 4 {
			out = append(out, n)
		}
	case around:
		for n := 64; n <= 1024; n *= 2 {
			out = append(out, n-8, n-4, n, n+4, n+8)
		}
	}
	return out
}

// curve is a bandwidth test over sizes.
type curve []point

// point is the time per message, of a ping-pong half a round trip, and the
// bandwidth at a size.
type point struct {
	bytes  int
	us, mb float64
}

// curve measures a bandwidth test of a layer.
func (x *study) curve(layer, test string, s sizes, v change) curve {
	type key struct {
		layer, test string
		sizes       sizes
		change      change
	}
	return once(x, key{layer, test, s, v}, func() curve {
		place, list := x.place(layer, v), s.list()
		out := make(curve, len(list))
		return judge.Get(x.Session, func(ctx context.Context) (curve, error) {
			return out, measure.Parallel(ctx, len(list), func(i int) error {
				at := len(list) - 1 - i // the longest first
				n := list[at]
				p, err := measure.Bandwidth(place, x.seed, test, n)
				out[at] = point{n, float64(n) / p.MBps, p.MBps}
				if p.OneWayUs != nil {
					out[at].us = *p.OneWayUs
				}
				return err
			})
		})
	})
}

// highest is the highest bandwidth, MB/s.
func (c curve) highest() (mb float64) {
	for _, p := range c {
		mb = max(mb, p.mb)
	}
	return mb
}

// at is the bandwidth at a size, NaN when it was not measured.
func (c curve) at(bytes int) float64 {
	for _, p := range c {
		if p.bytes == bytes {
			return p.mb
		}
	}
	return math.NaN()
}

// quantity is a figure of a layer.
type quantity struct {
	unit string
	of   func(x *study, layer string, v change) float64
}

// figures are those of layers.
type figures map[string]float64

// over measures the quantity on some layers, and tells all figures.
func (q quantity) over(x *study, layers []string, v change) (figures, string) {
	f := figures{}
	var said []string
	for _, layer := range layers {
		f[layer] = q.of(x, layer, v)
		said = append(said, fmt.Sprintf("%s %.4g", layer, f[layer]))
	}
	return f, strings.Join(said, ", ") + " " + q.unit
}

// number makes a test of a number that follows from the figures of some layers.
func (q quantity) number(layers []string, f func(figures) float64) test {
	return number(func(x *study) judge.Measured {
		all, said := q.over(x, layers, unchanged)
		return value(f(all), "%s", said)
	})
}

// holds makes a test of a statement about the figures of the compared layers.
func (q quantity) holds(wants string, f func(figures) bool) func(change) test {
	return func(v change) test {
		return test{wants, func(x *study) judge.Measured {
			all, said := q.over(x, compared, v)
			return holds(f(all), "%s", said)
		}}
	}
}

// least and most are over some layers.
func (f figures) least(layers ...string) float64 {
	v := math.Inf(1)
	for _, layer := range layers {
		v = min(v, f[layer])
	}
	return v
}

func (f figures) most(layers ...string) float64 {
	v := math.Inf(-1)
	for _, layer := range layers {
		v = max(v, f[layer])
	}
	return v
}

// outermost is that figure of some layers that lies outside a published range
// from lo on, or else the highest.
func outermost(lo float64, layers ...string) func(figures) float64 {
	return func(f figures) float64 {
		if least := f.least(layers...); least < lo {
			return least
		}
		return f.most(layers...)
	}
}

// sizeName writes a number of bytes.
func sizeName(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
