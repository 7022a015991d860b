package team

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Stride is the distance in memory of messages of up to so many bytes: none crosses a page that
// need not.
func Stride(bytes int) int {
	n := min(max(8, 1<<bits.Len(uint(bytes-1))), host.PageBytes)
	return (bytes + n - 1) / n * n
}

// Buffers makes the buffers of Buffer, for messages of up to so many bytes.
func (m *Member) Buffers(bytes int) {
	m.stride = Stride(bytes)
	m.outs = m.Space.Alloc(int64(m.buffers() * m.stride))
}

// buffers returns after how many sends a buffer may be written again.
func (m *Member) buffers() int { return m.Port.Depth() + 1 }

// Buffer returns the next buffer to send from. Every buffer has to be sent before the next is
// taken.
func (m *Member) Buffer() host.Addr {
	at := m.outs + host.Addr(m.next*m.stride)
	m.next = (m.next + 1) % m.buffers()
	return at
}

// word returns an aligned word of eight bytes in the process's memory.
func (m *Member) word() host.Addr {
	if m.words.Offset() == 0 {
		m.words = m.Space.Alloc(host.PageBytes)
	}
	at := m.words
	m.words += 8
	return at
}

// Send deposits n bytes.
func (m *Member) Send(at host.Addr, to deposit.Import, offset, n int, meta trace.Meta) {
	was := m.X.Enter(host.Messaging)
	err := m.Port.Send(m.X, at, to, offset, n, meta, false)
	m.X.Enter(was)
	if err != nil {
		m.Fail(fmt.Errorf("node %d at %v: %w", m.ID, m.X.Now(), err))
	}
}

// Read charges the time to read n bytes that have arrived.
func (m *Member) Read(n int) {
	was := m.X.Enter(host.Messaging)
	m.X.MemRead(n)
	m.X.Enter(was)
}

// Wait spins until something has arrived. The caller checks its condition in a loop.
func (m *Member) Wait(reason string) {
	was := m.X.Enter(host.MessageWait)
	m.Port.Wait(m.X, &m.Wake, reason)
	m.X.Enter(was)
}

// Fail ends the program early. It does not return.
func (m *Member) Fail(err error) {
	if m.team.stopped == nil {
		m.team.stopped = fmt.Errorf("%s: %w", m.team.name, err)
		m.team.end()
	}
	var never host.Watch
	for {
		m.X.Block(&never, "nothing: the program has failed")
	}
}

// leave ends a process. On a layer whose hosts poll, it polls until all processes have ended.
func (m *Member) leave() {
	t := m.team
	if t.running--; t.running == 0 {
		t.end()
		for _, other := range t.Members {
			other.Wake.Fire()
		}
	}
	for t.running > 0 && m.Port.Polled() {
		m.Wait("the end of the other nodes")
	}
}
