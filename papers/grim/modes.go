package grim

import (
	"fmt"

	"github.com/sigview/sigview/papers/judge"
)

// fragmentBytes is the fragment of the cut-through test, and a message of one fragment.
const fragmentBytes = 4096

// nearlyMTU is the longest packet, "nearly 64 KB".
const nearlyMTU = 65024

// modes adds the rows of store and forward, fragments and cut-through.
func (r *rows) modes() {
	r.storeAndForward()
	r.fragments()
	r.cutThrough()
	hidden := func(m mode) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			return judge.Each([]string{"l4", "l9"}, func(card string) judge.Measured {
				p := loaded(cards[card])
				saved := r.us(s, roundTrip{on: cards[card], face: active, bytes: 4, mode: serial}) - r.us(s, roundTrip{on: cards[card], face: active, bytes: 4, mode: m})
				limit := (p.GRIM.Firmware.Scoreboard + p.GRIM.Firmware.Decode).Us()
				return judge.All(
					judge.Above(judge.Fig("µs that overlap saves", saved), judge.Limit(0.1), 0),
					judge.Below(judge.Fig("µs that overlap saves", saved), judge.Limit(limit), 0))
			})
		})
	}
	r.Versus("grim-hidden", "latency with and without overlap in the firmware", hidden(pieces), "without overlap on both sides", hidden(serial))
}

// storeAndForward adds the rows of messages that pass one stage after another.
func (r *rows) storeAndForward() {
	perByte := func() float64 { // ns: bus, link, bus
		p := loaded(p3L4)
		return 2e9/float64(p.Host.IOBus) + 1e9/float64(p.Network.LinkRate)
	}
	r.Of("grim-sf-nsbyte", "rates of bus and link", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Value(perByte(), "bus, link, bus")
	}))
	r.Of("grim-sf-max", "rates of bus and link", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Value(1e3/perByte(), "1 B by each stage in turn")
	}))
	long := roundTrip{on: p3L4, face: active, bytes: nearlyMTU, mode: stored}
	r.Of("grim-sf-l4", "one packet of 65,024 B, back and forth", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Value(r.mbps(s, long), "half of a round trip is %.0f µs", r.us(s, long))
	}))
	third := func(m mode) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			t := roundTrip{on: p3L4, face: active, bytes: nearlyMTU, mode: m}
			bus := float64(loaded(p3L4).Host.IOBus) / 1e6
			return judge.Value(r.mbps(s, t)/bus, "%.1f MB/s of %.0f", r.mbps(s, t), bus)
		})
	}
	r.Versus("grim-sf-third", "store and forward", third(stored), "both cut-throughs", third(final))
	alike := func(t roundTrip) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			am, rm := t, t
			am.face, rm.face = active, physical
			return judge.All(judge.Near(judge.Fig("AM", r.mbps(s, am), "MB/s"), judge.Fig("RM-P", r.mbps(s, rm), "MB/s"), 5))
		})
	}
	r.Versus("grim-sf-am-rm", "store and forward of 65,024 B", alike(long), "the same in fragments of 512 B", alike(roundTrip{on: p3L4, bytes: nearlyMTU, mode: pieces, fragment: 512}))
}

// swept are the fragment sizes of the sweep.
var swept = []int{256, 512, 1024, 2048, 4096, 8192, 16384, 32768, nearlyMTU}

// best returns the fragment size with the highest bandwidth of a message, and all of them.
func (r *rows) best(s *judge.Session, on string, f face, bytes int) (size int, all map[int]float64, note string) {
	all = map[int]float64{}
	for _, n := range swept {
		all[n] = r.mbps(s, roundTrip{on: on, face: f, bytes: bytes, mode: pieces, fragment: n})
		note += fmt.Sprintf(" %d B %.1f,", n, all[n])
		if size == 0 || all[n] > all[size] {
			size = n
		}
	}
	return size, all, string(f) + ", MB/s by fragment:" + note[:len(note)-1]
}

