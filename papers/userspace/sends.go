package userspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// sends holds the rows of what sends and receives do, each provoked on a
// running pair.
func (r *rows) sends() {
	l := r.comparison
	sync, async := []string{"gam", "bip", "fm"}, []string{"pm", "vmmc"}
	r.Versus("us-sync-sends", "buffer overwritten as soon as send returns: "+strings.Join(sync, ", "), l.overwrites(sync, nil, 0),
		"the same of "+strings.Join(async, ", "), l.overwrites(async, nil, 0))
	r.Versus("us-async-sends", "buffer overwritten as soon as send returns: "+strings.Join(async, ", "), l.overwrites(nil, async, 0),
		"overwritten a millisecond later", l.overwrites(nil, async, sim.Millisecond))
	r.Versus("us-sync-def", "buffer overwritten as soon as send returns: all five", l.overwrites(sync, async, 0),
		"overwritten a millisecond later", l.overwrites(sync, async, sim.Millisecond))
	r.Versus("us-pkt-am-pm", "one send of 64 KB, which GAM and PM refuse", l.refuses(64<<10, "gam", "pm"),
		"one send of 4 KB", l.refuses(4<<10, "gam", "pm"))
	r.Versus("us-am-send", "a request when the reply to the one before has come", l.handles(sim.Millisecond),
		"before it can have come", l.handles(0))
	r.Versus("us-vmmc-recv", "a host that waits for 1 KB", l.onlySpins("vmmc"), "the same on BIP", l.onlySpins("bip"))
	unposted := func(v change) judge.Measure {
		return judge.Plain(func() (judge.Measured, error) { return l.unposted(v) })
	}
	r.Versus("us-bip-sync", "messages to a process that announces nothing for 200 ms", unposted(unchanged), string(postedLate), unposted(postedLate))
	r.Versus("us-gam-tokens", "requests to a process that does not look", l.tokens(false), "to one that does", l.tokens(true))
	r.Versus("us-gam-pair", "requests and replies as they cross", l.pairs("gam"), "messages of PM", l.pairs("pm"))
	r.Versus("us-vmmc-p2p", "a receive for whoever sends", l.anyone("vmmc"), "the same on PM", l.anyone("pm"))
}

const (
	kept    = 0xfeed // the last word of a message as it was sent
	changed = 0xdead // and as it is overwritten
)

// overwritten tells whether a message of a page arrives changed when its buffer
// is overwritten so long after the send has returned.
func (l *comparison) overwritten(layer string, after sim.Duration) (bool, error) {
	p, err := l.pair(layer, unchanged)
	if err != nil {
		return false, err
	}
	defer p.Engine.Close()
	const n = 4096
	a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
	var failed error
	var got uint32
	posted := false
	_, err = p.try(
		func(c *host.Context) {
			for !posted {
				c.Spend(10 * sim.Microsecond)
			}
			a.Space.Store32(a.out+n-4, kept)
			failed = errors.Join(failed, a.Endpoint.Send(c, 1, a.out, n, trace.Meta{Kind: trace.Message}))
			if after > 0 {
				c.Spend(after)
			}
			a.Space.Store32(a.out+n-4, changed)
		},
		func(c *host.Context) {
			t := b.Endpoint.Traits()
			if t.PostFrom > 0 {
				failed = errors.Join(failed, b.Endpoint.Post(c, 0, b.in, n))
			}
			posted = true
			into := b.in
			if t.InPlace {
				into = 0
			}
			m, e := b.Endpoint.Receive(c, 0, into, n)
			failed = errors.Join(failed, e)
			got = b.Space.Load32(m.At + n - 4)
		})
	if err = errors.Join(err, failed); err == nil && got != kept && got != changed {
		err = fmt.Errorf("%s: the last word is %#x", layer, got)
	}
	return got == changed, err
}

