package userspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// designs holds the rows of the designs of layers.
func (r *rows) designs() {
	for id, d := range map[string]struct{ layer, other, words string }{
		"us-fm-design":   {"fm", "pm", "model Send/Recv, ctl Combined, multi No, ovf Prevented, err Catastrophic"},
		"us-pm-design":   {"pm", "fm", "model Send/Recv, multi Yes, ovf Tolerated, err Catastrophic"},
		"us-vmmc-design": {"vmmc", "pm", "model Direct Deposit, inter Yes, multi Yes, ovf Impossible, err Tolerated, rel Firmware"},
		"us-bip-design":  {"bip", "fm", "model Send/Recv, ctl Data Only, inter No, multi No, ovf Data Loss, err Catastrophic"},
		"us-vmmc-rel":    {"vmmc", "amii", "rel Firmware"},
		"us-vmmc-sync":   {"vmmc", "pm", "model Direct Deposit"},
	} {
		r.versus(id, "cells of Tables 1 and 2 for "+d.layer, shows(d.layer, d.words), "the same on "+d.other, shows(d.other, d.words))
	}
	r.changed("us-fm-overlap", "the receiving host when the send of 4 KB returns", overlap, wholeFirst)
	r.versus("us-pm-dma", "host DMAs and copies for 4 B", onlyDMA("pm"), "the same on VMMC-2", onlyDMA("vmmc"))
	r.changed("us-pm-immediate", "the engines when the injection of 4 KB begins", immediate, notAtOnce)
	r.versus("us-pm-copy", "stream of 8 KB between pinned buffers", inPlace(true), "between buffers in ordinary memory", inPlace(false))
}

// shows tests that the experiments of some columns give these words for a layer.
func shows(layer, words string) test {
	return test{words, func(x *study) judge.Measured {
		var said []string
		for _, word := range strings.Split(words, ", ") {
			name, _, _ := strings.Cut(word, " ")
			said = append(said, name+" "+x.find(name, layer).word)
		}
		got := strings.Join(said, ", ")
		return holds(got == words, "%s", got)
	}}
}

// overlap tests that FM's receiver has copied part of a message when its send
// returns.
var overlap = on("fm", "part of the message is copied, but not all", func(b *testbed.Testbed) judge.Measured {
	var copied uint64
	b.OneMessage(4096, func() { copied = moves(b, 1).copied })
	return holds(copied > 0 && copied < 4096, "%d of 4096 B copied by the handler", copied)
})

// onlyDMA tests that a short message is moved by DMA at both ends and copied at
// neither.
func onlyDMA(layer string) test {
	return on(layer, "host DMAs on both nodes, nothing copied", func(b *testbed.Testbed) judge.Measured {
		b.OneMessage(4, nil)
		out, in := moves(b, 0), moves(b, 1)
		return holds(out.dmas > 0 && in.dmas > 0 && out.copied+in.copied == 0, "%d host DMAs at the sender, %d at the receiver, %d B copied",
			out.dmas, in.dmas, out.copied+in.copied)
	})
}

// immediate tests that the interface starts to send a message while it still fetches
// it.
var immediate = on("pm", "one packet, and the H engine is busy when its injection begins", func(b *testbed.Testbed) judge.Measured {
	busy, seen := 0, 0
	b.Tap(func(k *fabric.Packet) {
		if k.Src == 0 && k.Header.Meta.Kind == trace.Message {
			if seen++; b.Nodes[0].NIC.HostBusy() {
				busy++
			}
		}
	})
	b.OneMessage(4096, nil)
	return holds(seen == 1 && busy == 1, "%d packets, the H engine busy at %d", seen, busy)
})

// inPlace tests that a stream on PM copies nothing and is as fast as on the layers
// without a copy.
func inPlace(pinned bool) test {
	const n, messages = 8192, 200
	wants := fmt.Sprintf("nothing copied, %d to %d MB/s", zeroCopyFrom, zeroCopyTo)
	return on("pm", wants, func(b *testbed.Testbed) judge.Measured {
		out, in := b.Endpoint(0).Buffer(n), host.Addr(0)
		if !pinned {
			out, in = b.Process(0).Space.Alloc(n), b.Process(1).Space.Alloc(n)
		}
		_, took := stream(b, messages, n, out, in)
		copied := moves(b, 0).copied + moves(b, 1).copied
		mb := n * messages / took.Us()
		return holds(copied == 0 && mb >= zeroCopyFrom && mb <= zeroCopyTo, "%.1f MB/s, %d of %d B copied", mb, copied, n*messages)
	})
}

// sends holds the rows of what sends and receives do, each tested on a live pair.
func (r *rows) sends() {
	sync, async := []string{"gam", "bip", "fm"}, []string{"pm", "vmmc"}
	const atOnce, later = "buffer overwritten as soon as send returns: ", "overwritten a millisecond later"
	r.versus("us-sync-sends", atOnce+"gam, bip, fm", overwrites(sync, nil, 0), "the same of pm, vmmc", overwrites(async, nil, 0))
	r.versus("us-async-sends", atOnce+"pm, vmmc", overwrites(nil, async, 0), later, overwrites(nil, async, sim.Millisecond))
	r.versus("us-sync-def", atOnce+"all five", overwrites(sync, async, 0), later, overwrites(sync, async, sim.Millisecond))
	r.versus("us-pkt-am-pm", "one send of 64 KB", refuses(64<<10, "gam", "pm"), "one send of 4 KB", refuses(4<<10, "gam", "pm"))
	r.versus("us-am-send", "a request sent when the reply to the previous one has come", handles(sim.Millisecond), "before it can have come", handles(0))
	r.versus("us-vmmc-recv", "a host that waits for 1 KB", onlySpins("vmmc"), "the same on BIP", onlySpins("bip"))
	r.versus("us-bip-sync", "messages to a process that posts no receive for 200 ms", unposted(200*sim.Millisecond), "to one that posts at once", unposted(0))
	r.versus("us-gam-tokens", "requests to a process that does not poll for 10 ms", tokens(10*sim.Millisecond), "to one that polls", tokens(0))
	r.versus("us-gam-pair", "requests and replies as they cross", pairs("gam"), "messages of PM", pairs("pm"))
	r.versus("us-vmmc-p2p", "a receive from any sender", refusesAny("vmmc"), "the same on PM", refusesAny("pm"))
	r.versus("us-t2-pio", "a send of 4 B on every layer", storedBut(4, "pm"), "a send of 4 KB", storedBut(4096, "pm"))
}

