package grim

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// short and long messages of the trails: one fragment each.
const (
	shortBytes = 4
	longBytes  = 3000
)

// designs adds how GRIM is built, by trails of messages.
func (r *rows) designs() {
	r.path()
	r.firmware()
	r.delivery()
	r.throughput()
}

// trailed makes a measure of the trail of a walk with each of both cards.
func (r *rows) trailed(w walk, f func(*trail, *grim.Spec) judge.Measured) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Each([]string{"l4", "l9"}, func(card string) judge.Measured {
			w.on = cards[card]
			return f(r.follow(s, w), loaded(w.on).GRIM)
		})
	})
}

// one is a walk of one message on a Pentium III with LANai 4.
func one(f face, m mode, bytes int) walk {
	return walk{roundTrip: roundTrip{on: p3L4, face: f, mode: m}, sizes: []int{bytes}, gap: apart}
}

// path adds the stages, and what the interfaces have in common.
func (r *rows) path() {
	stages := func(f face) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			x := r.follow(s, one(f, stored, longBytes))
			n, note := x.stages(longBytes)
			return judge.Value(float64(n), "%s", note)
		})
	}
	const count = "moves of all of the data of a message of 3,000 B, each after the one before"
	r.Versus("grim-stages", "an active message", stages(active), "a block that is read", stages(reading), count)
	shared := func(other face) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			var xs [2]*trail
			for i, f := range []face{active, other} {
				xs[i] = r.follow(s, one(f, stored, longBytes))
			}
			same := func(what string, of func(*trail) float64) judge.Claim {
				return judge.Near(judge.Fig(what+" of AM", of(xs[0])), judge.Fig("of "+string(other), of(xs[1])), 0.1)
			}
			moves := func(x *trail) judge.Figure { return judge.Fig("host DMAs at the receiver", float64(len(x.moves[1]))) }
			return judge.All(
				same("words stored by the sender", func(x *trail) float64 { return float64(x.hosts[0].Stored) }),
				same("µs from the request to the wire", func(x *trail) float64 { return x.packets[0].t3.Sub(x.packets[0].taken).Us() }),
				same("µs on the wire", func(x *trail) float64 { return x.packets[0].t5.Sub(x.packets[0].t3).Us() }),
				judge.Above(moves(xs[0]), moves(xs[1]), 0))
		})
	}
	r.Versus("grim-shared-path", "messages of 3,000 B by AM and by RM-P", shared(physical), "AM and a block that is read", shared(reading))
	pushed := func(f face) judge.Measure {
		return r.trailed(one(f, final, 32<<10), func(x *trail, _ *grim.Spec) judge.Measured {
			pulls := 0
			for _, m := range append(x.moves[0], x.moves[1]...) {
				if m.dir == ni.ToNI {
					pulls++
				}
			}
			return judge.All(judge.Below(judge.Fig("host DMAs out of host memory that a control program has started", float64(pulls)), judge.Limit(1), 0),
				judge.Above(judge.Fig("packets", float64(len(x.packets))), judge.Limit(0), 0))
		})
	}
	r.Versus("grim-push", "a message of 32 KB", pushed(physical), "a block that is read", pushed(reading))
}

// stages counts the moves of a message's data from host to host, provided that each moves all of it
// and begins after the one before.
func (x *trail) stages(bytes int) (n int, note string) {
	at := x.called[0]
	move := func(whole bool, begin, end sim.Time, what string) {
		if !whole {
			return
		}
		if note += what + " "; begin < at {
			note += "(before the end of the one before) "
			return
		}
		n, at = n+1, end
	}
	move(host.WordBytes*int(x.hosts[0].Stored) >= bytes, x.called[0], x.returned[0], "stored by the host")
	for _, p := range x.packets {
		move(p.bytes >= bytes, p.t3, p.t5, "sent")
		for _, m := range x.moves[1-p.src] {
			move(m.dir == ni.ToHost && m.bytes >= bytes, p.t5, m.end, "deposited")
		}
	}
	move(int(x.hosts[1].Copied) >= bytes, at, at, "copied")
	return n, note
}

