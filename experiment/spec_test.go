package experiment

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/sim"
)

// sampleCatalogue does not depend on what this build contains.
var sampleCatalogue = Catalogue{
	Workloads: []Entry{{Name: "fft"}, {Name: "pingpong"}},
	Platforms: []Entry{{Name: "shrimp"}, {Name: "ppro"}},
	Layers:    []Entry{{Name: "vmmc"}},
}

func TestRunSpec(t *testing.T) {
	require.NoError(t, DefaultRun("fft").Validate(sampleCatalogue))
	for _, c := range []struct {
		name   string
		change func(*RunSpec)
		want   string // empty: accepted
	}{
		{"unknown workload", func(s *RunSpec) { s.Workload = "ftt" }, `unknown workload "ftt", did you mean "fft"? (known: fft, pingpong)`},
		{"unknown platform", func(s *RunSpec) { s.Platform = "shrimps" }, `unknown platform "shrimps", did you mean "shrimp"?`},
		{"platform file", func(s *RunSpec) { s.Platform = "mine.toml" }, ""},
		{"unknown layer", func(s *RunSpec) { s.Layer = "vmm" }, `unknown layer "vmm", did you mean "vmmc"?`},
		{"negative size", func(s *RunSpec) { s.Size = -1 }, "size is -1, want at least 0"},
		{"one node", func(s *RunSpec) { s.Nodes = 1 }, "nodes is 1, want 0 or 2 to 1024"},
		{"1025 nodes", func(s *RunSpec) { s.Nodes = 1025 }, "nodes is 1025, want 0 or 2 to 1024"},
		{"negative nodes", func(s *RunSpec) { s.Nodes = -8 }, "nodes is -8"},
		{"64 nodes", func(s *RunSpec) { s.Nodes = 64 }, ""},
		{"unknown build", func(s *RunSpec) { s.Build = 9 }, `monitor is "monitor build(9)", want off, full, send, recv or clock`},
		{"variance without a monitor", func(s *RunSpec) { s.Build, s.Variance = BuildOff, true }, "variance is true, want a monitor build other than off"},
		{"unknown resource", func(s *RunSpec) { s.Uncontended = []Resource{"pcie"} }, `unknown resource "pcie", did you mean "pci"?`},
		{"resource twice", func(s *RunSpec) { s.Uncontended = []Resource{PCI, PCI} }, "uncontended is pci, want each resource once"},
		{"all resources", func(s *RunSpec) {
			s.Uncontended = PCI.All()
		}, ""},
		{"unknown estimator", func(s *RunSpec) { s.Clock.Estimator = "best" }, `unknown estimator "best"`},
		{"unknown oscillators", func(s *RunSpec) { s.Clock.Oscillators = "" }, `unknown oscillator set ""`},
		{"negative round", func(s *RunSpec) { s.Clock.Round = -1 }, "clock.round_ps is"},
		{"unknown homes", func(s *RunSpec) { s.Memory.Homes = "blocks" }, `did you mean "block"?`},
		{"unknown policy", func(s *RunSpec) { s.Policies = []Policy{"home"} }, `did you mean "homes"?`},
		{"policy twice", func(s *RunSpec) { s.Policies = []Policy{MigrateHomes, MigrateHomes} }, "policies is homes, want each policy once"},
		{"policy without shared memory", func(s *RunSpec) { s.Workload, s.Policies = "pingpong", []Policy{MigrateHomes} }, "want a program on shared memory"},
		{"gang policy for one program", func(s *RunSpec) { s.Policies = []Policy{Coschedule} }, "policies is gang, want several programs at once"},
		{"gang policy and gang", func(s *RunSpec) { s.Workload, s.Policies, s.Gang = "fft+pingpong", []Policy{Coschedule}, true }, "and no gang beside it"},
		{"unknown service", func(s *RunSpec) { s.Memory.Service = "poll" }, `did you mean "polling"?`},
		{"bit errors above one", func(s *RunSpec) { s.Faults.ErrorPerByte = 1.5 }, "faults.bit_error is 1.5, want 0 to below 1"},
		{"bit errors not a number", func(s *RunSpec) { s.Faults.ErrorPerByte = math.NaN() }, "faults.bit_error is NaN"},
		{"every acknowledgement lost", func(s *RunSpec) { s.Faults.DropAck = 1 }, "faults.drop_ack is 1"},
		{"stall beyond the nodes", func(s *RunSpec) {
			s.Nodes, s.Faults.Stalls = 4, []Stall{{Node: 4, For: sim.Millisecond}}
		}, "faults.stalls[0].node is 4, want 0 to 3"},
		{"stall before the start", func(s *RunSpec) { s.Faults.Stalls = []Stall{{At: -1, For: 1}} }, "faults.stalls[0].start_ps is"},
		{"empty stall", func(s *RunSpec) { s.Faults.Stalls = []Stall{{For: 1}, {Node: 1}} }, "faults.stalls[1].for_ps is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := DefaultRun("fft")
			c.change(&s)
			err := s.Validate(sampleCatalogue)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			var usage interface{ Usage() bool }
			require.True(t, errors.As(err, &usage) && usage.Usage())
		})
	}
}