// overwrites tests which layers deliver a message as sent, and which a changed one,
// when its buffer is overwritten some time after the send has returned.
func overwrites(asSent, changed []string, after sim.Duration) test {
	const n = 4096
	words := map[uint32]string{0xfeed: "as sent", 0xdead: "changed"} // by the last word of the message
	wants := fmt.Sprintf("as sent: %s; changed: %s", names(asSent), names(changed))
	return each(wants, slices.Concat(asSent, changed), func(x *study, layer string) (bool, string) {
		got := live(x, layer, func(b *testbed.Testbed) (got string) {
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

// refuses tests that a send of n bytes is refused by the named layers only.
func refuses(n int, named ...string) test {
	return each("refused by "+names(named)+" only", compared, func(x *study, layer string) (bool, string) {
		refused := live(x, layer, func(b *testbed.Testbed) (refused error) {
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
	return on("gam", "after the second of two requests, one reply is not handled yet", func(b *testbed.Testbed) judge.Measured {
		q, open := b.Calls(), 0
		q.Serve(0, 1, 2, func(c *host.Context) {
			q.Send(c, 0, 1)
			c.Spend(earlier)
			q.Send(c, 0, 1)
			open = q.Ends[0].Outstanding()
			q.Collect(c, 0)
		})
		return holds(open == 1, "%d of two replies are not handled", open)
	})
}

// onlySpins tests that a host that waits for a message only polls its own memory.
func onlySpins(layer string) test {
	return on(layer, "the receiving host uses no programmed I/O and copies nothing", func(b *testbed.Testbed) judge.Measured {
		b.OneMessage(1024, nil)
		s := b.Nodes[1].Host.Stats()
		return holds(s.Stored+s.Loaded+s.Copied == 0, "%d words stored, %d loaded, %d B copied", s.Stored, s.Loaded, s.Copied)
	})
}

// unposted measures the size of BIP's shortest message that is lost if no receive is
// posted for some time, 0 if none is lost.
func unposted(asleep sim.Duration) test {
	const messages = 20
	return first([]int{4, 128, 252, 256, 260, 508, 512}, 1, func(x *study, n int) (bool, string) {
		lost := live(x, "bip", func(b *testbed.Testbed) [2]uint64 {
			from, to := b.Mails(n)
			b.Ends(func(c *host.Context) {
				for k := range messages {
					_ = from.Send(c, n, uint32(k))
				}
			}, func(c *host.Context) {
				c.Sleep(asleep)
				for range messages {
					_, _ = to.Receive(c, n)
				}
			})
			return [2]uint64{b.Net.Stats().Resets, b.Lost()}
		})
		return lost != [2]uint64{}, fmt.Sprintf("%d forward resets, %d packets of %d messages lost; shorter messages wait in slots", lost[0], lost[1], messages)
	})
}

// tokens tests that a sender without replies stops after some requests, and sends
// more when replies arrive.
func tokens(asleep sim.Duration) test {
	const requests, late = 40, 10 * sim.Millisecond
	wants := fmt.Sprintf("some of %d requests, but not all, are sent in %v; all are served in the end", requests, late)
	return on("gam", wants, func(b *testbed.Testbed) judge.Measured {
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

// pairs tests that each request has its own reply, in order, and that a node can have
// only one process.
func pairs(layer string) test {
	const requests = 50
	wants := fmt.Sprintf("%d requests are handled and answered in order, and a second process of the node is refused", requests)
	return on(layer, wants, func(b *testbed.Testbed) judge.Measured {
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
	return on(layer, "the receive is refused", func(b *testbed.Testbed) judge.Measured {
		from, to := b.Mails(64)
		var refused error
		b.Ends(func(c *host.Context) { from.Put(c, 64, 1) },
			func(c *host.Context) { _, refused = to.Endpoint.Receive(c, comm.Anyone, 0, 64) })
		return holds(refused != nil, "error of the receive: %v", refused)
	})
}

// storedBut tests that all layers but some send a message without a host DMA.
func storedBut(bytes int, but ...string) test {
	return each("no host DMA of the sender, except on: "+names(but), tabulated, func(x *study, layer string) (bool, string) {
		dma := live(x, layer, func(b *testbed.Testbed) (dma bool) {
			packets := 0
			b.Tap(func(k *fabric.Packet) {
				if packets++; packets == 1 { // nothing has come back yet
					dma = b.Nodes[0].NIC.HostBusy() || moves(b, 0).dmas > 0
				}
			})
			b.OneMessage(bytes, nil)
			return dma
		})
		return dma == slices.Contains(but, layer), map[bool]string{true: "DMA", false: "no DMA"}[dma]
	})
}
