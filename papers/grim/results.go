package grim

import (
	"fmt"

	"github.com/sigview/sigview/papers/judge"
)

// results adds latencies and bandwidths of the three interfaces (Table 5.4).
func (r *rows) results() {
	faces := map[string]face{"am": active, "rmp": physical, "rmv": virtual}
	for machine, on := range map[string]string{"p3l4": p3L4, "p3l9": p3L9, "p4l4": p4L4} {
		for name, f := range faces {
			r.Of("grim-t54-lat-"+machine+"-"+name, "4 B back and forth", r.latencyOf(on, f))
			if machine+name != "p3l9am" && machine+name != "p3l9rmv" { // not in the table
				r.Of("grim-t54-bw-"+machine+"-"+name, "4 KB to 2 MB back and forth", r.bandwidthOf(on, f, 1))
			}
		}
		r.Of("grim-t56-lat-"+machine+"-grim", "4 B back and forth", r.latencyOf(on, physical))
		r.Of("grim-t56-bw-"+machine+"-grim", "4 KB to 2 MB back and forth", r.bandwidthOf(on, physical, 1))
	}
	r.Of("grim-rmp-l4-text", "4 KB to 2 MB back and forth", r.bandwidthOf(p3L4, physical, 8))
	r.Of("grim-rmp-l9-text", "4 KB to 2 MB back and forth", r.bandwidthOf(p3L9, physical, 8))
	share := judge.Run(func(s *judge.Session) judge.Measured {
		rmv, _ := r.highest(s, roundTrip{on: p3L4, face: virtual})
		rmp, _ := r.highest(s, roundTrip{on: p3L4, face: physical})
		return judge.Value(100*rmv/rmp, "%.1f of %.1f MB/s", rmv, rmp)
	})
	r.Of("grim-rmv-frac", "4 KB to 2 MB back and forth", share)
	r.Of("grim-rmv-frac-d", "4 KB to 2 MB back and forth", share)
	r.Versus("grim-rmv-cause", "4 KB to 2 MB back and forth by RM-V and RM-P", r.lost(""), string(freeLookup), r.lost(freeLookup))
	r.Versus("grim-p4-vs-p3-l4", "both hosts with LANai 4", r.hostsApart(""), string(p3Host), r.hostsApart(p3Host))
	r.Versus("grim-plateau", "messages of 1 KB to 64 KB", r.plateau(p3L9), "the same with LANai 4", r.plateau(p3L4), "the size, KB, from which a doubling gains least; a plateau has a rise of more than 20 % for a doubling behind it")
}

// most is the longest message of the final measurements.
const most = 2 << 20

// latencyOf measures a latency. Two counter-experiments tell what it hinges on.
func (r *rows) latencyOf(on string, f face) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		at := func(x supposition) float64 { return r.us(s, roundTrip{on: on, face: f, bytes: 4, suppose: x}) }
		return judge.Value(at(""), "%.1f if %s, %.1f if %s", at(freeAck), freeAck, at(channels8), channels8)
	})
}

// bandwidthOf measures the highest bandwidth in units of a byte per second, or of that by bits.
// Counter-experiments tell what it hinges on.
func (r *rows) bandwidthOf(on string, f face, unit float64) judge.Measure {
	hinges := []supposition{fastHost}
	if f == virtual {
		hinges = []supposition{allMisses, oneBuffer, oneByOne}
	}
	return judge.Run(func(s *judge.Session) judge.Measured {
		top, at := r.highest(s, roundTrip{on: on, face: f})
		with := func(n int, x supposition) float64 {
			return unit * r.mbps(s, roundTrip{on: on, face: f, bytes: n, suppose: x})
		}
		note := fmt.Sprintf("at %d KB; %.1f with 2 MB, which no cache of the host holds", at/kb, with(most, ""))
		for _, x := range hinges {
			note += fmt.Sprintf("; %.1f if %s", with(at, x), x)
		}
		return judge.Value(unit*top, "%s", note)
	})
}

// highest returns the highest bandwidth of all message sizes, MB/s, and that size. The block
// that a side sends stays in its cache from one round to the next if it fits.
func (r *rows) highest(s *judge.Session, t roundTrip) (top float64, at int) {
	for t.bytes = 4 * kb; t.bytes <= most; t.bytes *= 2 {
		if v := r.mbps(s, t); v > top {
			top, at = v, t.bytes
		}
	}
	return top, at
}

// plateau returns the size in KB from which a doubling gains least, if a later doubling gains
// more than 20 %.
func (r *rows) plateau(on string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		at := func(kb int) float64 { return r.mbps(s, roundTrip{on: on, face: physical, bytes: kb << 10}) }
		flat, rises := 1, false
		note := ""
		for kb := 1; kb < 128; kb *= 2 {
			gain := at(2*kb) / at(kb)
			if note += fmt.Sprintf(", %d KB %.1f", kb, at(kb)); gain < at(2*flat)/at(flat) {
				flat, rises = kb, false
			}
			rises = rises || gain > 1.2
		}
		if !rises {
			flat = 0
		}
		return judge.Value(float64(flat), "MB/s by size%s", note)
	})
}

// lost states that RM-V loses bandwidth against RM-P with LANai 4.
func (r *rows) lost(x supposition) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Each([]string{p3L4, p4L4}, func(on string) judge.Measured {
			rmv, _ := r.highest(s, roundTrip{on: on, face: virtual, suppose: x})
			rmp, _ := r.highest(s, roundTrip{on: on, face: physical, suppose: x})
			return judge.All(judge.Below(judge.Fig("RM-V", rmv, "MB/s"), judge.Fig("RM-P", rmp, "MB/s"), 10))
		})
	})
}

// hostsApart states how the Pentium 4 compares with the Pentium III.
func (r *rows) hostsApart(x supposition) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		figures := func(on string, x supposition) (us, rmp, part float64) {
			rmp, _ = r.highest(s, roundTrip{on: on, face: physical, suppose: x})
			am, _ := r.highest(s, roundTrip{on: on, face: active, suppose: x})
			return r.us(s, roundTrip{on: on, face: physical, bytes: shortBytes, suppose: x}), rmp, am / rmp
		}
		us4, mbps4, part4 := figures(p4L4, x)
		us3, mbps3, part3 := figures(p3L4, "")
		slow, quick := judge.Fig("latency", us4, "µs"), judge.Fig("that of the Pentium III", us3, "µs")
		return judge.All(
			judge.Above(judge.Fig("bandwidth", mbps4, "MB/s"), judge.Fig("the Pentium III's", mbps3, "MB/s"), 0),
			judge.Above(slow, quick, 0), judge.Near(slow, quick, 10),
			judge.Above(judge.Fig("AM's part of RM-P's bandwidth", part4), judge.Fig("on the Pentium III", part3), 0))
	})
}
