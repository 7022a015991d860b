package watch

import (
	"math"
	"math/bits"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// Bins of the kernel's histograms: one per ns below subBins, then subBins per doubling. The last one is open.
const (
	subBits = 5
	subBins = 1 << subBits
	numBins = subBins + 32*subBins
)

// binned are the latencies of one stage.
type binned struct {
	Sum  uint64 // ns
	Bins [numBins]uint32
}

// histogram is what the kernel counts of one sort of messages.
type histogram struct {
	Bytes  uint64
	Stages [trace.NumStages]binned
	Busy   uint64 // for the kernel
}

// sort is what the kernel tells apart: programs, protocols, doublings of the size, and directions.
type sort struct {
	program  int
	bits     int // of the size, less one
	toServer bool
	udp      bool
	packets  bool // of messages that another host counts
}

// sortOf takes a key of the kernel's map apart.
func sortOf(key uint32) sort {
	return sort{int(key >> 8 & 255), int(key >> 1 & 63), key&1 != 0, key&128 != 0, key>>16&1 != 0}
}

// nodes returns the sender and the receiver.
func (s sort) nodes() (from, to int) {
	if s.toServer {
		return 0, 1
	}
	return 1, 0
}

// kindOf returns the kind of messages over UDP, or over TCP.
func kindOf(udp bool) trace.Kind {
	if udp {
		return trace.Data
	}
	return trace.Stream
}

// binRange returns the latencies of a bin in ns: at least low, less than low+width.
func binRange(bin int) (low, width int64) {
	if bin < subBins {
		return int64(bin), 1
	}
	e := bin/subBins - 1
	return int64(subBins+bin%subBins) << e, 1 << e
}

// add merges another histogram into h.
func (h *histogram) add(o *histogram) {
	h.Bytes += o.Bytes
	for i := range h.Stages {
		h.Stages[i].add(&o.Stages[i])
	}
}

// add merges the latencies of another one into b.
func (b *binned) add(o *binned) {
	b.Sum += o.Sum
	for bin, n := range o.Bins {
		b.Bins[bin] += n
	}
}

// less takes from h what is in an earlier one.
func (h *histogram) less(o *histogram) {
	h.Bytes -= o.Bytes
	for i := range h.Stages {
		to, from := &h.Stages[i], &o.Stages[i]
		to.Sum -= from.Sum
		for b, n := range from.Bins {
			to.Bins[b] -= n
		}
	}
}

// messages returns how many are counted: those of the stage that most have.
func (h *histogram) messages() (n uint64) {
	for i := range h.Stages {
		n = max(n, h.Stages[i].total())
	}
	return n
}

// total returns how many latencies are counted.
func (b *binned) total() (n uint64) {
	for _, x := range b.Bins {
		n += uint64(x)
	}
	return n
}

// each calls f with latencies in ns and how many messages have them. Within a bin they are spread evenly, at
// most step apart, about a point that makes their sum the one that the kernel has counted.
func (b *binned) each(step int64, f func(ns int64, n int)) {
	least, room := 0.0, 0.0
	for bin, n := range b.Bins {
		low, width := binRange(bin)
		least += float64(float64(n) * float64(low))
		room += float64(float64(n) * float64(width))
	}
	if room == 0 {
		return
	}
	at := min(max((float64(b.Sum)-least)/room, 0), 1) // of each bin's width
	reach := min(at, 1-at)
	for bin, n := range b.Bins {
		if n == 0 {
			continue
		}
		low, width := binRange(bin)
		parts := max(min(int64(n/4), (width+step-1)/step), 1) // of few, parts of one number are far from it
		for i := range parts {
			place := at + float64(reach*(float64(2*i+1)/float64(parts)-1))
			f(low+int64(float64(place*float64(width))), int(int64(n)*(i+1)/parts-int64(n)*i/parts))
		}
	}
}

// Latencies are filed in at most so many bins of one width per stage.
const topBins = 4096

// leastNs is the narrowest bin.
const leastNs = 10

// widths returns for each stage a width of bins by which all but one latency in a thousand lie in the lower
// half of them.
func widths(all map[sort]*histogram) (ns [trace.NumStages]int64) {
	for stage := range ns {
		var sum binned
		for _, h := range all {
			for b, n := range h.Stages[stage].Bins {
				sum.Bins[b] += n
			}
		}
		bin, all := 0, sum.total()
		for below := uint64(sum.Bins[0]); bin < numBins-1 && below < all-all/1000; below += uint64(sum.Bins[bin]) {
			bin++
		}
		low, width := binRange(bin)
		ns[stage] = min(max((low+width)/(topBins/2), leastNs), 1e9)
	}
	return ns
}

// squaresFit reports whether sums of squares of latencies in ns fit 64 bits, as a bank needs for standard deviations.
func squaresFit(all map[sort]*histogram) bool {
	for stage := range trace.NumStages {
		sum := 0.0
		for _, h := range all {
			for bin, n := range h.Stages[stage].Bins {
				low, width := binRange(bin)
				sum += float64(float64(n) * float64(low+width) * float64(low+width))
			}
		}
		if sum > math.MaxInt64 {
			return false
		}
	}
	return true
}

// Messages beyond this size are filed as this long.
const mostBytes = 1 << 16

// filed is the size, in bytes, as which its messages are filed.
func (h *histogram) filed() int { return int(min(h.Bytes/max(h.messages(), 1), mostBytes)) }

// banks files the histograms of programs with the numbers 0 to programs-1 in those of the two nodes.
func banks(all map[sort]*histogram, programs int) (*histo.Snapshot, error) {
	spec := histo.Spec{
		BudgetBytes: 1 << 30, TickHz: 1e9, Tags: programs, Nodes: 2, Kinds: []trace.Kind{trace.Stream, trace.Data},
		MaxBytes: mostBytes, SizeBytes: mostBytes / 128, LatencyNs: widths(all), LatencyTop: topBins, Dims: histo.AllDims &^ histo.SumsBySequence, Variance: squaresFit(all),
	}
	layout, err := histo.Plan(spec)
	if err != nil {
		return nil, err
	}
	nodes := []*histo.Bank{histo.New(layout), histo.New(layout)}
	for s, h := range all {
		if h.messages() == 0 {
			continue
		}
		from, to := s.nodes()
		bytes := h.filed()
		for i := range h.Stages {
			stage, at, peer := trace.Stage(i), from, to
			if stage == trace.Net || stage == trace.Dest {
				at, peer = to, from
			}
			h.Stages[i].each(spec.LatencyNs[i], func(ns int64, n int) {
				for range n {
					nodes[at].Record(histo.Packet{Tag: trace.Tag(s.program), Kind: kindOf(s.udp), Bytes: bytes, Peer: peer}, stage, ns)
				}
			})
		}
	}
	return histo.Together(nodes)
}

// count adds one latency in ns.
func (b *binned) count(ns uint64) {
	bin := int(ns)
	if e := bits.Len64(ns) - 1; ns >= subBins {
		bin = min(subBins+(e-subBits)*subBins+int(ns>>(e-subBits))-subBins, numBins-1)
	}
	b.Bins[bin]++
	b.Sum += ns
}
