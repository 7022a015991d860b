package shrimp

import (
	"bytes"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// layer holds the rows of VMMC-2, and of messages and shared memory on it.
func (r *rows) layer() {
	bare, eight := testbed.Spec{Monitor: "off"}, testbed.Spec{Nodes: 8, Monitor: "off"}
	r.Versus("sh-vmmc", "deposit into an exported region", r.bed(bare, message{bytes: 1000}.deposited),
		"the same beyond the region's end", r.bed(bare, message{bytes: 1000, beyond: host.PageBytes}.deposited))
	r.Versus("sh-lanai-role", "deposit", r.bed(bare, message{bytes: 4096}.deposited),
		"deposit with the interface processors stopped", r.bed(bare, message{bytes: 4096, stopped: sim.Millisecond}.deposited))
	r.overlaid("sh-packet", "message of 64 KB", testbed.Spec{Monitor: "off", Bytes: 64 << 10}, "packets of 2 KB", message{bytes: 64 << 10}.packetKB)
	r.Versus("sh-ge-bcast", "host DMAs of one broadcast", r.bed(eight, fetches(nx.Separate)), "broadcast in firmware", r.bed(eight, fetches(nx.Firmware)))

	four := testbed.Spec{Nodes: 4, Monitor: "off", Kinds: svm.Kinds()}
	r.Versus("sh-svm-hlrc", "two writers of a page, a barrier, a reader", r.bed(four, release(true)), "the same without the barrier", r.bed(four, release(false)))
	away, home := once(r, four, written(1)), once(r, four, written(0))
	r.Versus("sh-svm-twin", "three words written away from the page's home", judge.Using(away, oneTwin), "written at home", judge.Using(home, oneTwin),
		"one twin, and one difference of less than 64 B")
	r.Versus("sh-svm-api", "shared memory on VMMC-2", r.bed(four, carrier(false)), "on a network without interfaces", r.bed(four, carrier(true)))
	slow := four
	slow.Overlay = overlays.Of("memory that is read at half the rate")
	r.Versus("sh-radix-diff", "time of a release under two speeds of memory", judge.Both(once(r, slow, written(1)), away, pagesPerDiff),
		"written at home", judge.Both(once(r, slow, written(0)), home, pagesPerDiff))
}

// message is one from node 0 to node 1, where no program runs.
type message struct {
	bytes   int
	beyond  uint64       // so far behind the place that was asked for, as only a forged request can be
	stopped sim.Duration // the interface processors do nothing for so long
}

// send sends it and tells, 200 µs later for each page, whether all data lie in
// remote memory, and how many packets carried how much at most.
func (m message) send(b *testbed.Bed) (right bool, packets, largest int) {
	for _, n := range b.Nodes {
		n.NIC.Stall(m.stopped)
	}
	p, q := b.Depositor(0), b.Depositor(1)
	data, got := testbed.Pattern(1, m.bytes), make([]byte, m.bytes)
	p.Space.WriteAt(p.Out, data)
	b.Tap(func(k *fabric.Packet) {
		if k.Header.Meta.Kind == trace.Data {
			k.Header.Words[1] += m.beyond
			packets, largest = packets+1, max(largest, len(k.Data))
		}
	})
	b.Start(testbed.On(0, func(c *host.Context) { p.Send(c, 1, m.bytes) }))
	b.Rest(sim.Duration((m.bytes+host.PageBytes-1)/host.PageBytes) * 200 * sim.Microsecond)
	q.Space.ReadAt(q.In[0], got)
	return bytes.Equal(got, data), packets, largest
}

// deposited tells whether the message lies in the memory of a host that does
// nothing at all.
func (m message) deposited(b *testbed.Bed) judge.Measured {
	right, _, _ := m.send(b)
	s, programs := b.Nodes[1].VMMC.Stats(), len(b.Nodes[1].Host.Contexts())
	return judge.All(judge.True(right && programs == 0, "all data lie in remote memory soon after the request, 200 µs for each page",
		"%d packets deposited, %d refused, %d programs on the receiving host", s.Delivered, s.Protection, programs))
}

// packetKB is the payload of the packets that the message is cut into.
func (m message) packetKB(b *testbed.Bed) judge.Measured {
	_, packets, largest := m.send(b)
	return value(float64(largest)/1024, "%d packets", packets)
}

// fetches counts how often the sender's interface fetches the data of one
// broadcast to all others.
func fetches(how nx.Broadcast) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
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
		n := 0
		for _, d := range w.DMAs[0] {
			if d.Bytes >= size {
				n++
			}
		}
		return value(float64(n), "%d B from node 0 of %d", size, len(b.Nodes))
	}
}

