package shrimp

import (
	"fmt"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// memory holds the rows of shared virtual memory.
func (r *rows) memory() {
	r.Versus("sh-svm-hlrc", "two writers of a page, a barrier, a reader", r.release(true), "the same without the barrier", r.release(false))
	r.Versus("sh-svm-twin", "three words written away from the page's home", r.twin(1), "written at home", r.twin(0))
	r.Versus("sh-svm-api", "shared memory on VMMC-2", r.carrier(false), "on a network without interfaces", r.carrier(true))
}

// sharedMemory is a program on four nodes that share four pages, each at home
// on one of them.
type sharedMemory struct {
	*testbed.Bed
	system  *svm.System
	packets []memoryPacket
}

// memoryPacket is a packet of the protocol on the wire.
type memoryPacket struct {
	kind            trace.Kind
	src, dst, bytes int
}

const memoryNodes = 4

// share runs a program on every node, over VMMC-2 or over a network without
// interfaces.
func (r *rows) share(without bool, program func(*svm.Thread)) (*sharedMemory, error) {
	return r.shareOn(nil, without, program)
}

// shareOn is share on a platform that is changed first.
func (r *rows) shareOn(change func(*platform.Profile), without bool, program func(*svm.Thread)) (*sharedMemory, error) {
	b, err := r.open(testbed.Spec{Nodes: memoryNodes, Monitor: "off", Kinds: svm.Kinds(), Profile: change})
	if err != nil {
		return nil, err
	}
	m := &sharedMemory{Bed: b}
	l, err := svm.NewLayout(memoryNodes)
	if err != nil {
		return nil, err
	}
	if _, err := l.Alloc(memoryNodes*svm.PageSize, svm.Blocks); err != nil {
		return nil, err
	}
	if m.system, err = svm.NewSystem(svm.Spec{Layout: l, Costs: b.Place.SVM.Costs, Service: b.Place.SVM.Service}); err != nil {
		return nil, err
	}
	if without {
		hosts := make([]*host.Host, memoryNodes)
		for i, n := range b.Nodes {
			hosts[i] = n.Host
		}
		_, err = ideal.Connect(b.Engine, m.system, hosts, ideal.Spec{SendCost: sim.Microsecond, Latency: 10 * sim.Microsecond, Rate: sim.MBps(100)})
	} else {
		err = b.AttachMemory(m.system, 0, memoryNodes, 64<<10)
	}
	if err != nil {
		return nil, err
	}
	b.Tap(func(p *fabric.Packet) {
		if k := p.Header.Meta.Kind; k.CarriesRequest() {
			m.packets = append(m.packets, memoryPacket{k, int(p.Src), int(p.Dst), len(p.Data)})
		}
	})
	ended := false
	if err := m.system.Start(program, func() { ended = true }); err != nil {
		return nil, err
	}
	if err := b.Engine.RunUntil(func() bool { return ended }); err != nil {
		return nil, err
	}
	if err := m.system.Err(); err != nil {
		return nil, err
	}
	b.Rest(sim.Millisecond)
	return m, b.Err()
}

// word is the i-th word of page 0, whose home is node 0.
func word(t *svm.Thread, i int) *uint32 {
	return &svm.View[uint32](t.WritePiece(0, svm.PageSize))[i]
}

// release lets nodes 1 and 2 write different words of a page that node 3 has
// read before, and node 3 read it again: after a barrier, or much later.
func (r *rows) release(acquire bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		var before, after [2]uint32
		m, err := r.share(false, func(t *svm.Thread) {
			read := func() (v [2]uint32) {
				copy(v[:], svm.View[uint32](t.ReadPiece(0, svm.PageSize)))
				return v
			}
			if t.Node() == 3 {
				before = read()
			}
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
			if t.Node() == 3 {
				after = read()
			}
		})
		if err != nil {
			return judge.Measured{}, err
		}
		defer m.Engine.Close()
		diffs, strayed, pages, short := 0, 0, 0, 0
		for _, p := range m.packets {
			switch p.kind {
			case trace.Diff:
				diffs++
				if p.dst != 0 {
					strayed++
				}
			case trace.PageReply:
				if p.src != 0 || p.bytes != svm.PageSize {
					short++
				} else {
					pages++
				}
			}
		}
		twins := m.system.Member(1).Stats().Twins + m.system.Member(2).Stats().Twins
		ok := before == [2]uint32{} && after == [2]uint32{10, 20} && diffs == 2 && strayed == 0 && twins == 2 && pages == 4 && short == 0
		return holds(ok, "node 3 read %v and then %v; %d differences, %d of them not to the home; %d twins; %d whole pages from the home, %d other",
			before, after, diffs, strayed, twins, pages, short), nil
	})
}

// twin lets one node write three words of page 0 and then release them.
func (r *rows) twin(writer int) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		m, err := r.share(false, func(t *svm.Thread) {
			if t.Node() == writer {
				for i := range 3 {
					*word(t, 100*i+7) = 1
				}
			}
			t.Barrier(0)
		})
		if err != nil {
			return judge.Measured{}, err
		}
		defer m.Engine.Close()
		s := m.system.Member(writer).Stats()
		return holds(s.Twins == 1 && s.Diffs == 1 && s.DiffBytes > 0 && s.DiffBytes < 64,
			"%d twin, %d difference of %d B", s.Twins, s.Diffs, s.DiffBytes), nil
	})
}

// carrier counts what carries the messages of shared memory.
func (r *rows) carrier(without bool) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		right := true
		m, err := r.share(without, func(t *svm.Thread) {
			for i := range 5 {
				t.Lock(0)
				*word(t, 0) += 1
				t.Unlock(0)
				t.Barrier(uint32(i))
				right = right && *word(t, 0) == uint32(memoryNodes*(i+1))
				t.Barrier(uint32(i))
			}
		})
		if err != nil {
			return judge.Measured{}, err
		}
		defer m.Engine.Close()
		if !right {
			return judge.Measured{}, fmt.Errorf("shared memory gave a wrong value")
		}
		var protocol, vmmc uint64
		for i, n := range m.Nodes {
			for _, k := range m.system.Member(i).Stats().Messages {
				protocol += k
			}
			vmmc += n.VMMC.Stats().Messages
		}
		return holds(vmmc >= protocol && protocol > 0, "%d protocol messages, %d messages of VMMC-2", protocol, vmmc), nil
	})
}
