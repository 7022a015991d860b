// Package rig runs programs of shared memory on an ideal network, for tests.
package rig

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
)

const us = sim.Microsecond

// pentium is a 166 MHz Pentium as the platform assumes it.
func pentium() host.Spec {
	return host.Spec{
		CPUs: 1, Clock: sim.Hz(166e6), CacheLine: 32, L2KB: 512,
		Ops:    host.Ops{Flop: 15_000, Int: 6_000, Load: 12_000, Store: 12_000},
		MemBus: 180e6, MemRead: 110e6, MemWrite: 80e6, CopyHit: 110e6, CopyMiss: 45e6,
		IOBus: 133e6, PIOWrite: 150_000, PIOLine: 1_200_000, PIORead: 500_000,
		PollNotice: us / 5, Interrupt: host.Interrupt{Delivery: 2 * us, Entry: 12 * us, Return: 6 * us},
	}
}

// App is a program of shared memory.
type App interface {
	Layout() *svm.Layout
	Load(*svm.System) error
	Run(*svm.Thread)
}

// World is an app that has run.
type World struct {
	Engine *sim.Engine
	System *svm.System
	Net    *ideal.Network
}

// Run runs the app to its end. Change, which may be nil, may change how.
func Run(t testing.TB, seed uint64, app App, change func(*svm.Spec, *ideal.Spec)) *World {
	t.Helper()
	w := &World{Engine: sim.New(seed)}
	s := svm.Spec{Layout: app.Layout(), Costs: svm.Costs{
		Fault: 15 * us, Protect: 5 * us, Handler: 5 * us, Notice: us / 2, DiffRun: us / 3, DiffWord: 10_000,
		Poll: us / 5, PollEvery: 100 * us,
	}}
	net := ideal.Spec{SendCost: 3 * us, Latency: 10 * us, Rate: 100e6}
	if change != nil {
		change(&s, &net)
	}
	var err error
	w.System, err = svm.NewSystem(s)
	require.NoError(t, err)
	var hosts []*host.Host
	for i := range app.Layout().Nodes() {
		h := host.New(w.Engine, fmt.Sprint("node", i), new(pentium()), host.Uncontended{})
		hosts = append(hosts, h)
	}
	w.Net, err = ideal.Connect(w.Engine, w.System, hosts, net)
	require.NoError(t, err)
	require.NoError(t, app.Load(w.System))
	require.NoError(t, w.System.Start(app.Run, nil))
	require.NoError(t, w.Engine.Run(sim.Never))
	require.NoError(t, w.System.Err())
	w.Engine.Close()
	return w
}

// modes returns combinations of home placement and service under which a
// program must be correct, with and without homes that move and the check of slices
// kept too long, on a network that varies the order of messages of different senders.
func modes(i int, jitter sim.Duration) (svm.Homes, func(*svm.Spec, *ideal.Spec)) {
	return svm.Homes(i % 3), func(s *svm.Spec, n *ideal.Spec) {
		s.Service, s.Check, s.Migrate, n.Jitter = svm.Service(i/3%2), i%4 == 1, i%5 < 2, jitter
	}
}
