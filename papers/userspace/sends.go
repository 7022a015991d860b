package userspace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// sends holds the rows of what sends and receives do, each provoked on a live
// pair.
func (r *rows) sends() {
	sync, async := []string{"gam", "bip", "fm"}, []string{"pm", "vmmc"}
	const atOnce, later = "buffer overwritten as soon as send returns: ", "overwritten a millisecond later"
	r.versus("us-sync-sends", atOnce+"gam, bip, fm", overwrites(sync, nil, 0), "the same of pm, vmmc", overwrites(async, nil, 0))
	r.versus("us-async-sends", atOnce+"pm, vmmc", overwrites(nil, async, 0), later, overwrites(nil, async, sim.Millisecond))
	r.versus("us-sync-def", atOnce+"all five", overwrites(sync, async, 0), later, overwrites(sync, async, sim.Millisecond))
	r.versus("us-pkt-am-pm", "one send of 64 KB", refuses(64<<10, "gam", "pm"), "one send of 4 KB", refuses(4<<10, "gam", "pm"))
	r.versus("us-am-send", "a request sent when the reply to the previous one has come", handles(sim.Millisecond), "before it can have come", handles(0))
	r.versus("us-vmmc-recv", "a host that waits for 1 KB", onlySpins("vmmc"), "the same on BIP", onlySpins("bip"))
	r.changed("us-bip-sync", "messages to a process that posts no receive for 200 ms", unposted, postedLate)
	r.versus("us-gam-tokens", "requests to a process that does not look for 10 ms", tokens(10*sim.Millisecond), "to one that does", tokens(0))
	r.versus("us-gam-pair", "requests and replies as they cross", pairs("gam"), "messages of PM", pairs("pm"))
	r.versus("us-vmmc-p2p", "a receive from any sender", refusesAny("vmmc"), "the same on PM", refusesAny("pm"))
	r.versus("us-t2-pio", "a send of 4 B on every layer", shortMessages("pm"), "PM counted among them", shortMessages())
}

// overwrites tests that messages of some layers arrive as sent, and those of others
// changed, when their buffers are overwritten some time after the send has returned.
func overwrites(asSent, changed []string, after sim.Duration) test {
	const n = 4096
	words := map[uint32]string{0xfeed: "as sent", 0xdead: "changed"} // the last of the message
	wants := fmt.Sprintf("as sent: %s; changed: %s", names(asSent), names(changed))
	return each(wants, slices.Concat(asSent, changed), func(x *study, layer string) (bool, string) {
		got := live(x, layer, func(b *testbed.Bed) (got string) {
			from, to := b.Mails(n)
			b.Play(func(c *host.Context) {
				c.Sleep(sim.Millisecond)
				from.Space.Store32(from.Out+n-4, 0xfeed)
				b.Keep(from.Endpoint.Send(c, 1, from.Out, n, trace.Meta{Kind: trace.Message}))
				c.Spend(after)
				from.Space.Store32(from.Out+n-4, 0xdead)
			}, func(c *host.Context) {
				m, err := to.Message(c, n)
				if b.Keep(err) {
					got = words[to.Space.Load32(m.At+n-4)]
				}
			})
			return got
		})
		return got == "changed" && slices.Contains(changed, layer) || got == "as sent" && slices.Contains(asSent, layer), got
	})
}

// refuses tests that a send of n bytes is refused by the named layers and by no
// other.
func refuses(n int, named ...string) test {
	return each("refused by "+names(named)+", by no other", compared, func(x *study, layer string) (bool, string) {
		refused := live(x, layer, func(b *testbed.Bed) (refused error) {
			end := b.Endpoint(0)
			most := cmp.Or(end.Traits().MaxBytes, n) // of a buffer
			b.Ends(func(c *host.Context) {
				refused = end.Send(c, 1, end.Buffer(min(n, most)), n, trace.Meta{Kind: trace.Message})
			})
			return refused
		})
		return (refused != nil) == slices.Contains(named, layer), map[bool]string{true: "refuses", false: "sends"}[refused != nil]
	})
}

// handles tests that sending a request handles the reply to the previous request,
// which was sent some time earlier.
func handles(earlier sim.Duration) test {
	return on("gam", "after the second of two requests, the reply to one is not handled yet", func(b *testbed.Bed) judge.Measured {
		q, open := b.Calls(), 0
		q.Serve(0, 1, 2, func(c *host.Context) {
			q.Send(c, 0, 1)
			c.Spend(earlier)
			q.Send(c, 0, 1)
			open = q.Ends[0].Outstanding()
			q.Collect(c, 0)
		})
		return holds(open == 1, "replies to %d of two requests are not handled", open)
	})
}

