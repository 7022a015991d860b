package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// memorySizes are small sizes that all numbers of nodes below can divide.
var memorySizes = map[string]int64{"fft": 16384, "radix": 40000, "lu": 256, "ocean": 64, "water": 64}

func smallRun(name string, nodes int) RunSpec {
	s := DefaultRun(name)
	s.Size, s.Nodes, s.Build = memorySizes[name], nodes, BuildOff
	return s
}

// mustRun executes a specification and wants a right result.
func mustRun(t *testing.T, s RunSpec) *executed {
	t.Helper()
	r, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	for _, p := range r.programs {
		require.NoError(t, p.wrong, p.name)
	}
	return r
}

func TestMemoryProgramsOnManyNodes(t *testing.T) {
	for name := range memoryWorkloads {
		require.Contains(t, memorySizes, name)
		for i, nodes := range []int{2, 8, 16, 64} {
			if testing.Short() && nodes > 8 {
				continue
			}
			t.Run(fmt.Sprintf("%s on %d", name, nodes), func(t *testing.T) {
				s := smallRun(name, nodes)
				s.Memory.Service = s.Memory.Service.All()[i%2]
				s.Memory.Homes = s.Memory.Homes.All()[i]
				if i%2 == 1 {
					s.Policies = []Policy{MigrateHomes}
				}
				mustRun(t, s)
			})
		}
	}
}

// TestMemoryProgramsUnderFaults corrupts packets, loses acknowledgements and
// stalls a node for longer than a sender waits for its way.
func TestMemoryProgramsUnderFaults(t *testing.T) {
	for name := range memoryWorkloads {
		for _, service := range (MemorySpec{}).Service.All() {
			t.Run(name+" "+service.String(), func(t *testing.T) {
				s := smallRun(name, 8)
				s.Memory.Service = service
				if service == "polling" {
					s.Memory.Homes, s.Policies = "round-robin", []Policy{MigrateHomes}
				}
				s.Faults = FaultSpec{
					ErrorPerByte: 1e-6, DropAck: 0.001,
					Stalls: []Stall{{Node: 3, At: sim.Time(5 * sim.Millisecond), For: 60 * sim.Millisecond}},
				}
				r := mustRun(t, s)
				require.Positive(t, r.cluster.Net.Stats().Resets, "the stall was not felt")
				require.Greater(t, r.programs[0].took, 50*sim.Millisecond)
			})
		}
	}
}

// TestMisplacedHomesMove: with all homes at node 0 ocean takes much longer than with homes
// at their users. With the policy it takes hardly longer, and with right homes as long as
// without.
func TestMisplacedHomesMove(t *testing.T) {
	took := func(homes string, policies ...Policy) (float64, []trace.OnlineRow) {
		s := smallRun("ocean", 8)
		s.Policies = policies
		require.NoError(t, s.Memory.Homes.UnmarshalText([]byte(homes)))
		r := mustRun(t, s)
		run, err := r.tables(r.cluster)
		require.NoError(t, err)
		for _, o := range run.Online {
			require.NoError(t, trace.CheckRow(&o))
			require.LessOrEqual(t, o.TimeNs, run.Manifest.SimulatedNs)
		}
		return r.programs[0].took.Us(), run.Online
	}
	right, none := took("block")
	require.Nil(t, none)
	wrong, _ := took("single")
	moved, found := took("single", MigrateHomes)
	require.NotEmpty(t, found)
	require.Greater(t, wrong, 1.3*right)
	require.Less(t, moved, 1.1*right)
	same, none := took("block", MigrateHomes)
	require.NotNil(t, none)
	require.InEpsilon(t, right, same, 0.02)
}

// TestMemoryProgramsWithoutContention frees resources, some of which keep
// packets in order.
func TestMemoryProgramsWithoutContention(t *testing.T) {
	for name := range memoryWorkloads {
		for i, free := range [][]Resource{{MemBus}, {Slots}, {HDMA, Slots}, {Ports, SDMA}, {CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, SDMA, Ports}} {
			if testing.Short() && i != 2 {
				continue
			}
			t.Run(fmt.Sprint(name, free), func(t *testing.T) {
				s := smallRun(name, 8)
				s.Uncontended = free
				mustRun(t, s)
			})
		}
	}
}

// TestMemoryProgramsRepeat runs each program twice under the monitor.
func TestMemoryProgramsRepeat(t *testing.T) {
	for name := range memoryWorkloads {
		var first *trace.Run
		for range 2 {
			s := smallRun(name, 4)
			s.Build = BuildFull
			s.Memory.Homes, s.Policies = "single", []Policy{MigrateHomes}
			r := mustRun(t, s)
			run, err := r.tables(r.cluster)
			require.NoError(t, err)
			require.NotEmpty(t, run.Signature)
			if first != nil {
				require.Equal(t, first, run, name)
			}
			first = run
		}
	}
}

func TestMemoryProgramsRefuseSizes(t *testing.T) {
	for _, c := range []struct {
		name  string
		size  int64
		nodes int
		want  string
	}{
		{"fft", 1000, 4, "fft.size is 1000, want 2^m points with m even"},
		{"radix", 5, 8, "radix.nodes is 8, want 1 to 5"},
		{"lu", 500, 8, "lu.size is 500, want a multiple of the block's 16"},
		{"lu", 64, 7, "lu.nodes is 7, want a grid of at most 4 columns"},
		{"ocean", 8, 16, "ocean.nodes is 16, want 1 to size = 8"},
		{"water", 4, 8, "water.nodes is 8, want 1 to size = 4"},
	} {
		s := DefaultRun(c.name)
		s.Size, s.Nodes = c.size, c.nodes
		_, err := Run(context.Background(), s, nil)
		require.ErrorContains(t, err, c.want)
		var flaw *FieldError
		require.ErrorAs(t, err, &flaw)
	}
}

// TestRadixSource holds the published behaviour of RADIX: Source rises
// because many pages are modified and each difference reads two of them over
// the memory bus, and it rises more than what the network adds.
func TestRadixSource(t *testing.T) {
	if testing.Short() {
		t.Skip("two runs of the published size")
	}
	source := func(free ...Resource) (float64, *trace.Run) {
		s := DefaultRun("radix")
		s.Uncontended = free
		run, err := Run(context.Background(), s, nil)
		require.NoError(t, err)
		require.True(t, run.Manifest.Verified)
		for _, c := range run.Classes {
			if c.Class == "1024_to_4095" && c.Kind == "all" && c.Stage == trace.Source {
				return c.MeanNs.Value, run
			}
		}
		t.Fatal("no class of differences")
		return 0, nil
	}
	busy, run := source()
	free, _ := source(MemBus)
	require.Greater(t, busy, 1.15*free, "the memory bus takes no part")
	for _, c := range run.Classes {
		if c.Kind != "all" || c.Class == "under_128" {
			continue
		}
		switch c.Stage {
		case trace.Source:
			require.Greater(t, c.MeanNs.Value, 1.3*c.BaselineNs.Value, "%s", c.Class)
		case trace.NetMinusLANai:
			require.Less(t, c.MeanNs.Value, 1.1*c.BaselineNs.Value, "%s", c.Class)
		}
	}
}