// share lets every node run a program on shared memory, which has a page at
// home on each: over VMMC-2 or over a network without interfaces.
func share(b *testbed.Bed, without bool, program func(*svm.Thread)) *svm.System {
	l := judge.Must(svm.NewLayout(len(b.Nodes)))
	judge.Must(l.Alloc(len(b.Nodes)*svm.PageSize, svm.Blocks))
	system := judge.Must(svm.NewSystem(svm.Spec{Layout: l, Costs: b.Place.SVM.Costs, Service: b.Place.SVM.Service}))
	if without {
		var hosts []*host.Host
		for _, n := range b.Nodes {
			hosts = append(hosts, n.Host)
		}
		judge.Must(ideal.Connect(b.Engine, system, hosts, ideal.Spec{SendCost: sim.Microsecond, Latency: 10 * sim.Microsecond, Rate: sim.MBps(100)}))
	} else {
		b.Keep(b.AttachMemory(system, 0, len(b.Nodes), 64<<10))
	}
	b.Finish(system.Err, func(ended func()) error { return system.Start(program, ended) })
	return system
}

// word is the i-th word of page 0, whose home is node 0.
func word(t *svm.Thread, i int) *uint32 {
	return &svm.View[uint32](t.WritePiece(0, svm.PageSize))[i]
}

// release lets nodes 1 and 2 write different words of a page that node 3 has
// read before, and node 3 read it again: after a barrier, or much later.
func release(acquire bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		var diffs, pages, astray int
		b.Tap(func(p *fabric.Packet) {
			switch k := p.Header.Meta.Kind; {
			case k == trace.Diff && p.Dst == 0:
				diffs++
			case k == trace.PageReply && p.Src == 0 && len(p.Data) == svm.PageSize:
				pages++
			case k == trace.Diff || k == trace.PageReply:
				astray++
			}
		})
		var seen [2][2]uint32 // by node 3, before and after
		system := share(b, false, func(t *svm.Thread) {
			read := func(when int) {
				if t.Node() == 3 {
					copy(seen[when][:], svm.View[uint32](t.ReadPiece(0, svm.PageSize)))
				}
			}
			read(0)
			t.Barrier(0)
			if n := t.Node(); n == 1 || n == 2 {
				*word(t, n-1) = uint32(10 * n)
				t.Lock(uint32(n)) // ends the interval
				t.Unlock(uint32(n))
			}
			if acquire {
				t.Barrier(1)
			} else {
				t.Compute(host.Work{Time: 100 * sim.Millisecond})
			}
			read(1)
		})
		twins := system.Member(1).Stats().Twins + system.Member(2).Stats().Twins
		return holds(seen == [2][2]uint32{{}, {10, 20}} && diffs == 2 && twins == 2 && pages == 4 && astray == 0,
			"node 3 read %v; %d differences sent home; %d twins; %d whole pages from home, %d pages and differences otherwise",
			seen, diffs, twins, pages, astray)
	}
}

// writing is what one node spends on writing to a page and releasing it.
type writing struct {
	twins, diffs, diffBytes uint64
	releaseUs               float64
	readMBps                float64 // of the memory
}

// written lets a node write three words of page 0 and release them.
func written(writer int) func(*testbed.Bed) writing {
	return func(b *testbed.Bed) writing {
		var took sim.Duration
		s := share(b, false, func(t *svm.Thread) {
			if t.Node() == writer {
				t.Lock(0)
				for i := range 3 {
					*word(t, 100*i+7) = 1
				}
				began := t.Now()
				t.Unlock(0)
				took = t.Now().Sub(began)
			}
		}).Member(writer).Stats()
		return writing{s.Twins, s.Diffs, s.DiffBytes, took.Us(), float64(b.Place.Host.MemRead) / 1e6}
	}
}

// oneTwin tells whether a twin and a difference were made for a write.
func oneTwin(w writing) judge.Measured {
	return holds(w.twins == 1 && w.diffs == 1 && w.diffBytes > 0 && w.diffBytes < 64, "%d twin, %d difference of %d B", w.twins, w.diffs, w.diffBytes)
}

// pagesPerDiff is how many pages a host reads over its memory bus to make one
// difference: what a release lasts longer when that bus reads more slowly.
func pagesPerDiff(slow, fast writing) judge.Measured {
	bytes := (slow.releaseUs - fast.releaseUs) / (1/slow.readMBps - 1/fast.readMBps)
	return value(bytes/svm.PageSize, "%.1f µs at %g MB/s, %.1f µs at %g MB/s", fast.releaseUs, fast.readMBps, slow.releaseUs, slow.readMBps)
}

// carrier counts what carries the messages of shared memory.
func carrier(without bool) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		system := share(b, without, func(t *svm.Thread) {
			for i := range 5 {
				t.Lock(0)
				*word(t, 0) += 1
				t.Unlock(0)
				t.Barrier(uint32(i))
				if want := uint32(len(b.Nodes) * (i + 1)); *word(t, 0) != want {
					b.Fail("node %d reads %d from shared memory, want %d", t.Node(), *word(t, 0), want)
				}
				t.Barrier(uint32(i))
			}
		})
		var protocol, carried uint64
		for i, n := range b.Nodes {
			for _, k := range system.Member(i).Stats().Messages {
				protocol += k
			}
			carried += n.VMMC.Stats().Messages
		}
		return holds(carried >= protocol && protocol > 0, "%d protocol messages, %d messages of VMMC-2", protocol, carried)
	}
}
