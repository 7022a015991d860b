package testbed

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// SendNumbers sends n messages of one word each, counted from first.
func SendNumbers(t T, c *host.Context, ep comm.Endpoint, to, first, n int) {
	t.Helper()
	for i := range n {
		at := ep.Buffer(4)
		ep.Space().Store32(at, uint32(first+i))
		if err := ep.Send(c, to, at, 4, trace.Meta{Kind: trace.Message}); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// ReceiveNumbers receives n such messages of one sender in place and requires their order.
func ReceiveNumbers(t T, c *host.Context, ep comm.Endpoint, from, first, n int) {
	t.Helper()
	for i := range n {
		m, err := ep.Receive(c, from, 0, 4)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got := ep.Space().Load32(m.At); m.From != from || got != uint32(first+i) {
			t.Fatalf("number %d of node %d, want %d of node %d", got, m.From, first+i, from)
		}
	}
}
