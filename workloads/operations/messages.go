package operations

import (
	"fmt"

	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Messages plays message passing: messages to one node and to all, of sizes up to the
// largest. All end where the largest does, as the rest of a matrix's row. A node
// sends from memory that it has not sent before, and receives into the same memory. Half of the receives are posted when the message
// has arrived.
type Messages struct {
	Most int // bytes
	Seed uint64
}

// sendings is how many messages of a kind each node sends.
const sendings = 256

// late is longer than any pause and message.
const late = 4 * gap

// Run is the program of a process.
func (m Messages) Run(p *nx.Process) error {
	random := sim.NewStream(m.Seed, fmt.Sprintf("workloads/operations/messages%d", p.Node()))
	received := p.Alloc(int64(m.Most))
	for i := range 2 * sendings {
		n := max(8, m.Most*(i/2+1)/sendings/8*8)
		offset := host.Addr(m.Most - n)
		for node := range 2 {
			to := 1 - node
			if i%2 == 0 {
				to = nx.Any
			}
			pause(p.Context(), &random)
			if p.Node() != node && i/2%2 == 0 {
				p.Context().Sleep(late)
			}
			var err error
			if p.Node() == node {
				err = p.Csend(i, p.Alloc(int64(m.Most))+offset, n, to)
			} else {
				err = p.Crecvx(i, received+offset, n, node)
			}
			if err != nil {
				return err
			}
		}
	}
	return p.Gsync()
}

// Verify says what was checked: the library itself checks types, lengths and order.
func (m Messages) Verify() (how string, wrong error) { return "every message was received", nil }
