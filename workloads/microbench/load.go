package microbench

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Load is a program that keeps interfaces busy: every node sends messages of
// random sizes to random others with random gaps until it is stopped.
type Load struct {
	ends    []End
	eps     []*vmmc.Endpoint
	imports [][]*vmmc.Import
	buffers []host.Addr
	sizes   []int
	gap     sim.Duration
	stopped bool
}

// loadSizes are the message sizes of a Load, drawn evenly: requests, flags,
// short and long differences, pages.
func loadSizes() []int { return []int{4, 24, 64, 128, 512, 1024, 4096} }

// NewLoad sets a load up. Gap is the mean pause between two messages of a
// node, beside what sending them takes.
func NewLoad(ends []End, gap sim.Duration) (*Load, error) {
	if len(ends) < 2 || gap < 0 {
		return nil, fmt.Errorf("microbench: a load of %d nodes with pauses of %v, want at least 2 and none below 0", len(ends), gap)
	}
	l := &Load{ends: ends, sizes: loadSizes(), gap: gap}
	exports := make([]*vmmc.Export, len(ends))
	biggest := slices.Max(l.sizes)
	for i, end := range ends {
		space := host.NewSpace(fmt.Sprintf("load%d", i), end.Frames)
		ep := end.VMMC.Open(space, 0)
		in := space.Alloc(int64(biggest))
		l.buffers = append(l.buffers, space.Alloc(int64(biggest)))
		x, err := ep.Export(in, biggest, nil)
		if err != nil {
			return nil, err
		}
		exports[i] = x
		l.eps = append(l.eps, ep)
	}
	for i, ep := range l.eps {
		row := make([]*vmmc.Import, len(ends))
		for j, x := range exports {
			if i == j {
				continue
			}
			var err error
			if row[j], err = ep.Import(x); err != nil {
				return nil, err
			}
		}
		l.imports = append(l.imports, row)
	}
	return l, nil
}

// Start begins to send on every node.
func (l *Load) Start() {
	for i := range l.ends {
		draw := l.ends[i].Host.Engine().Stream(fmt.Sprintf("node%d/load", i))
		l.ends[i].Host.Go(fmt.Sprintf("load %d", i), host.Application, func(c *host.Context) { l.send(c, i, &draw) })
	}
}

// Stop ends the load after the messages that are being sent.
func (l *Load) Stop() { l.stopped = true }

func (l *Load) send(c *host.Context, i int, draw *sim.Stream) {
	for !l.stopped {
		to := draw.Below(len(l.ends) - 1)
		if to >= i {
			to++
		}
		n := l.sizes[draw.Below(len(l.sizes))]
		if err := l.eps[i].Send(c, l.buffers[i], l.imports[i][to], 0, n, trace.Meta{Kind: trace.Data}, false); err != nil {
			panic("microbench: " + err.Error())
		}
		c.Sleep(1 + draw.Upto(2*l.gap))
	}
}

// Round lets every node send one message of n bytes to every other one, in an
// order that spreads the receivers, and returns when all have been sent. It is
// the all-to-all pattern of a transpose.
func (l *Load) Round(engine *sim.Engine, n, times int) error {
	if most := slices.Max(l.sizes); n < 1 || n > most {
		return fmt.Errorf("microbench: rounds of messages of %d B, want 1 to %d", n, most)
	}
	left := len(l.ends)
	for i := range l.ends {
		l.ends[i].Host.Go(fmt.Sprintf("round %d", i), host.Application, func(c *host.Context) {
			for range times {
				for k := 1; k < len(l.ends); k++ {
					to := (i + k) % len(l.ends)
					if err := l.eps[i].Send(c, l.buffers[i], l.imports[i][to], 0, n, trace.Meta{Kind: trace.Data}, false); err != nil {
						panic("microbench: " + err.Error())
					}
				}
			}
			left--
		})
	}
	return engine.RunUntil(func() bool { return left == 0 })
}
