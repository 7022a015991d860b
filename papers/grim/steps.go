package grim

import (
	"bytes"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// cards are the generations of Tables 5.1 to 5.3, each on the host of the tables.
var cards = map[string]string{"l4": p3L4, "l9": p3L9}

// steps adds the steps of the control program: the tables set its times, sums follow.
func (r *rows) steps() {
	for card, on := range cards {
		for id, of := range map[string]func(*platform.Profile) float64{
			"t51-detect1":    func(p *platform.Profile) float64 { return p.GRIM.Firmware.Detect.Us() },
			"t51-detect8":    func(p *platform.Profile) float64 { return (p.GRIM.Firmware.Detect + 7*p.GRIM.Firmware.Channel).Us() },
			"perchan":        func(p *platform.Profile) float64 { return p.GRIM.Firmware.Channel.Us() },
			"t51-setvals":    func(p *platform.Profile) float64 { return p.GRIM.Firmware.SetValues.Us() },
			"t51-scoreboard": func(p *platform.Profile) float64 { return p.GRIM.Firmware.Scoreboard.Us() },
			"t51-decode":     func(p *platform.Profile) float64 { return p.GRIM.Firmware.Decode.Us() },
			"t51-seqcheck":   func(p *platform.Profile) float64 { return p.GRIM.Firmware.Sequence.Us() },
			"t51-capacity":   func(p *platform.Profile) float64 { return p.GRIM.Firmware.Capacity.Us() },
			"t51-acknack":    func(p *platform.Profile) float64 { return p.GRIM.Firmware.Answer.Us() },
			"t51-sum":        sum,
			"t52-ptr":        func(p *platform.Profile) float64 { return p.GRIM.Firmware.Pointer.Us() },
			"t53-cachehit":   func(p *platform.Profile) float64 { return p.GRIM.Memory.Hit.Us() },
			"t53-cachemiss":  func(p *platform.Profile) float64 { return p.GRIM.Memory.Miss.Us() },
			"t53-xlat1":      func(p *platform.Profile) float64 { return p.GRIM.Memory.Translate.Us() },
			"t53-xlat17":     func(p *platform.Profile) float64 { return (p.GRIM.Memory.Translate + 16*p.GRIM.Memory.Page).Us() },
			"t53-irq": func(p *platform.Profile) float64 {
				return (p.Host.Interrupt.Delivery + p.Host.Interrupt.Entry + p.Host.Interrupt.Return).Us()
			},
		} {
			r.Of("grim-"+id+"-"+card, "profile", r.field(on, of))
		}
		r.Of("grim-rmv-miss-"+card, "a write to a page that the cache does not have", r.extra(on, missing))
		r.Of("grim-t53-lockc-"+card, "a write with a lock whose page the cache has", r.extra(on, lockOf(true)))
		r.Of("grim-t53-lockn-"+card, "a write with a lock whose page the cache does not have", r.extra(on, lockOf(false)))
	}
	r.Of("grim-lanai-ratio", "sums of the steps", judge.Run(func(*judge.Session) judge.Measured {
		return judge.Value(sum(loaded(p3L4))/sum(loaded(p3L9)), "one channel")
	}))
	r.Of("grim-mtu", "profile", r.field(p3L4, func(p *platform.Profile) float64 { return float64(p.GRIM.MTUBytes) / 1024 }))
	r.reliability()
}

func (r *rows) field(on string, of func(*platform.Profile) float64) judge.Measure {
	return measure(func() judge.Measured { return judge.Measured{Value: of(loaded(on))} })
}

// sum is the time of all steps of Table 5.1.
func sum(p *platform.Profile) float64 {
	f := &p.GRIM.Firmware
	return (f.Detect + f.SetValues + f.Scoreboard + f.Decode + f.Sequence + f.Capacity + f.Answer).Us()
}

// remote is a testbed with two processes, the first of which writes a word into the second's
// memory.
type remote struct {
	*testbed.Testbed
	here, there *grim.Endpoint
	from, page  host.Addr
	words       byte
	locked      sim.Time
}

// extra measures what an operation adds to a write, on a testbed of its own.
func (r *rows) extra(on string, f func(*remote) float64) judge.Measure {
	spec := testbed.Spec{Platform: on, Layer: "grim", Seed: r.seed, Monitor: "off", Cold: true, Silent: true, Bytes: 4}
	return testbeds.On(spec, func(b *testbed.Testbed) judge.Measured {
		x := &remote{Testbed: b}
		x.here, x.there = b.Endpoint(0).(*grim.Endpoint), b.Endpoint(1).(*grim.Endpoint)
		x.from, x.page = x.here.Space().Alloc(4), x.there.Space().Alloc((samples+2)*host.PageBytes)
		x.there.OnLock(func(host.Addr) { x.locked = b.Engine.Now() })
		return judge.Value(f(x), "median of %d", samples)
	})
}

const samples = 15

// write writes a word with a lock. It returns when the word and the lock are in memory, µs
// from the begin.
func (x *remote) write(at, lock host.Addr, virtual bool) (word, locked float64) {
	x.words++
	value := []byte{x.words, 1, 2, 3}
	x.here.Space().WriteAt(x.from, value)
	x.locked = 0
	began := x.Engine.Now()
	x.Start(testbed.On(0, func(c *host.Context) {
		x.Keep(x.here.Write(c, x.here.Remote(x.there), x.from, at, len(value), virtual, lock, trace.Meta{}))
	}))
	there := make([]byte, len(value))
	x.Until(func() bool {
		x.there.Space().ReadAt(at, there)
		return bytes.Equal(value, there)
	})
	word = x.Engine.Now().Sub(began).Us()
	x.Until(func() bool { return x.locked > began })
	locked = x.locked.Sub(began).Us()
	x.Rest(sim.Millisecond)
	return word, locked
}

// fresh returns an address in a page that was not used before.
func (x *remote) fresh() host.Addr {
	x.page += host.PageBytes
	return x.page
}

// missing is what translation costs on a miss: the time of a write beside that of one to a
// page that the cache has, and the search that both do.
func missing(x *remote) float64 {
	return median(func() float64 {
		at := x.fresh()
		miss, _ := x.write(at, at, true)
		hit, _ := x.write(at, at, true)
		return miss - hit
	}) + loaded(x.Place.Name).GRIM.Memory.Hit.Us()
}

// lockOf measures the time from the write of the word to the write of the lock.
func lockOf(cached bool) func(*remote) float64 {
	return func(x *remote) float64 {
		return median(func() float64 {
			at := x.fresh()
			if cached {
				x.write(at, at, true)
			}
			word, locked := x.write(at, at, false)
			return locked - word
		})
	}
}

// median returns the median of the samples of f.
func median(f func() float64) float64 {
	var all []float64
	for range samples {
		all = append(all, f())
	}
	return middle(all)
}

// reliability adds the rows of numbers and answers, on testbeds that lose a packet or have a
// small FIFO.
func (r *rows) reliability() {
	lost := r.counted(testbed.Spec{Cluster: func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{{Kind: trace.Data, Nth: 3}} }})
	r.Versus("grim-rel-seq", "a stream that loses its third packet", repeats(lost), "a stream that loses none", repeats(r.counted(testbed.Spec{})))
}

