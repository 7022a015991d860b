package shrimp

import (
	"bytes"
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
)

// layer holds the rows of VMMC-2, and of messages and shared memory on it.
func (r *rows) layer() {
	bare, eight := testbed.Spec{Monitor: "off"}, testbed.Spec{Nodes: 8, Monitor: "off"}
	r.Versus("sh-vmmc", "deposit into an exported region", r.testbed(bare, message{bytes: 1000}.deposited),
		"the same beyond the region's end", r.testbed(bare, message{bytes: 1000, beyond: host.PageBytes}.deposited))
	r.Versus("sh-lanai-role", "deposit", r.testbed(bare, message{bytes: 4096}.deposited),
		"deposit with the interface processors stopped", r.testbed(bare, message{bytes: 4096, stopped: sim.Millisecond}.deposited))
	r.overlaid("sh-packet", "message of 64 KB", testbed.Spec{Monitor: "off", Bytes: 64 << 10}, "packets of 2 KB", packetKB)
	r.Versus("sh-ge-bcast", "host DMAs of one broadcast", r.testbed(eight, fetches(nx.Separate)), "broadcast in firmware", r.testbed(eight, fetches(nx.Firmware)))

	four := testbed.Spec{Nodes: 4, Monitor: "off", Kinds: svm.Kinds()}
	slow := four
	slow.Overlay = overlays.Of("memory that is read at half the rate")
	on := func(spec testbed.Spec, w writing) judge.Experiment[sharing] { return once(r, spec, w.share) }
	two, away, home := writing{by: [2]int{1, 2}}, writing{by: [2]int{1, -1}}, writing{by: [2]int{0, -1}}
	late, without := two, two
	late.noBarrier, without.ideal = true, true
	r.Versus("sh-svm-hlrc", "two writers of a page, a barrier, a reader", judge.Using(on(four, two), homeBased),
		"the same without the barrier", judge.Using(on(four, late), homeBased))
	r.Versus("sh-svm-api", "shared memory on VMMC-2", judge.Using(on(four, two), onVMMC), "on a network without interfaces", judge.Using(on(four, without), onVMMC))
	r.Versus("sh-svm-twin", "a word written away from the page's home", judge.Using(on(four, away), oneTwin), "written at home", judge.Using(on(four, home), oneTwin))
	r.Versus("sh-radix-diff", "time of a release under two speeds of memory", judge.Both(on(slow, away), on(four, away), pagesPerDiff),
		"written at home", judge.Both(on(slow, home), on(four, home), pagesPerDiff))
}

// message is one from node 0 to node 1, where no program runs.
type message struct {
	bytes   int
	beyond  uint64       // bytes added to its destination, as only a forged request can do
	stopped sim.Duration // how long the interface processors are stopped
}

// deposited states that the message is in the memory of a host that does nothing
// within 200 µs for each page.
func (m message) deposited(b *testbed.Testbed) judge.Measured {
	for _, n := range b.Nodes {
		n.NIC.Stall(m.stopped)
	}
	p, q := b.Depositor(0), b.Depositor(1)
	data, got := testbed.Pattern(1, m.bytes), make([]byte, m.bytes)
	p.Space.WriteAt(p.Out, data)
	b.Tap(func(k *fabric.Packet) {
		if k.Header.Meta.Kind == trace.Data {
			k.Header.Words[1] += m.beyond
		}
	})
	b.Start(testbed.On(0, func(c *host.Context) { p.Send(c, 1, m.bytes) }))
	b.Rest(sim.Duration((m.bytes+host.PageBytes-1)/host.PageBytes) * 200 * sim.Microsecond)
	q.Space.ReadAt(q.In[0], got)
	s, programs := b.Nodes[1].VMMC.Stats(), len(b.Nodes[1].Host.Contexts())
	return states(bytes.Equal(got, data) && programs == 0, "all data are in remote memory within 200 µs for each page after the request",
		"%d packets deposited, %d refused, %d programs on the receiving host", s.Delivered, s.Protection, programs)
}

// packetKB returns the payload of the packets of a message of 64 KB, in KB.
func packetKB(b *testbed.Testbed) judge.Measured {
	w := b.Watch()
	b.Run(b.Each(0, 1, testbed.Same(64<<10, 1), 0))
	return value(float64(w.Packets[0].Bytes)/1024, "%d packets", len(w.Packets))
}

// fetches counts how often the sender's interface fetches the data of one
// broadcast to all others.
func fetches(how nx.Broadcast) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured {
		const size = 2048
		w := b.Watch()
		system := judge.Must(b.Messages(nx.Spec{Broadcast: how}))
		b.Finish(system.Err, func(ended func()) error {
			return system.Start(func(p *nx.Process) error {
				if p.Node() == 0 {
					return p.Csend(1, p.Alloc(size), size, nx.Any)
				}
				return p.Crecv(1, p.Alloc(size), size)
			}, ended)
		})
		rows := slices.DeleteFunc(w.DMAs[0], func(d testbed.HostDMA) bool { return d.Bytes < size })
		return value(float64(len(rows)), "%d B from node 0 of %d", size, len(b.Nodes))
	}
}

