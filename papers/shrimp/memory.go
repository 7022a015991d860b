package shrimp

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// memory holds the rows of shared virtual memory.
func (r *rows) memory() {
	r.Versus("sh-svm-hlrc", "two writers of a page, a barrier, a reader", r.release(true), "the same without the barrier", r.release(false))
	r.Versus("sh-svm-twin", "three words written away from the page's home", r.twin(1), "written at home", r.twin(0),
		"one twin, and one difference of less than 64 B")
	r.Versus("sh-svm-api", "shared memory on VMMC-2", r.carrier(false), "on a network without interfaces", r.carrier(true))
	r.Versus("sh-radix-diff", "time of a release under two speeds of memory", r.pagesPerDiff(1), "written at home", r.pagesPerDiff(0))
}

// sharing is a bed whose four nodes share four pages, each at home on one.
type sharing struct {
	*judge.Session
	*testbed.Bed
	system *svm.System
}

const memoryNodes = 4

// sharing makes a measurement of shared memory on an overlay, over VMMC-2 or
// over a network without interfaces.
func (r *rows) sharing(s *judge.Session, overlay string, without bool, f func(sharing) judge.Measured) judge.Measured {
	spec := testbed.Spec{Nodes: memoryNodes, Seed: r.seed, Monitor: "off", Kinds: svm.Kinds(), Overlay: overlays.Of(overlay)}
	return beds.Use(s, spec, func(b *testbed.Bed) judge.Measured {
		l, err := svm.NewLayout(memoryNodes)
		s.Check(err)
		_, err = l.Alloc(memoryNodes*svm.PageSize, svm.Blocks)
		s.Check(err)
		system, err := svm.NewSystem(svm.Spec{Layout: l, Costs: b.Place.SVM.Costs, Service: b.Place.SVM.Service})
		s.Check(err)
		if without {
			hosts := make([]*host.Host, memoryNodes)
			for i, n := range b.Nodes {
				hosts[i] = n.Host
			}
			_, err = ideal.Connect(b.Engine, system, hosts, ideal.Spec{SendCost: sim.Microsecond, Latency: 10 * sim.Microsecond, Rate: sim.MBps(100)})
		} else {
			err = b.AttachMemory(system, 0, memoryNodes, 64<<10)
		}
		s.Check(err)
		return f(sharing{s, b, system})
	})
}

// run runs a program on every node.
func (m sharing) run(program func(*svm.Thread)) {
	ended := false
	m.Check(m.system.Start(program, func() { ended = true }))
	m.Until(func() bool { return ended })
	m.Check(m.system.Err())
	m.Rest(sim.Millisecond)
}

// word is the i-th word of page 0, whose home is node 0.
func word(t *svm.Thread, i int) *uint32 {
	return &svm.View[uint32](t.WritePiece(0, svm.PageSize))[i]
}

// release lets nodes 1 and 2 write different words of a page that node 3 has
// read before, and node 3 read it again: after a barrier, or much later.
func (r *rows) release(acquire bool) judge.Measure {
	return r.shared(false, func(m sharing) judge.Measured {
		var diffs, pages, astray int
		m.Tap(func(p *fabric.Packet) {
			switch k := p.Header.Meta.Kind; {
			case k == trace.Diff && p.Dst == 0:
				diffs++
			case k == trace.PageReply && p.Src == 0 && len(p.Data) == svm.PageSize:
				pages++
			case k == trace.Diff || k == trace.PageReply:
				astray++
			}
		})
		var before, after [2]uint32
		m.run(func(t *svm.Thread) {
			n := t.Node()
			if n == 3 {
				copy(before[:], svm.View[uint32](t.ReadPiece(0, svm.PageSize)))
			}
			t.Barrier(0)
			if n == 1 || n == 2 {
				*word(t, n-1) = uint32(10 * n)
				t.Lock(uint32(n)) // ends the interval
				t.Unlock(uint32(n))
			}
			if acquire {
				t.Barrier(1)
			} else {
				t.Compute(host.Work{Time: 100 * sim.Millisecond})
			}
			if n == 3 {
				copy(after[:], svm.View[uint32](t.ReadPiece(0, svm.PageSize)))
			}
		})
		twins := m.system.Member(1).Stats().Twins + m.system.Member(2).Stats().Twins
		ok := before == [2]uint32{} && after == [2]uint32{10, 20} && diffs == 2 && twins == 2 && pages == 4 && astray == 0
		return holds(ok, "node 3 read %v and then %v; %d differences sent home; %d twins; %d whole pages from home, %d pages and differences otherwise",
			before, after, diffs, twins, pages, astray)
	})
}

// shared makes a measurement of shared memory.
func (r *rows) shared(without bool, f func(sharing) judge.Measured) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured { return r.sharing(s, "", without, f) })
}

// twin lets one node write three words of page 0 and then release them.
func (r *rows) twin(writer int) judge.Measure {
	return r.shared(false, func(m sharing) judge.Measured {
		m.run(func(t *svm.Thread) {
			if t.Node() == writer {
				for i := range 3 {
					*word(t, 100*i+7) = 1
				}
			}
			t.Barrier(0)
		})
		s := m.system.Member(writer).Stats()
		return holds(s.Twins == 1 && s.Diffs == 1 && s.DiffBytes > 0 && s.DiffBytes < 64, "%d twin, %d difference of %d B", s.Twins, s.Diffs, s.DiffBytes)
	})
}

// carrier counts what carries the messages of shared memory.
func (r *rows) carrier(without bool) judge.Measure {
	return r.shared(without, func(m sharing) judge.Measured {
		m.run(func(t *svm.Thread) {
			for i := range 5 {
				t.Lock(0)
				*word(t, 0) += 1
				t.Unlock(0)
				t.Barrier(uint32(i))
				if want := uint32(memoryNodes * (i + 1)); *word(t, 0) != want {
					m.Bed.Fail("node %d reads %d from shared memory, want %d", t.Node(), *word(t, 0), want)
				}
				t.Barrier(uint32(i))
			}
		})
		var protocol, carried uint64
		for i, n := range m.Nodes {
			for _, k := range m.system.Member(i).Stats().Messages {
				protocol += k
			}
			carried += n.VMMC.Stats().Messages
		}
		return holds(carried >= protocol && protocol > 0, "%d protocol messages, %d messages of VMMC-2", protocol, carried)
	})
}

// pagesPerDiff is how many pages a host reads over its memory bus to make one
// difference: what a release lasts longer when that bus reads half as fast.
func (r *rows) pagesPerDiff(writer int) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		release := func(overlay string) judge.Measured {
			return r.sharing(s, overlay, false, func(m sharing) judge.Measured {
				var took sim.Duration
				m.run(func(t *svm.Thread) {
					if t.Node() == writer {
						t.Lock(0)
						*word(t, 0) = 1
						began := t.Now()
						t.Unlock(0)
						took = t.Now().Sub(began)
					}
				})
				return value(took.Us(), "%.1f µs with %s", took.Us(), overlay)
			})
		}
		fast, slow := release("memory that is read at 100 MB/s"), release("memory that is read at 50 MB/s")
		bytes := (slow.Value - fast.Value) / (1.0/50 - 1.0/100)
		return value(bytes/svm.PageSize, "%s, %s", fast.Note, slow.Note)
	})
}