// overwrites tells whether the messages of some layers arrive as they were
// when they were sent, and those of others do not.
func (l *comparison) overwrites(safe, unsafe []string, after sim.Duration) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		ok := true
		var said []string
		for i, layers := range [][]string{safe, unsafe} {
			for _, layer := range layers {
				hit, err := l.overwritten(layer, after)
				if err != nil {
					return judge.Measured{}, err
				}
				ok = ok && hit == (i == 1)
				said = append(said, layer+map[bool]string{true: " changed", false: " as sent"}[hit])
			}
		}
		return holds(ok, "%s", strings.Join(said, ", ")), nil
	})
}

// refuses tells whether a send of n bytes is refused by the named layers and
// by no other.
func (l *comparison) refuses(n int, named ...string) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		var by []string
		for _, layer := range compared {
			p, err := l.pair(layer, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			a, b := p.procs[0].Endpoint, p.procs[1].Endpoint
			t := a.Traits()
			takes := t.MaxBytes == 0 || t.MaxBytes >= n // else there is nothing to receive, and no buffer of n
			from, into := a.Buffer(4096), p.procs[1].Space.Alloc(int64(n))
			if takes {
				from = a.Buffer(n)
			}
			var refused error
			_, err = p.try(
				func(c *host.Context) {
					c.Sleep(sim.Millisecond)
					refused = a.Send(c, 1, from, n, trace.Meta{Kind: trace.Message})
				},
				func(c *host.Context) {
					if t.PostFrom > 0 {
						_ = b.Post(c, 0, into, n)
					}
					if t.InPlace {
						into = 0
					}
					if takes {
						_, _ = b.Receive(c, 0, into, n)
					}
				})
			p.Engine.Close()
			if err != nil {
				return judge.Measured{}, err
			}
			if refused != nil {
				by = append(by, layer)
			}
		}
		return holds(slices.Equal(by, named), "refused by: %s", strings.Join(by, ", ")), nil
	})
}

// handles tells whether a request handles the reply to the one before, which
// was sent so much earlier.
func (l *comparison) handles(earlier sim.Duration) judge.Measure {
	return l.live("gam", unchanged, func(p *livePair) (judge.Measured, error) {
		q, peer := p.procs[0].Endpoint.(comm.Requester), p.procs[1].Endpoint.(comm.Requester)
		open := 0
		var failed error
		_, err := p.try(
			func(c *host.Context) {
				failed = q.Request(c, 1, 1, [4]uint32{})
				if earlier > 0 {
					c.Spend(earlier)
				}
				failed = errors.Join(failed, q.Request(c, 1, 1, [4]uint32{}))
				open = q.Outstanding()
				for q.Outstanding() > 0 {
					q.Wait(c)
				}
			},
			func(c *host.Context) { peer.Wait(c); peer.Wait(c) })
		return holds(open == 1, "%d of two requests without a handled reply after the second", open), errors.Join(err, failed)
	})
}

// onlySpins tells whether a host that waits for a message does nothing but look
// at its memory: it tells the interface nothing, loads nothing over the I/O bus and
// copies nothing.
func (l *comparison) onlySpins(layer string) judge.Measure {
	return l.live(layer, unchanged, func(p *livePair) (judge.Measured, error) {
		const n = 1024
		a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
		var failed error
		_, err := p.try(
			func(c *host.Context) {
				c.Sleep(sim.Millisecond)
				failed = errors.Join(failed, a.send(c, n, 1))
			},
			func(c *host.Context) {
				number, e := b.receive(c, n)
				if failed = errors.Join(failed, e); number != 1 {
					failed = errors.Join(failed, fmt.Errorf("message %d", number))
				}
			})
		s := p.Nodes[1].Host.Stats()
		return holds(s.Stored == 0 && s.Loaded == 0 && s.Copied == 0, "%d words stored, %d loaded, %d B copied by the receiving host",
			s.Stored, s.Loaded, s.Copied), errors.Join(err, failed)
	})
}

