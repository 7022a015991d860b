package calibrate

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// messages is how many messages the model sends each way: its latencies vary only by the main loop.
const messages = 50

// seed is that of the model's clocks.
const seed = 1

// model is a platform that is fitted.
type model struct {
	platform.Place
	ctx context.Context
}

// stages returns the mean latencies of messages of a size under the conditions of a run.
func (m model) stages(size int64, how conditions) (out latencies, err error) {
	if err := m.ctx.Err(); err != nil {
		return out, err
	}
	c, err := cluster.Warmed(cluster.Of(m.Place, 2, seed, monitor.Full))
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	both, err := c.Processes(0, int(size))
	if err != nil {
		return out, err
	}
	c.Record()
	x := exchange{bytes: int(size), gap: sim.Microseconds(1e6 / how.Rate), oneWay: how.Pattern == oneWay, both: both}
	if err := c.Run(x.first, x.second); err != nil {
		return out, err
	}
	if x.err != nil {
		return out, x.err
	}
	snap, err := c.Histograms()
	if err != nil {
		return out, err
	}
	for i, stage := range trace.RecordedStages() {
		found, err := snap.Moments(histo.Query{Stage: stage})
		if err != nil {
			return out, err
		}
		out[i] = found.MeanNs / 1000
	}
	out[0] += x.late.Us() / messages
	return out, nil
}

// exchange is a program of two nodes: round trips, or messages one way at a rate.
type exchange struct {
	bytes  int
	gap    sim.Duration
	oneWay bool
	both   []*cluster.Process
	late   sim.Duration // of all messages that were sent after their time
	err    error
}

func (x *exchange) first(c *host.Context) {
	begin := c.Now()
	for i := range messages {
		if !x.oneWay {
			x.send(c, 0)
			x.receive(c, 0)
			continue
		}
		due := begin.Add(sim.Duration(i) * x.gap)
		if now := c.Now(); now < due {
			c.Sleep(due.Sub(now))
		}
		x.late += c.Now().Sub(due)
		x.send(c, 0)
	}
}

func (x *exchange) second(c *host.Context) {
	for range messages {
		x.receive(c, 1)
		if !x.oneWay {
			x.send(c, 1)
		}
	}
}

func (x *exchange) send(c *host.Context, node int) {
	e := x.both[node].Endpoint
	x.keep(e.Send(c, 1-node, e.Buffer(x.bytes), x.bytes, trace.Meta{Kind: trace.Data}))
}

func (x *exchange) receive(c *host.Context, node int) {
	e := x.both[node].Endpoint
	_, err := e.Receive(c, comm.Anyone, e.Buffer(x.bytes), x.bytes)
	x.keep(err)
}

func (x *exchange) keep(err error) {
	if x.err == nil {
		x.err = err
	}
}

// parameters returns the LogP parameters of messages of a size.
func (m model) parameters(size int) (logp.Params, error) {
	r, err := measure.New(m.ctx, m.Place, seed).Fragments(size)
	if err != nil {
		err = fmt.Errorf("LogP parameters of the model, %d B: %w", size, err)
	}
	return r.Params, err
}