// firmware adds how the steps of the control programs overlap with transfers.
func (r *rows) firmware() {
	const without = "without overlap in the firmware"
	inserted := func(m mode) judge.Measure {
		return r.trailed(one(active, m, longBytes), func(x *trail, g *grim.Spec) judge.Measured {
			return judge.All(judge.Above(judge.Fig("µs that the sending handler lasts after the start of the DMA", x.packets[0].freed.Sub(x.packets[0].t3).Us()),
				judge.Fig("an insertion into the scoreboard", g.Firmware.Scoreboard.Us()), -5))
		})
	}
	r.Versus("grim-overlap-send", "a message of 3,000 B", inserted(pieces), without, inserted(serial))
	decoded := func(m mode) judge.Measure {
		return r.trailed(one(active, m, longBytes), func(x *trail, _ *grim.Spec) judge.Measured {
			p := x.packets[0]
			return judge.All(judge.Below(judge.Fig("part of the packet that has come when its header is decoded", p.decoded.Sub(p.t3).Us()/p.t5.Sub(p.t3).Us()), judge.Limit(0.1), 0))
		})
	}
	r.Versus("grim-overlap-recv", "a message of 3,000 B", decoded(pieces), without, decoded(serial))
	r.Of("grim-ack-after", "messages of 3,000 B by each interface", judge.Run(func(s *judge.Session) judge.Measured {
		return judge.Each([]string{string(active), string(physical), string(virtual)}, func(f string) judge.Measured {
			x := r.follow(s, one(face(f), final, longBytes))
			data := slices.IndexFunc(x.moves[1], func(m move) bool { return m.bytes >= longBytes })
			return judge.All(judge.Above(judge.Fig("the ACK, µs from the send", x.answers[0].Sub(x.called[0]).Us()),
				judge.Fig("the end of the data's DMA to the host", x.moves[1][data].end.Sub(x.called[0]).Us()), 0))
		})
	}))
	moving := func(m mode) judge.Measure {
		return r.trailed(one(physical, m, longBytes), func(x *trail, _ *grim.Spec) judge.Measured {
			p := x.packets[0]
			return judge.All(judge.True(p.moving, "a DMA to the host is started before the last word has come", "started: %t", p.moving),
				judge.Above(judge.Fig("its end, µs", x.moves[1][0].end.Sub(p.t3).Us()), judge.Fig("the last word", p.t5.Sub(p.t3).Us()), 0))
		})
	}
	r.Versus("grim-ct-recv", "a write of 3,000 B", moving(receiver), "without cut-through", moving(pieces))
	translated := func(m mode) judge.Measure {
		return r.trailed(one(virtual, m, longBytes), func(x *trail, _ *grim.Spec) judge.Measured {
			return judge.States(x.packets[0].translated, "the page is looked up before the last word has come", "looked up: %t", x.packets[0].translated)
		})
	}
	r.Versus("grim-rm-overlap", "a write of 3,000 B to virtual memory", translated(receiver), "without cut-through", translated(pieces))
}

// delivery adds what the endpoints of the interfaces do.
func (r *rows) delivery() {
	queued := func(f face) judge.Measure {
		return r.trailed(one(f, final, shortBytes), func(x *trail, _ *grim.Spec) judge.Measured {
			m := x.moves[1]
			if len(m) != 2 || len(x.received) == 0 {
				return judge.States(false, "a message and then a pointer are written into host memory", "%d host DMAs, %d messages received", len(m), len(x.received))
			}
			began := m[0].end
			return judge.All(
				judge.Above(judge.Fig("bytes of the message's DMA", float64(m[0].bytes)), judge.Limit(shortBytes), 0),
				judge.Near(judge.Fig("bytes of the pointer's", float64(m[1].bytes)), judge.Limit(shortBytes), 0),
				judge.Above(judge.Fig("µs from the end of the first to that of the second", m[1].end.Sub(began).Us()), judge.Limit(1), 0),
				judge.Above(judge.Fig("to the receive by the host", x.received[0].Sub(began).Us()), judge.Fig("to the end of the second", m[1].end.Sub(began).Us()), 0))
		})
	}
	r.Versus("grim-am-queue", "an active message of 4 B", queued(active), "a write of 4 B", queued(physical))
	pointed := func(order binary.ByteOrder) judge.Measure {
		return r.trailed(one(active, final, 32), func(x *trail, _ *grim.Spec) judge.Measured {
			return judge.All(judge.Near(judge.Fig("pointer in host memory", float64(order.Uint32(x.pointer[:]))), judge.Fig("bytes of the message in the queue", float64(x.moves[1][0].bytes)), 0))
		})
	}
	r.Versus("grim-am-endian", "a message of 32 B in an empty queue, read in the host's order", pointed(binary.LittleEndian), "read in the interface's", pointed(binary.BigEndian))
	r.Of("grim-rm-types", "writes and reads of remote memory, without and with a lock", judge.Run(func(s *judge.Session) judge.Measured {
		n, note := 0, ""
		for _, f := range []face{physical, virtual, reading} {
			ok, found := r.operation(s, f)
			if ok {
				n++
			}
			note += found
		}
		return judge.Value(float64(n), "%s", note)
	}), "operations that bring 3,000 B whole, by physical address, by virtual address, and from virtual memory; and one word as a lock behind them, at a virtual address of its own")
}