// unposted is the shortest of BIP's messages that gets lost when the receiver
// has announced nothing as it comes.
func (l *comparison) unposted(v change) (judge.Measured, error) {
	for _, n := range []int{4, 128, 252, 256, 260, 508, 512} {
		p, err := l.pair("bip", v)
		if err != nil {
			return judge.Measured{}, err
		}
		const messages = 20
		a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
		_, err = p.try(
			func(c *host.Context) {
				for k := range messages {
					if e := a.send(c, n, uint32(k)); e != nil {
						return
					}
				}
			},
			func(c *host.Context) {
				c.Sleep(200 * sim.Millisecond)
				for range messages {
					if _, e := b.receive(c, n); e != nil {
						return
					}
				}
			})
		gone, resets := lost(p.Cluster), p.Net.Stats().Resets
		p.Engine.Close()
		if err != nil {
			return judge.Measured{}, err
		}
		if gone > 0 || resets > 0 {
			return value(float64(n), "%d forward resets, %d of %d messages or parts of them lost; shorter ones wait in slots", resets, gone, messages), nil
		}
	}
	return value(0, "nothing lost up to 512 B"), nil
}

// tokens tells whether a sender that gets no replies stops after a fixed number
// of requests, and goes on when they come.
func (l *comparison) tokens(looking bool) judge.Measure {
	return l.live("gam", unchanged, func(p *livePair) (judge.Measured, error) {
		q, peer := p.procs[0].Endpoint.(comm.Requester), p.procs[1].Endpoint.(comm.Requester)
		const requests, late = 40, 10 * sim.Millisecond
		early, done := 0, 0
		var failed error
		_, err := p.try(
			func(c *host.Context) {
				for range requests {
					if failed = q.Request(c, 1, 1, [4]uint32{}); failed != nil {
						return
					}
					if done++; c.Now() < sim.Time(late) {
						early++
					}
				}
				for q.Outstanding() > 0 {
					q.Wait(c)
				}
			},
			func(c *host.Context) {
				if !looking {
					c.Sleep(late)
				}
				for n := 0; n < requests; {
					n += peer.Poll(c)
					c.Spend(sim.Microsecond)
				}
			})
		return holds(early > 0 && early < requests && done == requests, "%d of %d requests before the first reply could come", early, requests), errors.Join(err, failed)
	})
}

// pairs tells whether each message is answered by one of its own, in order, and
// the node has one process.
func (l *comparison) pairs(layer string) judge.Measure {
	return l.live(layer, unchanged, func(p *livePair) (judge.Measured, error) {
		q, ok := p.procs[0].Endpoint.(comm.Requester)
		if !ok {
			return holds(false, "messages without replies"), nil
		}
		peer := p.procs[1].Endpoint.(comm.Requester)
		_, second := p.Nodes[0].Layer.Open(host.NewSpace("second", p.Nodes[0].Frames), 1)
		const requests = 50
		next, replies, swaps := uint32(0), 0, 0
		var failed error
		peer.Handle(1, func(_ *host.Context, x comm.Call) [4]uint32 {
			if x.Args[0] != next {
				swaps++
			}
			next++
			return x.Args
		})
		q.Answered(1, func(_ *host.Context, x comm.Call) {
			if x.Args[0] != uint32(replies) {
				swaps++
			}
			replies++
		})
		_, err := p.try(
			func(c *host.Context) {
				for k := range uint32(requests) {
					failed = errors.Join(failed, q.Request(c, 1, 1, [4]uint32{k}))
				}
				for q.Outstanding() > 0 {
					q.Wait(c)
				}
			},
			func(c *host.Context) {
				for next < requests {
					peer.Wait(c)
				}
			})
		return holds(replies == requests && next == requests && swaps == 0 && second != nil,
			"%d requests handled, %d replies, %d out of order; a second process: %v", next, replies, swaps, second), errors.Join(err, failed)
	})
}

// anyone tells whether a process cannot wait for whoever sends.
func (l *comparison) anyone(layer string) judge.Measure {
	return l.live(layer, unchanged, func(p *livePair) (judge.Measured, error) {
		a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
		var refused, failed error
		_, err := p.try(
			func(c *host.Context) { failed = a.send(c, 64, 1) },
			func(c *host.Context) { _, refused = b.Endpoint.Receive(c, comm.Anyone, 0, 64) })
		return holds(refused != nil, "%v", refused), errors.Join(err, failed)
	})
}
