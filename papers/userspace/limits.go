package userspace

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/patterns"
)

// limits holds the rows of what the study says that no layer, or no parameter of
// LogP, does well (sections 5 and 6).
func (r *rows) limits() {
	r.versus("us-lim-copy", "messages of 4 KB between buffers in ordinary memory", copies(false), "between buffers of the layer, read in place", copies(true))
	r.changed("us-lim-logp", "O_r of VMMC-2, and a host that reads its memory while messages arrive", unseen, "a memory bus at a hundred times the rate")
	r.changed("us-lim-conn", "imports of VMMC-2 while programs run", opening, "a host that starts and ends transfers at no cost")
	r.changed("us-lim-intr", "messages of 64 B and 4 KB on five layers", polled, "GAM's handlers by interrupt")
	r.versus("us-lim-drop", "messages of 4 B to a slow receiver: all at once, and with a credit for each eight", dropping("bip"), "the same on PM", dropping("pm"))
	r.of("us-lim-bench", "producers and consumers, and a central queue", benchmarks)
	for _, layer := range tabulated {
		id := "us-t2-prot-" + rowNames[layer]
		other := another(publishedText(id), []string{"bip", "pm", "vmmc"}, func(layer string) string { return publishedText("us-t2-prot-" + rowNames[layer]) })
		r.versus(id, "two programs on both nodes; what the sender's node moves", protectedBy(layer, publishedText(id)), "the same on "+other, protectedBy(other, publishedText(id)))
	}
}

// copies tests which layers copy a message between buffers in ordinary memory. With
// own, they are the layer's own buffers, and the receiver reads in place where it can.
func copies(own bool) test {
	const n = 4096
	named := []string{"gam", "fm", "pm"}
	return each("copied by "+names(named)+" only", compared, func(x *study, layer string) (bool, string) {
		copied := live(x, layer, func(b *testbed.Testbed) uint64 {
			from, to := b.Process(0), b.Process(1)
			out, in := from.Space.Alloc(n), to.Space.Alloc(n)
			if t := to.Endpoint.Traits(); own || t.Model == comm.DirectDeposit {
				out = from.Endpoint.Buffer(n)
				if t.InPlace || !t.Consumes {
					in = 0
				}
			}
			stream(b, 1, n, out, in)
			return moves(b, 0).copied + moves(b, 1).copied
		})
		return (copied > 0) == slices.Contains(named, layer), fmt.Sprintf("%d B", copied)
	})
}

// unseen tests that messages slow a host although O_r, which is all that LogP has for
// their receiver, is zero.
var unseen = test{"O_r is 0; " + interference.wants, func(x *study) judge.Measured {
	or := x.parameters("vmmc", host.PageBytes)["O_r"]
	m := interference.run(x)
	return holds(or == 0 && m.Holds, "O_r %.2f µs; %s", or, m.Note)
}}

// opening tests that a connection costs several times as much as a short message.
var opening = on("vmmc", fmt.Sprintf("an import takes at least %d times as long as a message of 4 B one way", several), func(b *testbed.Testbed) judge.Measured {
	const imports = 20
	var nodes []*vmmc.Node
	var spaces []*host.Space
	for _, n := range b.Nodes {
		nodes, spaces = append(nodes, n.VMMC), append(spaces, host.NewSpace("daemon", n.Frames))
	}
	daemons := judge.Must(vmmc.StartDaemons(nodes, spaces))
	message := b.Pair(0, 1, 4).PingPong(4, imports).OneWay()
	from, to := b.Depositor(0), b.Depositor(1).Exports[0].(*vmmc.Export)
	took := b.Time(0, func(c *host.Context) {
		for range imports {
			_, err := daemons[0].Import(c, from.Endpoint, 1, to.Number())
			b.Keep(err)
		}
	}) / imports
	return holds(took >= several*message, "%.1f µs for an import, %.1f for a message", took.Us(), message.Us())
})

