// Package jobs tests what all jobs of data centres have to do.
package jobs

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Job is a program of a data centre.
type Job interface {
	Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error
	Err() error
	Verify() (how string, wrong error)
}

// Test is what All tests of a job.
type Test[S any, J Job] struct {
	New     func(S) (J, error)
	Nodes   func(S) int
	Specs   []S // programs of different forms
	Long    []S // programs with so many packets that errors of the network hit some
	Check   func(t *testing.T, s S, job J, how string)
	Seeded  func(seed uint64, on *cluster.Spec) S // a program that runs differently with each seed
	Refused map[string]S                          // by the field that the error names
}

// World is a job that has run on a cluster without a monitor.
type World[J Job] struct {
	*cluster.Cluster
	Job J
}

// Cluster returns a cluster for a job. Change, which may be nil, may change it.
func (x *Test[S, J]) Cluster(tb testing.TB, s S, change func(*cluster.Spec)) *cluster.Cluster {
	tb.Helper()
	spec := cluster.Spec{Nodes: x.Nodes(s), Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	on(tb, "shrimp", "")(&spec)
	if change != nil {
		change(&spec)
	}
	c, err := cluster.New(spec)
	require.NoError(tb, err)
	tb.Cleanup(c.Engine.Close)
	return c
}

// Run runs a job to its end. Change and begin, which may be nil, may change the cluster, and then its
// network and layers.
func (x *Test[S, J]) Run(tb testing.TB, s S, change func(*cluster.Spec), begin func(*cluster.Cluster, []deposit.Node)) World[J] {
	tb.Helper()
	c := x.Cluster(tb, s, change)
	job, err := x.New(s)
	require.NoError(tb, err)
	nodes := c.Deposits()
	if begin != nil {
		begin(c, nodes)
	}
	ended := false
	require.NoError(tb, job.Start(nodes, c.Instrument(0), 0, func() { ended = true }))
	require.NoError(tb, c.Engine.RunUntil(func() bool { return ended }))
	require.NoError(tb, job.Err())
	return World[J]{c, job}
}

// Verified runs a job to its end and checks its result.
func (x *Test[S, J]) Verified(t *testing.T, s S, change func(*cluster.Spec)) World[J] {
	t.Helper()
	w := x.Run(t, s, change, nil)
	how, wrong := w.Job.Verify()
	require.NoError(t, wrong)
	x.Check(t, s, w.Job, how)
	return w
}

// places are layers that carry programs in different ways.
var places = [][2]string{
	{"shrimp", "vmmc"}, {"ppro", "gam"}, {"ppro", "fm"}, {"gm-p3", "gm"}, {"das-wan", "tcp"}, {"linux-udp", "datagram"}, {"grim-p3-lanai9", "grim"},
}

func on(tb testing.TB, name, layer string) func(*cluster.Spec) {
	p, err := platform.Load(name)
	require.NoError(tb, err)
	return func(s *cluster.Spec) { s.Profile, s.Layer = p, layer }
}

// All runs the job in all its forms in all places, with packets that overtake one another and over
// errors of the network, twice with a seed, and has it refuse specifications.
func (x *Test[S, J]) All(t *testing.T) {
	for _, at := range places {
		for i, s := range x.Specs {
			t.Run(fmt.Sprint(at, i), func(t *testing.T) { x.Verified(t, s, on(t, at[0], at[1])) })
		}
	}
	t.Run("overtaking", func(t *testing.T) {
		for _, s := range append(x.Specs[:len(x.Specs):len(x.Specs)], x.Long...) {
			x.Verified(t, s, func(c *cluster.Spec) {
				c.Ports, c.Cards.NetDMA = true, true
				c.Cards.HostDMA, c.Cards.Slots, c.Hosts.IOBus, c.Cards.Processor = true, true, true, true
			})
		}
	})
	t.Run("errors", func(t *testing.T) {
		for _, s := range x.Long {
			w := x.Verified(t, s, func(c *cluster.Spec) { c.Faults.ErrorPerByte = 1e-6 })
			require.NotZero(t, w.Net.Stats().Detected)
		}
	})
	t.Run("same seed, same run", x.seeds)
	t.Run("refused", x.refused)
}

func (x *Test[S, J]) seeds(t *testing.T) {
	digest := func(seed uint64) uint64 {
		spec := cluster.Spec{Seed: 1}
		s := x.Seeded(seed, &spec)
		return x.Run(t, s, func(c *cluster.Spec) { c.Seed = spec.Seed }, nil).Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func (x *Test[S, J]) refused(t *testing.T) {
	for field, s := range x.Refused {
		_, err := x.New(s)
		var wrong *bounds.Error
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field)
	}
}

// Flip changes a byte of the nth packet that is one of these, which no checksum shows. It returns how many
// of these came.
func Flip(n *fabric.Net, nth, at int, by byte, of func(*fabric.Packet) bool) *int {
	seen := 0
	n.DropWhen(func(p *fabric.Packet) bool {
		if of(p) {
			if seen++; seen == nth {
				p.Data()[at] ^= by
			}
		}
		return false
	})
	return &seen
}