// operation reports whether an operation of remote memory brings its bytes as its name says, and
// a lock behind them.
func (r *rows) operation(s *judge.Session, f face) (ok bool, note string) {
	w := one(f, final, longBytes)
	x := r.follow(s, w)
	w.lock = true
	y := r.follow(s, w)
	target := 1
	if f == reading {
		target = 0
	}
	lookups := func(x *trail, node int) uint64 { return x.interfaces[node].Hits + x.interfaces[node].Misses }
	pulled := slices.ContainsFunc(x.moves[1], func(m move) bool { return m.dir == ni.ToNI })
	looked, own := lookups(x, 1) > 0, lookups(y, target)-lookups(x, target)
	words := 0
	for _, m := range y.moves[target] {
		if m.dir == ni.ToHost && m.bytes == host.WordBytes {
			words++
		}
	}
	ok = x.whole == 1 && looked == (f != physical) && pulled == (f == reading) && y.whole == 1 && y.locks == 1 && own == 1 && words == 1
	return ok, fmt.Sprintf("%s: %d of 1 whole, translated %t, fetched %t; locks behind it: %d of 1, %d translations more, %d words; ", f, x.whole, looked, pulled, y.locks, own, words)
}

// throughput adds how injections and transfers overlap.
func (r *rows) throughput() {
	together := func(m mode) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			const bytes = 8 << 10 // the host stores so many
			x := r.follow(s, one(physical, m, bytes))
			p, returned := x.packets[0], x.returned[0].Sub(x.called[0]).Us()
			segments, others := float64(bytes/loaded(p3L4).GRIM.SegmentBytes), float64(x.hosts[0].Stored)-bytes/host.WordBytes-float64(loaded(p3L4).GRIM.DescriptorWords)
			return judge.All(
				judge.Below(judge.Fig("begin of the packet, µs", p.t3.Sub(x.called[0]).Us()), judge.Fig("end of the injection", returned), 50),
				judge.Above(judge.Fig("end of the packet", p.t5.Sub(x.called[0]).Us()), judge.Fig("end of the injection", returned), 0),
				judge.Near(judge.Fig("words stored beside data and header", others), judge.Fig("segments after the first", segments-1), 0))
		})
	}
	r.Versus("grim-ct-coop", "a write of 8 KB", together(sender), "without cut-through", together(pieces))
	bubble := func(first, second int) judge.Measure {
		return judge.Run(func(s *judge.Session) judge.Measured {
			x := r.follow(s, walk{roundTrip: roundTrip{on: p3L4, face: physical, mode: pieces}, sizes: []int{first, second}})
			idle, injection := x.packets[1].t3.Sub(x.packets[0].t5).Us(), x.returned[1].Sub(x.called[1]).Us()
			return judge.All(
				judge.Above(judge.Fig("µs that the link is idle between the messages", idle), judge.Fig("the injection of the second", injection), -50),
				judge.Above(judge.Fig("begin of the second packet, µs from its call", x.packets[1].t3.Sub(x.called[1]).Us()), judge.Fig("the injection of the second", injection), 0))
		})
	}
	r.Versus("grim-pipe-bubble", "a message of 512 B and one of 16,000 B behind it", bubble(512, 16000), "two of 16,000 B", bubble(16000, 16000))
}