// polled tests that no message interrupts a host.
var polled = each("no interrupts", compared, func(x *study, layer string) (bool, string) {
	var interrupts uint64
	for _, n := range []int{cellBytes, host.PageBytes} {
		interrupts += live(x, layer, func(b *testbed.Testbed) uint64 {
			from, to := b.Mails(n)
			b.Play(func(c *host.Context) { from.Put(c, n, 1) }, func(c *host.Context) {
				c.Spend(sim.Millisecond) // the host computes when the message comes
				to.Take(c, n)
			})
			return b.Nodes[0].Host.Stats().Interrupts + b.Nodes[1].Host.Stats().Interrupts
		})
	}
	return interrupts == 0, fmt.Sprintf("%d interrupts", interrupts)
})

// dropping tests that g depends on whether messages may be lost: a sender that never
// waits loses messages, and one that loses none takes longer for each.
func dropping(layer string) test {
	const messages, credit, pace = 240, 8, 20 * sim.Microsecond
	wants := fmt.Sprintf("without credits messages are lost; with them none, and each takes at least %g times as long", considerably)
	return test{wants, func(x *study) judge.Measured {
		send := func(every int) (us float64, lost uint64) {
			live(x, layer, func(b *testbed.Testbed) bool {
				from, to := b.Mails(cellBytes)
				b.Ends(func(c *host.Context) {
					began := c.Now()
					for i := range messages {
						from.Put(c, 4, uint32(i))
						if every > 0 && (i+1)%every == 0 {
							from.Take(c, 4)
						}
					}
					us = c.Now().Sub(began).Us() / messages
				}, func(c *host.Context) {
					for i := range messages {
						c.Spend(pace)
						if _, err := to.Receive(c, 4); err != nil {
							return
						}
						if every > 0 && (i+1)%every == 0 {
							to.Put(c, 4, 0)
						}
					}
				})
				lost = b.Lost()
				return true
			})
			return us, lost
		}
		free, lost := send(0)
		paced, none := send(credit)
		return holds(lost > 0 && none == 0 && paced >= considerably*free, "%.2f µs and %d of %d lost; with credits %.2f µs and %d lost", free, lost, messages, paced, none)
	}}
}

// benchmarks tests that the benchmarks that the study asks for run on every compared
// layer that carries programs: producers and consumers, and a central queue, whose
// consumers use the data. BIP loses messages.
var benchmarks = each("both end with every item used once", []string{"gam", "fm", "pm", "vmmc"}, func(x *study, layer string) (bool, string) {
	var us []string
	for _, shape := range []patterns.Shape{patterns.ProducerConsumer, patterns.CentralQueue} {
		spec := experiment.DefaultRun(shape.String())
		spec.Platform, spec.Layer, spec.Seed, spec.Nodes, spec.Build = pairPlatform, layer, x.seed, 2, experiment.BuildOff
		spec.Pattern.Count = 20
		run, err := experiment.Run(x.Context(), spec, nil)
		if judge.Must(run, err); !run.Manifest.Verified {
			return false, run.Manifest.Verification
		}
		us = append(us, fmt.Sprintf("%v %.0f µs", shape, float64(run.Manifest.Tags[0].RunTimeNs)/1000))
	}
	return true, fmt.Sprint(us)
})

// protectedBy tests what keeps the memory of a layer's processes from others.
func protectedBy(layer, word string) test {
	return test{"the experiment shows the published word", func(x *study) judge.Measured {
		got, seen := x.protection(layer)
		return holds(got == word, "%s: %s", got, seen)
	}}
}

// protection finds out what keeps the memory of processes from others: nothing, if a
// process of another program receives a message; the daemon that gives the interface
// to one process at a time; or how the data of a long message come to the interface.
func (x *study) protection(layer string) (word, seen string) {
	within, between := x.find("intra", layer).word, x.find("inter", layer).word
	changes, m := uint64(0), moved{}
	var n uint64
	live(x, layer, func(b *testbed.Testbed) bool {
		multiprogramming(b)
		changes = b.Count(0, "changes")
		return true
	})
	live(x, layer, func(b *testbed.Testbed) bool {
		n, _ = long(b)
		m = moves(b, 0)
		return true
	})
	seen = fmt.Sprintf("protection within a node %s, between nodes %s; %d changes of the interface's process; for %d B: %v", within, between, changes, n, m)
	switch {
	case within == "No" && between == "No":
		return "None", seen
	case changes > 0:
		return "Gang Scheduling", seen
	case m.copied >= n:
		return "Copy", seen
	case m.stored >= n:
		return "PIO+Copy", seen
	}
	return "v2p trans", seen
}