// fragments adds the rows of messages cut into packets whose stages overlap.
func (r *rows) fragments() {
	r.Of("grim-frag-l4", "fragment sizes of a message of 65,024 B", judge.Run(func(s *judge.Session) judge.Measured {
		rm, _, note := r.best(s, p3L4, physical, nearlyMTU)
		am, _, other := r.best(s, p3L4, active, nearlyMTU)
		return judge.Value(float64(max(rm, am))/1024, "%s; %s", note, other)
	}))
	middle := func(bytes int) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			return judge.Each([]string{string(active), string(physical)}, func(f string) judge.Measured {
				size, all, _ := r.best(s, p3L4, face(f), bytes)
				top := judge.Fig(fmt.Sprintf("fragments of %d B", size), all[size], "MB/s")
				return judge.All(judge.Above(top, judge.Fig("of 256 B", all[256], "MB/s"), 10), judge.Above(top, judge.Fig("of 65,024 B", all[nearlyMTU], "MB/s"), 10))
			})
		})
	}
	r.Versus("grim-frag-mid", "fragment sizes of a message of 65,024 B", middle(nearlyMTU), "a message that fits into the shortest one", middle(200))
	r.Of("grim-pipe-from", "messages in fragments of 4 KB against store and forward", judge.Run(func(s *judge.Session) judge.Measured {
		last := 0
		for _, n := range []int{1024, 2048, 3072, 4096, 5120, 6144, 8192} {
			if r.us(s, roundTrip{on: p3L4, face: physical, bytes: n, mode: pieces, fragment: fragmentBytes}) > 0.98*r.us(s, roundTrip{on: p3L4, face: physical, bytes: n, mode: stored}) {
				last = n
			}
		}
		return judge.Value(float64(last)/1024, "the longest message that gains less than 2 %%")
	}))
	dips := func(falls, rises face) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			at := loaded(p3L4).GRIM.FragmentBytes
			of := func(f face, what string, bytes int) judge.Figure {
				return judge.Fig(fmt.Sprintf("%s %s one fragment", f, what), r.mbps(s, roundTrip{on: p3L4, face: f, bytes: bytes}), "MB/s")
			}
			return judge.All(judge.Below(of(falls, "just above", at+1024), of(falls, "of", at), 10),
				judge.Above(of(rises, "just above", at+1024), of(rises, "of", at), 0))
		})
	}
	r.Versus("grim-am-drop", "messages of one fragment and of 1 KB more", dips(active, physical), "the other way round", dips(physical, active))
	bottleneck := func(stages ...supposition) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			return judge.Each([]string{p3L4, p3L9}, func(on string) judge.Measured {
				t := roundTrip{on: on, face: physical, bytes: 1 << 20}
				plain := r.mbps(s, t)
				var claims []judge.Claim
				for _, stage := range stages {
					f := t
					f.suppose = stage
					claims = append(claims, judge.Above(judge.Fig("if "+string(stage), r.mbps(s, f), "MB/s"), judge.Fig("as it is", plain, "MB/s"), 15))
				}
				return judge.All(claims...)
			})
		})
	}
	r.Versus("grim-bottleneck", "the host stores twice as fast", bottleneck(fastHost), "wire and deposit are twice as fast", bottleneck(fastWire, fastDeposit))
}

// cutThrough adds the rows of packets that are passed on while they come.
func (r *rows) cutThrough() {
	with := func(s *judge.Session, m mode, bytes int, x supposition) float64 {
		return r.mbps(s, roundTrip{on: p3L4, face: physical, bytes: bytes, mode: m, fragment: fragmentBytes, suppose: x})
	}
	at := func(s *judge.Session, m mode, bytes int) float64 { return with(s, m, bytes, "") }
	ordered := func(s *judge.Session, bytes int, x supposition) judge.Measured {
		figure := func(name string, m mode) judge.Figure { return judge.Fig(name, with(s, m, bytes, x), "MB/s") }
		return judge.All(judge.Ordered(figure("none", pieces), figure("sender", sender), figure("receiver", receiver), figure("both", both)))
	}
	order := func(sizes ...int) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			m := judge.Every(sizes, "%s", "; ", func(bytes int) judge.Measured { return ordered(s, bytes, "") })
			longest := sizes[len(sizes)-1]
			m.Note += fmt.Sprintf("; %d B if %s: %s", longest, fastFetch, ordered(s, longest, fastFetch).Note)
			return m
		})
	}
	r.Versus("grim-ct-order", "messages of one fragment of 4 KB, and of 65,024 B", order(fragmentBytes, nearlyMTU), "messages of 4 B", order(4))
	gains := func(bytes int) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			none := at(s, pieces, bytes)
			return judge.All(judge.Ordered(judge.Limit(1), judge.Fig("gain of the sender's", at(s, sender, bytes)-none, "MB/s"), judge.Fig("of the receiver's", at(s, receiver, bytes)-none, "MB/s")))
		})
	}
	r.Versus("grim-ct-visible", "messages of one fragment of 4 KB", gains(fragmentBytes), "messages of 4 B", gains(4))
	r.Of("grim-ct-4seg", "the setting of the test", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Value(float64(fragmentBytes/loaded(p3L4).GRIM.SegmentBytes), "segments of %d B", loaded(p3L4).GRIM.SegmentBytes)
	}))
	r.Of("grim-ct-frag", "the setting of the test", judge.Run(func(*judge.Session) judge.Measured { return judge.Measured{Value: fragmentBytes / 1024} }))
	r.Of("grim-ct-seg", "the setting of the test", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Measured{Value: float64(loaded(p3L4).GRIM.SegmentBytes) / 1024}
	}))
}