// writing says how two words of a page are written. The home of the page is node 0.
// Node 3 reads it before and after.
type writing struct {
	by        [2]int // the nodes that write one word each; -1: none
	noBarrier bool   // no barrier before node 3 reads again
	ideal     bool   // a network without interfaces
}

// sharing is the result of a writing.
type sharing struct {
	seen                 [2][2]uint32 // what node 3 reads
	diffs, pages, astray int          // packets: differences sent home, whole pages from home, any other
	twins, bytes         uint64       // number of twins, size of all differences
	protocol, carried    uint64       // messages of the protocol, and of VMMC-2
	releaseUs            float64      // of the last word
	readMBps             float64      // of the memory
}

// share runs the program on four nodes.
func (w writing) share(b *testbed.Testbed) (out sharing) {
	b.Tap(func(p *fabric.Packet) {
		switch k := p.Header.Meta.Kind; {
		case k == trace.Diff && p.Dst == 0:
			out.diffs++
		case k == trace.PageReply && p.Src == 0 && p.Bytes() == svm.PageSize:
			out.pages++
		case k == trace.Diff || k == trace.PageReply:
			out.astray++
		}
	})
	l := judge.Must(svm.NewLayout(len(b.Nodes)))
	judge.Must(l.Alloc(len(b.Nodes)*svm.PageSize, svm.Blocks))
	system := judge.Must(svm.NewSystem(svm.Spec{Layout: l, Costs: b.Place.SVM.Costs, Service: b.Place.SVM.Service}))
	if w.ideal {
		judge.Must(ideal.Connect(b.Engine, system, b.Hosts(), ideal.Spec{SendCost: sim.Microsecond, Latency: 10 * sim.Microsecond, Rate: sim.MBps(100)}))
	} else {
		b.Keep(b.AttachMemory(system, 0, len(b.Nodes), 64<<10))
	}
	program := func(t *svm.Thread) {
		read := func(when int) {
			if t.Node() == 3 {
				copy(out.seen[when][:], svm.View[uint32](t.ReadPiece(0, svm.PageSize)))
			}
		}
		read(0)
		t.Barrier(0)
		for word, writer := range w.by {
			if t.Node() == writer {
				t.Lock(uint32(word))
				svm.View[uint32](t.WritePiece(0, svm.PageSize))[word] = uint32(10 * (word + 1))
				began := t.Now()
				t.Unlock(uint32(word))
				out.releaseUs = t.Now().Sub(began).Us()
			}
		}
		t.Compute(host.Work{Time: 100 * sim.Millisecond})
		if !w.noBarrier {
			t.Barrier(1)
		}
		read(1)
	}
	b.Finish(system.Err, func(ended func()) error { return system.Start(program, ended) })
	for i, n := range b.Nodes {
		s := system.Member(i).Stats()
		out.twins, out.bytes = out.twins+s.Twins, out.bytes+s.DiffBytes
		for _, k := range s.Messages {
			out.protocol += k
		}
		out.carried += n.VMMC.Stats().Messages
	}
	out.readMBps = float64(b.Place.Host.MemRead) / 1e6
	return out
}

// homeBased states that writers send differences to the home only and the reader
// fetches the whole page again.
func homeBased(s sharing) judge.Measured {
	return states(s.seen == [2][2]uint32{{}, {10, 20}} && s.diffs == 2 && s.twins == 2 && s.pages == 4 && s.astray == 0,
		"the reader sees both words; two twins, two differences, both sent home; four pages, all whole and from home",
		"node 3 read %v; %d differences sent home; %d twins; %d whole pages from home, %d pages and differences otherwise",
		s.seen, s.diffs, s.twins, s.pages, s.astray)
}

// onVMMC states that VMMC-2 carries all messages of shared memory.
func onVMMC(s sharing) judge.Measured {
	return states(s.carried >= s.protocol && s.protocol > 0, "at least as many messages of VMMC-2 as of the protocol", "%d protocol messages, %d messages of VMMC-2", s.protocol, s.carried)
}

// oneTwin states that one twin and one difference are made for a word.
func oneTwin(s sharing) judge.Measured {
	return states(s.twins == 1 && s.diffs == 1 && s.bytes > 0 && s.bytes < 64, "one twin, and one difference of less than 64 B", "%d twins, %d differences of %d B", s.twins, s.diffs, s.bytes)
}

// pagesPerDiff returns how many pages a host reads over its memory bus to make one
// difference, from the time that a release takes longer when that bus is slower.
func pagesPerDiff(slow, fast sharing) judge.Measured {
	bytes := (slow.releaseUs - fast.releaseUs) / (1/slow.readMBps - 1/fast.readMBps)
	return value(bytes/svm.PageSize, "%.1f µs at %g MB/s, %.1f µs at %g MB/s", fast.releaseUs, fast.readMBps, slow.releaseUs, slow.readMBps)
}