// counted sends twenty messages and returns how many have come, and the counters.
func (r *rows) counted(spec testbed.Spec) judge.Experiment[stream] {
	spec.Platform, spec.Layer, spec.Seed, spec.Monitor, spec.Cold, spec.Silent, spec.Bytes = p3L4, "grim", r.seed, "off", true, true, 100
	return judge.Run(func(s *judge.Session) stream {
		return testbeds.Use(s, spec, func(b *testbed.Testbed) (out stream) {
			from, to := b.Endpoint(0), b.Endpoint(1)
			b.Play(func(c *host.Context) {
				at := from.Buffer(100)
				for range messages {
					b.Keep(from.Send(c, 1, at, 100, trace.Meta{Kind: trace.Data}))
				}
			}, func(c *host.Context) {
				for range messages {
					_, err := to.Receive(c, 0, 0, 100)
					b.Keep(err)
					out.arrived++
				}
			})
			out.sender = b.Nodes[0].Layer.(*grim.Node).Stats()
			out.receiver = b.Nodes[1].Layer.(*grim.Node).Stats()
			return out
		})
	})
}

const messages = 20

// stream is the outcome of a stream of messages.
type stream struct {
	arrived          int
	sender, receiver grim.Stats
}

// repeats states that a gap in the numbers is noticed and the scoreboard fills it.
func repeats(x judge.Experiment[stream]) judge.Measure {
	return judge.Using(x, func(s stream) judge.Measured {
		return judge.All(
			judge.Near(judge.Fig("messages received", float64(s.arrived)), judge.Limit(messages), 0),
			judge.Above(judge.Fig("NACKs for a missing number", float64(s.receiver.Nacks)), judge.Limit(0), 0),
			judge.Above(judge.Fig("packets sent again", float64(s.sender.Repeated)), judge.Limit(0), 0))
	})
}
