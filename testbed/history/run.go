package history

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// Outcome is what a run has shown.
type Outcome struct {
	Findings  []string // what no fault explains
	Missing   []string // lost, as an error or a counter of the layer says
	Errors    []error  // of calls
	Sent, Got int      // messages, requests, replies and gets
	Net       fabric.Stats
}

// most bounds a run: in simulated time, and in events.
const (
	mostTime   = 1_000_000 * sim.Second // a kernel doubles the time before each retry
	mostEvents = 3_000_000
)

// Run carries out the random program of a seed on a place, under random faults of a sort.
func Run(at platform.Place, seed uint64, sort Faults) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			out.find("panic: %v\n%s", r, debug.Stack())
		}
	}()
	rng := rand.New(rand.NewPCG(seed, 0x415701))
	nodes := 2 + rng.IntN(3)
	p := draw(rng, nodes, at.Traits)
	faults := sort.draw(rng, nodes)
	breaks := faults.Breaks
	faults.Breaks = nil
	b, err := testbed.Build(context.Background(), testbed.Spec{
		Platform: at.Name, Layer: at.Layer, Nodes: nodes, Seed: seed, Bytes: p.most, Monitor: "off", Cold: true, Silent: true,
		Cluster: func(s *cluster.Spec) { s.Faults = faults },
	})
	if err != nil {
		out.find("%v", err)
		return
	}
	defer b.Engine.Close()
	for _, x := range breaks {
		if len(b.Net.Route(x.From, x.To)) < 3 {
			continue // both nodes are at one switch
		}
		if err := b.Net.Break(x); err != nil {
			out.find("%v", err)
		}
	}
	out.play(b, p, seed)
	return
}

func (o *Outcome) find(format string, args ...any) {
	o.Findings = append(o.Findings, fmt.Sprintf(format, args...))
}

// play runs a plan on a bed and judges what it shows.
func (o *Outcome) play(b *testbed.Bed, p plan, seed uint64) {
	processes := make([]*testbed.Process, len(b.Nodes))
	for i := range processes {
		if processes[i] = b.Process(i); processes[i] == nil {
			o.find("%v", b.Err())
			return
		}
	}
	all, log := share(p, seed, processes), NewLog()
	drivers := make([]*driver, len(processes))
	programs := make([]testbed.Program, len(processes))
	for i, q := range processes {
		d := &driver{shared: all, Recorder: Record(log, i, len(processes), q.Endpoint), into: map[int]host.Addr{}}
		drivers[i], programs[i] = d, testbed.On(i, d.run)
	}
	ended := b.Start(programs...)
	last := b.Engine.Now().Add(mostTime)
	stuck := b.Engine.RunUntil(func() bool {
		return ended() || b.Engine.Now() > last || b.Engine.Events() > mostEvents
	})
	whole := ended()
	if whole { // what is still under way arrives
		b.Rest(settle)
		stuck = b.Err()
	}
	o.Net, o.Errors = b.Net.Stats(), log.Errors
	o.Sent, o.Got = log.Total()
	o.judge(b, log.Judge(), whole)
	if !whole && len(o.Findings) > 0 {
		o.find("not ended at %v after %d events: %v", b.Engine.Now(), b.Engine.Events(), stuck)
		o.find("the network: %+v", o.Net)
		for i, d := range drivers {
			n := b.Nodes[i].Layer
			o.find("%s; %+v; %+v; quiet %v", d, n.Traffic(), n.Counts(), n.Quiet())
		}
	}
}

// judge explains what is missing, if it can: by an error, by a counter, or by a fault if the
// layer's traits say that it does not repair any.
func (o *Outcome) judge(b *testbed.Bed, v Verdict, whole bool) {
	if o.Net.Undetected > 0 { // no layer can tell
		return
	}
	o.Findings = append(o.Findings, v.Wrong...)
	network := b.Net.Spec()
	faultless := !network.Faults.Any() && o.Net.Severed == 0 && b.Place.Traits.Promises.Reliable
	for _, err := range o.Errors {
		if faultless {
			o.find("an error without a fault: %v", err)
		}
	}
	switch told := len(o.Errors) > 0 || b.Lost() > 0 || b.Place.Traits.Errors == "Catastrophic" && lost(&o.Net) > 0; {
	case told && !faultless:
		o.Missing = v.Missing
	case !whole && len(v.Missing) == 0:
		o.find("all has arrived, and the program does not end")
	default:
		o.Findings = append(o.Findings, v.Missing...)
	}
}

// lost returns how many packets the network has lost or damaged.
func lost(n *fabric.Stats) uint64 { return n.Dropped + n.ResetLost + n.Hit }

// settle is the time that what is under way has to arrive.
const settle = 10 * sim.Millisecond
