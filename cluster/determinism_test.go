package cluster_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// spec describes a small cluster of the shrimp profile.
func spec(t testing.TB, change func(*cluster.Spec)) cluster.Spec {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	s := cluster.Spec{
		Profile: p, Nodes: 4, Seed: 1, Options: monitor.Options{Build: monitor.Full}, Tags: 1, Kinds: []trace.Kind{trace.Data},
		Clock: cluster.Clock{Round: 20 * sim.Millisecond},
	}
	if change != nil {
		change(&s)
	}
	return s
}

// fingerprint runs a load on a cluster with errors, a stalled receiver and
// clocks, and returns a digest of every event and of all that was recorded.
func fingerprint(t *testing.T, seed uint64, change func(*cluster.Spec)) string {
	c, err := cluster.New(spec(t, func(s *cluster.Spec) {
		s.Seed = seed
		s.Faults = fabric.Faults{ErrorPerByte: 1e-5, Stalls: []fabric.Stall{{Node: 2, At: sim.Time(150 * sim.Millisecond), For: 60 * sim.Millisecond}}}
		s.Profile.Clock.WarmRounds = 8
		if change != nil {
			change(s)
		}
	}))
	require.NoError(t, err)
	defer c.Engine.Close()
	require.NoError(t, c.Warm())
	c.Record()
	load, err := c.Load(60 * sim.Microsecond)
	require.NoError(t, err)
	load.Start()
	require.Less(t, c.Engine.Now(), sim.Time(140*sim.Millisecond))
	require.NoError(t, c.Engine.Run(sim.Time(250*sim.Millisecond)))
	h := fnv.New64a()
	for _, s := range c.Snapshots() {
		for b := range s.Bins() {
			fmt.Fprintf(h, "%+v\n", b)
		}
		fmt.Fprintf(h, "%+v\n", s.Losses())
	}
	for _, n := range c.Nodes {
		fmt.Fprintf(h, "%+v %+v %+v\n", n.NIC.Stats(), n.VMMC.Stats(), n.Monitor.Stats())
	}
	fmt.Fprintf(h, "%+v\n", c.Net.Stats())
	return fmt.Sprintf("fingerprint %016x of %d events, %016x of what was recorded", c.Engine.Digest(), c.Engine.Events(), h.Sum64())
}

const childVariable = "SIGVIEW_TEST_FINGERPRINT"

// TestSameSeedSameRun: a run is a function of its specification and seed,
// whatever the process around it is like.
func TestSameSeedSameRun(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		fmt.Println(fingerprint(t, 7, nil))
		return
	}
	want := fingerprint(t, 7, nil)
	require.Equal(t, want, fingerprint(t, 7, nil))
	require.NotEqual(t, want, fingerprint(t, 8, nil))
	for _, env := range [][]string{
		{"GOMAXPROCS=1"}, {"GOMAXPROCS=7", "GOGC=5"}, {"GOGC=off", "TZ=Asia/Kathmandu"}, {"TZ=America/St_Johns", "LANG=tr_TR.UTF-8", "GODEBUG=madvdontneed=1"},
	} {
		child := exec.Command(os.Args[0], "-test.run=^TestSameSeedSameRun$", "-test.v")
		child.Env = append(append(os.Environ(), childVariable+"=1"), env...)
		child.Dir = t.TempDir()
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, strings.Split(string(out), "\n"), want, "%v:\n%s", env, out)
	}
}

// TestSwitchesMatter: what a specification can switch changes the run; a
// switch that is connected to nothing would not.
func TestSwitchesMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("20 runs")
	}
	seen := map[string]string{"nothing": fingerprint(t, 7, nil)}
	for _, x := range []struct {
		name   string
		change func(*cluster.Spec)
	}{
		{"build", func(s *cluster.Spec) { s.Build = monitor.Send }},
		{"variance", func(s *cluster.Spec) { s.Variance = true }},
		{"estimator", func(s *cluster.Spec) { s.Estimator = clock.Cristian }},
		{"oscillators", func(s *cluster.Spec) { s.Oscillators = "harsh" }},
		{"round", func(s *cluster.Spec) { s.Round = 30 * sim.Millisecond }},
		{"wander", func(s *cluster.Spec) { s.WanderPerRound = true; s.Round = 50 * sim.Millisecond }},
		{"I/O bus", func(s *cluster.Spec) { s.Hosts.IOBus = true }},
		{"processor", func(s *cluster.Spec) { s.Cards.Processor = true }},
		{"host DMA", func(s *cluster.Spec) { s.Cards.HostDMA = true }},
		{"SRAM", func(s *cluster.Spec) { s.Cards.SRAM = true }},
		{"slots", func(s *cluster.Spec) { s.Cards.Slots = true }},
		{"ports", func(s *cluster.Spec) { s.Ports = true }},
		{"priority", func(s *cluster.Spec) { s.NoPriority = true }},
		{"inline checks", func(s *cluster.Spec) { s.NoInlineChecks = true }},
		{"errors", func(s *cluster.Spec) { s.Faults.ErrorPerByte = 0 }},
		{"stall", func(s *cluster.Spec) { s.Faults.Stalls = nil }},
		{"packets", func(s *cluster.Spec) { s.Trace = monitor.TracePackets }},
	} {
		got := fingerprint(t, 7, x.change)
		for name, other := range seen {
			require.NotEqual(t, other, got, "%s as with %s", x.name, name)
		}
		seen[x.name] = got
	}
	free := fingerprint(t, 7, func(s *cluster.Spec) {
		s.Cards, s.Ports, s.Faults = ni.Uncontended{NetDMA: true}, true, fabric.Faults{}
	})
	require.NotEqual(t, free, fingerprint(t, 7, func(s *cluster.Spec) { s.Ports, s.Faults = true, fabric.Faults{} }))
}
