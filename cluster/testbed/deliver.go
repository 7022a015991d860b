package testbed

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Deliver sends messages of the given sizes from node 0 to node 1, which
// receives each and answers every turn-th one with a message of the same size. It
// fails the test unless all bytes arrive as sent and in order. Sizes are limited to
// the layer's longest message.
func (r *Test) Deliver(seed uint64, turn int, sizes ...int) {
	r.T.Helper()
	t := r.Procs[0].Endpoint.Traits()
	if !t.Consumes {
		turn = 1 // or messages would overwrite one another
	}
	for i, n := range sizes {
		sizes[i] = max(n, t.MinBytes)
		if t.MaxBytes > 0 {
			sizes[i] = min(sizes[i], t.MaxBytes)
		}
	}
	r.Go(
		func(c *host.Context, p *Process) {
			m := r.mailbox(p, sizes)
			for i, n := range sizes {
				if (i+1)%turn == 0 {
					m.post(c, 1, n)
				}
				m.send(c, 1, n, seed+uint64(i))
				if (i+1)%turn == 0 {
					m.receive(c, 1, n, seed+uint64(i)+1<<32)
				}
			}
		},
		func(c *host.Context, p *Process) {
			m := r.mailbox(p, sizes)
			for i, n := range sizes {
				m.post(c, 0, n)
				m.receive(c, 0, n, seed+uint64(i))
				if (i+1)%turn == 0 {
					m.send(c, 0, n, seed+uint64(i)+1<<32)
				}
			}
		})
}

// mailbox is a process's buffers.
type mailbox struct {
	*Process
	testbed *Testbed
	out, in host.Addr
	most    int
}

func (r *Test) mailbox(p *Process, sizes []int) *mailbox {
	most := slices.Max(append([]int{1}, sizes...))
	return &mailbox{p, r.Testbed, p.Endpoint.Buffer(most), p.Space.Alloc(int64(most)), most}
}

// Pattern returns n pseudo-random bytes of a seed.
func Pattern(seed uint64, n int) []byte {
	g := rand.New(rand.NewPCG(seed, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

func (m *mailbox) send(c *host.Context, to, n int, seed uint64) {
	m.Space.WriteAt(m.out, Pattern(seed, n))
	m.testbed.Keep(m.Endpoint.Send(c, to, m.out, n, trace.Meta{Kind: trace.Message}))
	if !m.Endpoint.Traits().Synchronous { // the next message overwrites the buffer
		m.out = m.Endpoint.Buffer(m.most)
	}
}

func (m *mailbox) post(c *host.Context, from, n int) {
	m.testbed.Keep(m.Endpoint.Post(c, from, m.in, n))
}

func (m *mailbox) receive(c *host.Context, from, n int, seed uint64) {
	into := m.in
	if m.Endpoint.Traits().InPlace {
		into = 0
	}
	got, err := m.Endpoint.Receive(c, from, into, n)
	if !m.testbed.Keep(err) {
		return
	}
	data := make([]byte, n)
	m.Space.ReadAt(got.At, data)
	if want := (comm.Message{From: from, Bytes: n, At: got.At}); got != want {
		m.testbed.Fail("message %+v, want %+v", got, want)
	} else if !bytes.Equal(Pattern(seed, n), data) {
		m.testbed.Fail("%d bytes from node %d differ from those that it sent", n, from)
	}
}
