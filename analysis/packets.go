package analysis

import (
	"slices"

	"github.com/sigview/sigview/trace"
)

// Packets is one group of packets with its latencies: the rows of a table that differ
// in the stage only.
type Packets struct {
	trace.Group
	trace.Sizes
	Class            string
	Real             bool   // of real hosts
	After            string // the predecessor, of sequences
	Sender, Receiver int64
	Stats            []trace.Stat
}

// Count returns the number of packets: the largest count of a stage.
func (p Packets) Count() int64 {
	var n int64
	for _, s := range p.Stats {
		n = max(n, s.Count)
	}
	return n
}

// TakenNs is the time that all of them took in their stages. What is not known is not in it.
func (p Packets) TakenNs() (ns float64) {
	for _, s := range p.Stats {
		if s.Stage != trace.NetMinusLANai && s.MeanNs.OK {
			ns += float64(float64(s.Count) * s.MeanNs.Value)
		}
	}
	return ns
}

// Stat returns one latency of the packets, the zero value if there is none.
func (p Packets) Stat(stage trace.Stage) trace.Stat {
	for _, s := range p.Stats {
		if s.Stage == stage {
			return s
		}
	}
	return trace.Stat{Stage: stage}
}

// Meaningful reports whether a latency says something. Net−LANai is the time from the end
// of the insertion to the arrival less that from T2 to T3, as an idle interface has none to
// speak of. Where packets wait between T2 and T3, LANai contains it and Net does not.
func (p Packets) Meaningful(stage trace.Stage) bool {
	if stage != trace.NetMinusLANai {
		return true
	}
	s := p.Stat(stage)
	return !(s.MeanNs.OK && s.MeanNs.Value < 0) && !(LevelOf(s) == Below && LevelOf(p.Stat(trace.LANai)) == Above)
}

// meaningless says why Net−LANai has no meaning.
const meaningless = "not meaningful: packets wait between T2 and T3"

// gather joins neighbouring rows of a table that differ in the stage only.
func gather[R any](rows []R, split func(R) (Packets, trace.Stat)) []Packets {
	var out []Packets
	var last Packets
	for _, r := range rows {
		p, s := split(r)
		if n := len(out); n == 0 || p.Group != last.Group || p.Sizes != last.Sizes || p.Class != last.Class || p.After != last.After ||
			p.Sender != last.Sender || p.Receiver != last.Receiver {
			out, last = append(out, p), p
		}
		to := &out[len(out)-1]
		to.Stats = append(to.Stats, s)
	}
	return out
}

// BySize returns the packets of each size bin.
func (s Signature) BySize() []Packets {
	return gather(s.Rows, func(r trace.SignatureRow) (Packets, trace.Stat) {
		return Packets{Group: r.Group, Real: s.Real, Sizes: r.Sizes}, r.Stat
	})
}

// ByClass returns the packets of each size class.
func (s Signature) ByClass() []Packets {
	return gather(s.Classes, func(r trace.ClassRow) (Packets, trace.Stat) {
		return Packets{Group: r.Group, Real: s.Real, Sizes: r.Sizes, Class: r.Class}, r.Stat
	})
}

// BySequence returns the packets of each kind, predecessor and size class.
func (s Signature) BySequence() []Packets {
	return gather(s.Sequences, func(r trace.SequenceRow) (Packets, trace.Stat) {
		return Packets{Group: r.Group, Real: s.Real, Sizes: r.Sizes, Class: r.Class, After: r.After}, r.Stat
	})
}

// ByPair returns the packets of each sender and receiver, in each class and in all sizes.
func (s Signature) ByPair() []Packets {
	return gather(s.Pairs, func(r trace.PairRow) (Packets, trace.Stat) {
		return Packets{Group: r.Group, Real: s.Real, Class: r.Class, Sender: r.Sender, Receiver: r.Receiver}, r.Stat
	})
}

// ByKind returns each group of packets over all sizes.
func (s Signature) ByKind() []Packets {
	var out []Packets
	for _, p := range s.ByClass() {
		if n := len(out); n == 0 || out[n-1].Group != p.Group {
			out = append(out, Packets{Group: p.Group, Real: s.Real})
		}
		last := &out[len(out)-1]
		last.Stats = Pool(last.Stats, p.Stats)
	}
	return out
}

// Whole returns the rows of a tag over all kinds, with first and later packets together.
func Whole(all []Packets, tag trace.Tag) []Packets {
	return slices.DeleteFunc(slices.Clone(all), func(p Packets) bool { return p.Tag != tag || !whole(p.Group) })
}

// Doublings pools the size bins within each doubling of the size.
func Doublings(rows []Packets) []Packets {
	var out []Packets
	for _, p := range rows {
		lo, hi := int64(0), int64(32)
		for p.SizeHiBytes > hi {
			lo, hi = hi, 2*hi
		}
		for p.SizeLoBytes < lo { // a wide bin has more than one doubling
			lo /= 2
		}
		if n := len(out); n == 0 || out[n-1].SizeHiBytes != hi {
			out = append(out, Packets{Group: p.Group, Real: p.Real, Sizes: trace.Sizes{SizeLoBytes: lo, SizeHiBytes: hi}})
		}
		last := &out[len(out)-1]
		last.Stats = Pool(last.Stats, p.Stats)
	}
	return out
}
