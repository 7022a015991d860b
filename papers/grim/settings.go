package grim

import (
	"math"
	"slices"

	"github.com/sigview/sigview/papers/judge"
)

// settings adds the sizes of the study's tests and its final settings, read back from running
// tests.
func (r *rows) settings() {
	r.Of("grim-bench-sizes", "packets of messages of 4 B, of 65,024 B and of 8 B more", judge.Run(func(s *judge.Session) judge.Measured {
		x := r.follow(s, walk{roundTrip: roundTrip{on: p3L4, face: active, mode: stored}, sizes: []int{shortBytes, nearlyMTU, nearlyMTU + 8}, gap: 10 * apart})
		if len(x.packets) != 4 || x.whole != 3 {
			return judge.Value(math.NaN(), "%d packets, %d of 3 messages whole", len(x.packets), x.whole)
		}
		return ends("grim-bench-sizes", float64(x.packets[0].bytes), float64(x.packets[1].bytes))
	}), bothEnds+" of a message of one packet")
	r.Of("grim-frag-range", "packets of 65,024 B in the shortest and in the longest fragments of the sweep", judge.Run(func(s *judge.Session) judge.Measured {
		return ends("grim-frag-range", r.fragment(s, roundTrip{on: p3L4, mode: pieces, fragment: slices.Min(swept)}, nearlyMTU),
			r.fragment(s, roundTrip{on: p3L4, mode: pieces, fragment: slices.Max(swept)}, nearlyMTU))
	}), bothEnds+" of the longest packet")
	r.Of("grim-final-range", "messages of 4 B and of 2 MB by each interface", judge.Run(func(s *judge.Session) judge.Measured {
		low, high := 0.0, math.Inf(1)
		for _, f := range []face{active, physical, virtual} {
			for _, on := range []string{p3L4, p3L9, p4L4} {
				x := r.follow(s, walk{roundTrip: roundTrip{on: on, face: f}, sizes: []int{shortBytes, most}, gap: apart})
				arrived := 0
				for _, p := range x.packets[1:] {
					arrived += p.bytes
				}
				if want := map[bool]int{true: 2, false: 1}[f == active]; x.whole != want {
					arrived = 0
				}
				low, high = max(low, float64(x.packets[0].bytes)), min(high, float64(arrived))
			}
		}
		return ends("grim-final-range", low, high)
	}), bothEnds+" of what has come")
	for card, on := range cards {
		id := "grim-final-" + card
		r.Of(id, "packets of writes of up to 256 KB", judge.Run(func(s *judge.Session) judge.Measured {
			return ends(id, r.segment(s, on)/kb, r.fragment(s, roundTrip{on: on}, 256*kb)/kb)
		}), bothEnds+": the longest power of two that is injected whole before it is sent, and the longest packet")
	}
}

const bothEnds = "the lower and the upper published figure within 10 %"

// ends is a measurement of a row with two figures. It is the upper one, or NaN unless each is
// within a tenth of its own published figure.
func ends(id string, low, high float64) judge.Measured {
	row, _ := judge.Must(judge.Published()).Row(id)
	v := high
	if math.Abs(low-row.Lo) > row.Lo/10 || math.Abs(high-row.Hi) > row.Hi/10 {
		v = math.NaN()
	}
	return judge.Value(v, "%g and %g", low, high)
}

// fragment returns the bytes of the longest packet of a write.
func (r *rows) fragment(s *judge.Session, t roundTrip, bytes int) (longest float64) {
	t.face = physical
	for _, p := range r.follow(s, walk{roundTrip: t, sizes: []int{bytes}, gap: apart}).packets {
		longest = max(longest, float64(p.bytes))
	}
	return longest
}

// segment returns the longest write, of powers of two, that does not leave before all of it is
// in the interface.
func (r *rows) segment(s *judge.Session, on string) (longest float64) {
	for n := 256; n <= 64*kb; n *= 2 {
		if x := r.follow(s, walk{roundTrip: roundTrip{on: on, face: physical}, sizes: []int{n}, gap: apart}); x.packets[0].t3 > x.returned[0] {
			longest = float64(n)
		}
	}
	return longest
}