// TestEveryNumberHasARange pokes every number of the specifications.
func TestEveryNumberHasARange(t *testing.T) {
	run := DefaultRun("fft")
	run.Faults.Stalls = []Stall{{For: 1}}
	boundstest.Refuses(t, "", &run, func() error { return run.Validate(sampleCatalogue) })
	clock := DefaultClockTest()
	boundstest.Refuses(t, "", &clock, func() error { return clock.Validate(sampleCatalogue) })
	logp := DefaultLogP()
	logp.Sizes = []int64{4}
	boundstest.Refuses(t, "", &logp, func() error { return logp.Validate(sampleCatalogue) })
	perturb := PerturbSpec{Platform: "ppro", Sizes: []int64{4}}
	boundstest.Refuses(t, "", &perturb, func() error { return perturb.Validate(sampleCatalogue) })
}

func TestOtherSpecs(t *testing.T) {
	require.NoError(t, DefaultClockTest().Validate(sampleCatalogue))
	for _, c := range []struct {
		name string
		spec interface{ Validate(Catalogue) error }
		want string
	}{
		{"clock, unknown load", func() ClockTestSpec { s := DefaultClockTest(); s.Load = "bsy"; return s }(), `did you mean "busy"?`},
		{"clock, no time", func() ClockTestSpec { s := DefaultClockTest(); s.Length = 0; return s }(), "for_ps is"},
		{"clock, nodes", ClockTestSpec{Platform: "ppro", Nodes: 1}, "nodes is 1"},
		{"perturb, size", PerturbSpec{Platform: "ppro", Sizes: []int64{4, 0}}, "sizes[1] is 0"},
		{"perturb, twice", PerturbSpec{Platform: "ppro", Sizes: []int64{4, 4}}, "each size once"},
		{"perturb, program", PerturbSpec{Platform: "ppro", Programs: []string{"ff"}}, `did you mean "fft"?`},
		{"perturb, platform", PerturbSpec{Platform: "pro"}, `did you mean "ppro"?`},
		{"baseline, layer", BaselineSpec{Platform: "ppro", Layer: "gm"}, `unknown layer "gm"`},
	} {
		t.Run(c.name, func(t *testing.T) { require.ErrorContains(t, c.spec.Validate(sampleCatalogue), c.want) })
	}
}

func TestSpecificationSurvivesTheManifest(t *testing.T) {
	s := DefaultRun("fft")
	s.Uncontended = []Resource{PCI, LANai}
	s.Policies = []Policy{MigrateHomes}
	s.Faults.Stalls = []Stall{{Node: 3, At: sim.Time(sim.Millisecond), For: 60 * sim.Millisecond}}
	data, err := json.Marshal(s)
	require.NoError(t, err)
	var back RunSpec
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, s, back)
}

// TestWithout: what is left of a run of several programs is a valid specification.
func TestWithout(t *testing.T) {
	s := DefaultRun("fft+gauss")
	s.Broadcast, s.Memory.Homes, s.Policies, s.Phases = "tree", "single", []Policy{MigrateHomes, Coschedule}, []string{"start"}
	require.NoError(t, s.Validate(Known()))
	fft, gauss := s.Without(1), s.Without(0)
	require.NoError(t, fft.Validate(Known()))
	require.Equal(t, []string{"start"}, fft.Phases)
	require.Equal(t, []Policy{MigrateHomes}, fft.Policies)
	require.NoError(t, gauss.Validate(Known()))
	require.EqualValues(t, "tree", gauss.Broadcast)
	require.Empty(t, gauss.Phases)
	require.Equal(t, "fft+gauss", s.Workload)
	require.Len(t, s.Policies, 2)
}

// TestEveryFieldSaysWhetherItIsWork: a field of a run's specification has the tag work, so
// that comparisons know whether to refuse runs that differ in it.
func TestEveryFieldSaysWhetherItIsWork(t *testing.T) {
	work, untagged := analysis.Work(reflect.TypeFor[RunSpec]())
	require.Empty(t, untagged)
	require.Equal(t, []string{"workload", "size", "monitor", "phases", "pattern", "schedule.sha256", "job"}, work)
}
