package cluster

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// Load sets up a program that keeps all interfaces busy with deposits: every
// node has one region, into which all others write.
func (c *Cluster) Load(gap sim.Duration) (*microbench.Load, error) {
	ports, err := deposit.Open(c.Deposits(), "load", 0)
	if err != nil {
		return nil, err
	}
	d := depositors{most: slices.Max(microbench.LoadSizes()), ports: ports}
	if err := d.connect(c); err != nil {
		return nil, err
	}
	return microbench.NewLoad(c.Hosts(), d.deposit, gap)
}

// depositors are processes, one per node, that write into one another's memory.
type depositors struct {
	most    int
	ports   []deposit.Port
	imports [][]deposit.Import // by sender and receiver
	buffers []host.Addr
}

func (d *depositors) connect(c *Cluster) (err error) {
	exports := make([]deposit.Export, len(d.ports))
	for i, p := range d.ports {
		deposit.Attendant(c.Nodes[i].Host, fmt.Sprintf("load attendant %d", i), p)
		in := p.Space().Alloc(int64(d.most))
		d.buffers = append(d.buffers, p.Space().Alloc(int64(d.most)))
		if exports[i], err = p.Export(in, d.most, nil); err != nil {
			return err
		}
	}
	for i, p := range d.ports {
		row := make([]deposit.Import, len(exports))
		for j, x := range exports {
			if i == j {
				continue
			}
			if row[j], err = p.Import(x); err != nil {
				return err
			}
		}
		d.imports = append(d.imports, row)
	}
	return nil
}

func (d *depositors) deposit(c *host.Context, from, to, n int) error {
	return d.ports[from].Send(c, d.buffers[from], d.imports[from][to], 0, n, trace.Meta{Kind: trace.Data}, false)
}
