package cluster

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// Load sets up a program that keeps all interfaces busy by deposits: every
// node has one region, into which all others write.
func (c *Cluster) Load(gap sim.Duration) (*microbench.Load, error) {
	d := depositors{most: slices.Max(microbench.LoadSizes())}
	for i, n := range c.Nodes {
		if n.VMMC == nil {
			return nil, fmt.Errorf("cluster: load on layer %s, want vmmc: nobody receives its messages", c.spec.layer())
		}
		if err := d.open(n, i); err != nil {
			return nil, err
		}
	}
	if err := d.connect(); err != nil {
		return nil, err
	}
	return microbench.NewLoad(c.hosts(), d.deposit, gap)
}

// depositors are processes, one per node, that write into one another's memory.
type depositors struct {
	most    int
	eps     []*vmmc.Endpoint
	exports []*vmmc.Export
	imports [][]*vmmc.Import // by sender and receiver
	buffers []host.Addr
}

func (d *depositors) open(n *Node, i int) error {
	space := host.NewSpace(fmt.Sprintf("load%d", i), n.Frames)
	ep := n.VMMC.Open(space, 0)
	in := space.Alloc(int64(d.most))
	d.buffers = append(d.buffers, space.Alloc(int64(d.most)))
	x, err := ep.Export(in, d.most, nil)
	d.eps, d.exports = append(d.eps, ep), append(d.exports, x)
	return err
}

func (d *depositors) connect() (err error) {
	for i, ep := range d.eps {
		row := make([]*vmmc.Import, len(d.exports))
		for j, x := range d.exports {
			if i == j {
				continue
			}
			if row[j], err = ep.Import(x); err != nil {
				return err
			}
		}
		d.imports = append(d.imports, row)
	}
	return nil
}

func (d *depositors) deposit(c *host.Context, from, to, n int) error {
	return d.eps[from].Send(c, d.buffers[from], d.imports[from][to], 0, n, trace.Meta{Kind: trace.Data}, false)
}