// onlySpins tests that a host that waits for a message does nothing but look at its
// memory.
func onlySpins(layer string) test {
	return on(layer, "the receiving host stores and loads nothing over the I/O bus and copies nothing", func(b *testbed.Bed) judge.Measured {
		b.OneMessage(1024, nil)
		s := b.Nodes[1].Host.Stats()
		return holds(s.Stored+s.Loaded+s.Copied == 0, "%d words stored, %d loaded, %d B copied", s.Stored, s.Loaded, s.Copied)
	})
}

// unposted measures the size of BIP's shortest message that is lost when no receive
// is posted, 0 when none is.
var unposted = number(func(x *study) judge.Measured {
	const messages = 20
	for _, n := range []int{4, 128, 252, 256, 260, 508, 512} {
		lost, resets := uint64(0), uint64(0)
		live(x, "bip", func(b *testbed.Bed) bool {
			from, to := b.Mails(n)
			ended := b.Ends(func(c *host.Context) {
				for k := range messages {
					_ = from.Send(c, n, uint32(k))
				}
			}, func(c *host.Context) {
				c.Sleep(200 * sim.Millisecond)
				for range messages {
					_, _ = to.Receive(c, n)
				}
			})
			lost, resets = b.Lost(), b.Net.Stats().Resets
			return ended
		})
		if lost+resets > 0 {
			return value(float64(n), "%d forward resets, %d of %d messages or parts of them lost; shorter ones wait in slots", resets, lost, messages)
		}
	}
	return value(0, "nothing lost")
})

// tokens tests that a sender that gets no replies stops after a fixed number of
// requests, and sends more when they come.
func tokens(asleep sim.Duration) test {
	const requests, late = 40, 10 * sim.Millisecond
	wants := fmt.Sprintf("some of %d requests, not all, are sent in %v, and all in the end", requests, late)
	return on("gam", wants, func(b *testbed.Bed) judge.Measured {
		q, early := b.Calls(), 0
		b.Play(func(c *host.Context) {
			for range requests {
				if q.Send(c, 0, 1); c.Now() < sim.Time(late) {
					early++
				}
			}
			q.Collect(c, 0)
		}, func(c *host.Context) {
			c.Sleep(asleep)
			q.Answer(1, requests)(c)
		})
		return holds(early > 0 && early < requests && q.Served[1] == requests, "%d of %d requests before %v, %d served", early, requests, late, q.Served[1])
	})
}

// pairs tests that each message is answered by one of its own, in order, and that
// a node has one process.
func pairs(layer string) test {
	const requests = 50
	wants := fmt.Sprintf("%d requests are handled and answered in order, and a second process of the node is refused", requests)
	return on(layer, wants, func(b *testbed.Bed) judge.Measured {
		if _, ok := b.Endpoint(0).(comm.Requester); !ok {
			return holds(false, "messages without replies")
		}
		_, second := open(b, 0, 1)
		q := b.Calls()
		var sent, handled, answered []uint32
		q.Handle(1, testbed.Counted, func(_ *host.Context, k comm.Call) [4]uint32 {
			handled = append(handled, k.Args[0])
			return k.Args
		})
		q.Ends[0].Answered(testbed.Counted, func(_ *host.Context, k comm.Call) { answered = append(answered, k.Args[0]) })
		q.Serve(0, 1, requests, func(c *host.Context) {
			for k := range uint32(requests) {
				b.Keep(q.Ends[0].Request(c, 1, testbed.Counted, [4]uint32{k}))
				sent = append(sent, k)
			}
			q.Collect(c, 0)
		})
		return holds(slices.Equal(handled, sent) && slices.Equal(answered, sent) && second != nil,
			"%d requests, %d handled, %d answered; a second process: %v", len(sent), len(handled), len(answered), second)
	})
}

// refusesAny tests that a process cannot wait for a message of any sender.
func refusesAny(layer string) test {
	return on(layer, "the receive is refused", func(b *testbed.Bed) judge.Measured {
		from, to := b.Mails(64)
		var refused error
		b.Ends(func(c *host.Context) { from.Put(c, 64, 1) },
			func(c *host.Context) { _, refused = to.Endpoint.Receive(c, comm.Anyone, 0, 64) })
		return holds(refused != nil, "the receive returns: %v", refused)
	})
}

// shortMessages tests that all layers but some send 4 B without a host DMA.
func shortMessages(but ...string) test {
	return each("no host DMA of the sender, except on: "+names(but), tabulated, func(x *study, layer string) (bool, string) {
		dma := live(x, layer, func(b *testbed.Bed) (dma bool) {
			packets := 0
			b.Tap(func(k *fabric.Packet) {
				if packets++; packets == 1 { // nothing has come back yet
					dma = b.Nodes[0].NIC.HostBusy() || moves(b, 0).dmas > 0
				}
			})
			b.OneMessage(4, nil)
			return dma
		})
		return dma == slices.Contains(but, layer), map[bool]string{true: "DMA", false: "no DMA"}[dma]
	})
}
