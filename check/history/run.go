package history

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Outcome is what a run has shown.
type Outcome struct {
	Findings  []string // what no fault explains
	Missing   []string // lost, as an error or a counter of the layer says
	Errors    []error  // of calls
	Sent, Got int      // messages, requests, replies and gets
	Net       fabric.Stats
}

// most bounds a run: in simulated time, and in events. One whose layer still sends again may take
// retrying times as many: a kernel's tries are minutes apart.
const (
	mostTime   = 10_000 * sim.Second
	mostEvents = 3_000_000
	retrying   = 10
)

// Run carries out the random program of a seed on a place, under random faults of a sort.
func Run(at platform.Place, seed uint64, sort Faults) Outcome {
	return run(at, seed, sort, func(*evidence) {})
}

// run is Run with a function that sees what is judged.
func run(at platform.Place, seed uint64, sort Faults, see func(*evidence)) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			out.find("panic: %v\n%s", r, debug.Stack())
		}
	}()
	rng := rand.New(rand.NewPCG(seed, 0x415701))
	nodes := 2 + rng.IntN(3)
	p := draw(rng, nodes, at.Traits)
	faults := sort.draw(rng, &at.Network, nodes)
	breaks := faults.Breaks
	faults.Breaks = nil
	b, err := testbed.Build(context.Background(), testbed.Spec{
		Platform: at.Name, Layer: at.Layer, Nodes: nodes, Seed: seed, Bytes: p.most, Monitor: "off", Cold: true, Silent: true,
		Profile: func(p *platform.Profile) { sort.starve(rng, p) },
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
	out.play(b, p, seed, func(e *evidence) {
		e.faults = e.faults || sort == FewBuffers
		see(e)
	})
	return
}

func (o *Outcome) find(format string, args ...any) {
	o.Findings = append(o.Findings, fmt.Sprintf(format, args...))
}

// play runs a plan on a testbed and judges what it shows.
func (o *Outcome) play(b *testbed.Testbed, p plan, seed uint64, see func(*evidence)) {
	processes := make([]*testbed.Process, len(b.Nodes))
	for i := range processes {
		if processes[i] = b.Process(i); processes[i] == nil {
			o.find("%v", b.Err())
			return
		}
	}
	if _, ok := processes[0].Endpoint.(comm.Remote); ok && !p.strict {
		p.weave(rand.New(rand.NewPCG(seed, 0x3e307e)))
	}
	log := NewLog()
	all, err := share(p, seed, processes)
	if err != nil {
		o.find("%v", err)
		return
	}
	drivers := make([]*driver, len(processes))
	programs := make([]testbed.Program, len(processes))
	for i, q := range processes {
		d := &driver{shared: all, Recorder: newRecorder(log, i, len(processes), q.Endpoint), into: map[int]host.Addr{}, seen: make([]uint64, len(processes))}
		drivers[i], programs[i] = d, testbed.On(i, d.run)
	}
	ended := b.Start(programs...)
	stuck := b.Engine.RunUntil(func() bool { return ended() || hung(b) })
	whole := ended()
	if whole { // what is still under way arrives
		b.Rest(settle)
		stuck = b.Err()
	}
	for i, q := range processes {
		var word [8]byte
		q.Space.ReadAt(all.words[i], word[:])
		log.words = append(log.words, binary.LittleEndian.Uint64(word[:]))
	}
	o.Net, o.Errors = b.Net.Stats(), log.Errors
	o.Sent, o.Got = log.Total()
	e := evidenceOf(b, log, whole)
	see(&e)
	found, missing := e.judge()
	o.Findings, o.Missing = append(o.Findings, found...), missing
	if !whole && len(o.Findings) > 0 {
		o.find("not ended at %v after %d events: %v", b.Engine.Now(), b.Engine.Events(), stuck)
		o.find("the network: %+v", o.Net)
		for i, d := range drivers {
			n := b.Nodes[i].Layer
			o.find("%s; %+v; %+v; quiet %v; silent %+v", d, n.Traffic(), n.Counts(), n.Quiet(), n.Silent())
		}
	}
}

// hung reports whether a run takes too long.
func hung(b *testbed.Testbed) bool {
	took := max(float64(b.Engine.Events())/mostEvents, sim.Duration(b.Engine.Now()).Seconds()/mostTime.Seconds())
	return took > retrying || took > 1 && !b.Retrying()
}

// settle is the time that what is under way has to arrive.
const settle = 10 * sim.Millisecond
