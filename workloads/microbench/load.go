package microbench

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Load is a program that keeps interfaces busy: every node sends messages of
// random sizes to random others with random gaps until it is stopped. The
// messages are not received, so it is for layers whose messages need no
// receiver.
type Load struct {
	hosts   []*host.Host
	send    Deposit
	gap     sim.Duration
	stopped bool
}

// Deposit sends n bytes from a node to another, which does not receive them.
type Deposit func(c *host.Context, from, to, n int) error

// LoadSizes are the message sizes of a Load, drawn evenly: requests, flags,
// short and long diffs, pages.
func LoadSizes() []int { return []int{4, 24, 64, 128, 512, 1024, 4096} }

// NewLoad returns a load. Gap is the mean pause of a node between two messages.
func NewLoad(hosts []*host.Host, send Deposit, gap sim.Duration) (*Load, error) {
	if len(hosts) < 2 || gap < 0 {
		return nil, fmt.Errorf("microbench: a load of %d nodes with pauses of %v, want at least 2 and none below 0", len(hosts), gap)
	}
	return &Load{hosts: hosts, send: send, gap: gap}, nil
}

// Start begins to send on every node.
func (l *Load) Start() {
	for i, h := range l.hosts {
		draw := h.Engine().Stream(fmt.Sprintf("node%d/load", i))
		h.Go(fmt.Sprintf("load %d", i), host.Application, func(c *host.Context) { l.run(c, i, &draw) })
	}
}

// Stop ends the load after the messages that are being sent.
func (l *Load) Stop() { l.stopped = true }

func (l *Load) run(c *host.Context, i int, draw *sim.Stream) {
	sizes := LoadSizes()
	for !l.stopped {
		to := draw.Below(len(l.hosts) - 1)
		if to >= i {
			to++
		}
		l.deposit(c, i, to, sizes[draw.Below(len(sizes))])
		c.Sleep(1 + draw.Upto(2*l.gap))
	}
}

func (l *Load) deposit(c *host.Context, from, to, n int) {
	if err := l.send(c, from, to, n); err != nil {
		panic(fmt.Sprintf("microbench: %v: node %d sends %d B to node %d: %v", c.Now(), from, n, to, err))
	}
}

// Round lets every node send one message of n bytes to every other one, in an
// order that spreads the receivers, and returns when all have been sent. It is
// the all-to-all pattern of a transpose.
func (l *Load) Round(engine *sim.Engine, n, times int) error {
	if most := slices.Max(LoadSizes()); n < 1 || n > most {
		return fmt.Errorf("microbench: rounds of messages of %d B, want 1 to %d", n, most)
	}
	left := len(l.hosts)
	for i, h := range l.hosts {
		h.Go(fmt.Sprintf("round %d", i), host.Application, func(c *host.Context) {
			for range times {
				for k := 1; k < len(l.hosts); k++ {
					l.deposit(c, i, (i+k)%len(l.hosts), n)
				}
			}
			left--
		})
	}
	return engine.RunUntil(func() bool { return left == 0 })
}
