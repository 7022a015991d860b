package hunt

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/goal"
	"github.com/sigview/sigview/workloads/patterns"
)

// Random draws a case: a program or two on a place that carries them, with options and
// faults. A few cases are refused, because options exclude each other.
func Random(seed uint64) Case {
	d := draw{rand.New(rand.NewPCG(seed, 0))}
	c := Case{Seed: seed}
	at := pick(d, places())
	s := experiment.DefaultRun(d.programs(at))
	s.Platform, s.Layer, s.Seed = at.Name, at.Layer, 1+d.Uint64N(2) // few seeds, because each has its baselines
	s.Nodes = 2 + d.IntN(8)
	if d.chance(0.05) {
		s.Nodes = 10 + d.IntN(12)
	}
	d.size(&s)
	if strings.Contains(s.Workload, experiment.GOAL) {
		c.Schedule = d.schedule(s.Nodes)
	}
	if d.chance(0.02) {
		s.Detail = experiment.DetailFast
	} else {
		d.monitor(&s)
		d.changes(&s, at)
		if d.chance(0.5) {
			s.Faults = d.faults(s)
		}
	}
	d.clock(&s.Clock)
	if at.Name == "das-wan" { // whose layers pause for minutes: shorter rounds are too many
		s.Clock.Round *= 50
	}
	c.Spec = s
	return c
}

// places are the layers of all platforms that carry programs.
var places = sync.OnceValue(func() []platform.Place {
	all, err := platform.Places()
	if err != nil {
		panic("hunt: " + err.Error())
	}
	return slices.DeleteFunc(all, func(at platform.Place) bool { return deposit.Carries(at.Traits, 1) != nil })
})

// sizes are the smallest and the largest size of each program.
var sizes = map[string][2]float64{
	"radix": {100, 20000}, "ocean": {10, 40}, "water": {9, 40}, "gauss": {8, 80}, "dfs": {4, 60},
	"allreduce": {1, 20000}, "paramserver": {1, 20000}, "kv": {1, 200}, "blocks": {1, 100},
}

// programs draws what runs. Two programs are patterns, which have no sizes.
func (d draw) programs(at platform.Place) string {
	shapes := experiment.Names(experiment.Known().Workloads)
	name := pick(d, shapes)
	if !at.Traits.Multiprogramming || !d.chance(0.15) {
		return name
	}
	return pick(d, patterns.Shapes()).String() + "+" + pick(d, patterns.Shapes()).String()
}

// size draws how much the programs do, and nodes among which they can divide it.
func (d draw) size(s *experiment.RunSpec) {
	switch name := s.Workload; {
	case name == "fft":
		half := 3 + d.IntN(3) // √size is 8 to 32
		s.Size, s.Nodes = 1<<(2*half), 1<<(1+d.IntN(min(3, half)))
	case name == "lu":
		s.Size = int64(16 * (s.Nodes + d.IntN(3)))
		if s.Nodes > 6 {
			s.Size = int64(16 * (4 + d.IntN(4)))
		}
	case sizes[name] != [2]float64{}:
		s.Size = max(int64(d.between(sizes[name][0], sizes[name][1])), int64(s.Nodes))
		d.job(s)
	case s.IsPattern():
		s.Pattern = experiment.PatternSpec{Bytes: 4 * int(d.between(4, 2500)), Count: int(d.between(1, 40))}
		if d.chance(0.4) {
			s.Pattern.GapUs = math.Round(d.between(1, 300))
		}
		if name == "incast" {
			s.Pattern.Senders, s.Pattern.Burst = 1+d.IntN(s.Nodes-1), d.IntN(9)
		}
		if (name == "random" || name == "hotspot") && d.chance(0.5) {
			s.Pattern.Skew = math.Round(100*d.Float64()) / 100
		}
	}
}

// job draws options of a job of data centres.
func (d draw) job(s *experiment.RunSpec) {
	j := &s.Job
	if s.Workload != "allreduce" && d.chance(0.3) && s.Nodes > 2 && slices.Contains([]string{"paramserver", "kv", "blocks"}, s.Workload) {
		j.Servers = 1 + d.IntN(s.Nodes-1)
	}
	if d.chance(0.3) {
		j.ComputeUs = math.Round(d.between(1, 300))
	}
	switch s.Workload {
	case "allreduce":
		j.Algorithm = pick(d, j.Algorithm.All())
		fallthrough
	case "paramserver":
		j.Steps, j.ChunkBytes = 1+d.IntN(4), 4*int(d.between(16, 5000))
	case "kv":
		j.Items, j.ItemBytes, j.Zipf = int(d.between(1, 100)), 8*int(d.between(1, 1000)), float64(d.IntN(3))
		j.Reads, j.Writes, j.Atomics = d.IntN(10), 1+d.IntN(10), d.IntN(10)
		if d.chance(0.3) {
			j.Access = pick(d, j.Access.All())
		}
	case "blocks":
		j.Depth, j.ItemBytes = 1+d.IntN(20), 512*(1+d.IntN(20))
		j.Reads, j.Writes = d.IntN(10), 1+d.IntN(10)
		if d.chance(0.3) {
			j.DeviceUs, j.DeviceMBps = math.Round(d.between(1, 300)), math.Round(d.between(100, 10000))
		}
	}
}

// schedule draws messages that every rank sends and receives in one order.
func (d draw) schedule(ranks int) string {
	g := goal.Schedule{Ranks: make([][]goal.Op, ranks)}
	add := func(rank int, o goal.Op) {
		if n := len(g.Ranks[rank]); n > 0 && d.chance(0.8) {
			o.Requires = []int32{int32(n - 1)}
		}
		g.Ranks[rank] = append(g.Ranks[rank], o)
	}
	for tag := range int64(1 + d.IntN(40)) {
		from := d.IntN(ranks)
		to := (from + 1 + d.IntN(ranks-1)) % ranks
		if d.chance(0.3) {
			add(from, goal.Op{Kind: goal.Calc, Size: int64(d.between(1, 100_000))})
		}
		size := int64(d.between(1, 20_000))
		add(from, goal.Op{Kind: goal.Send, Size: size, Peer: to, Tag: tag})
		add(to, goal.Op{Kind: goal.Recv, Size: size, Peer: from, Tag: tag})
	}
	var b strings.Builder
	if err := g.Write(&b); err != nil {
		panic("hunt: " + err.Error())
	}
	return b.String()
}

// monitor draws what is recorded.
func (d draw) monitor(s *experiment.RunSpec) {
	if d.chance(0.3) {
		s.Build = pick(d, experiment.Builds())
	}
	if s.Build != experiment.BuildOff {
		s.Variance = d.chance(0.15)
		phases := d.phases(s.Workload)
		if len(phases) > 0 && d.chance(0.15) {
			s.Phases = []string{pick(d, phases)}
		}
	}
	if s.Build != experiment.BuildFull {
		return
	}
	if d.chance(0.4) {
		s.Trace = pick(d, experiment.TraceAll.All())
	}
	if d.chance(0.1) {
		s.Bins = sim.Duration(d.between(1, 1000)) * sim.Microsecond
	}
	if !s.Drains() {
		return
	}
	if d.chance(0.25) {
		s.Only = d.selection(s.Nodes)
	}
	if d.chance(0.25) {
		s.Ring = monitor.Ring{Bytes: 64 << d.IntN(8)}
		if d.chance(0.3) {
			s.Ring.Batch = s.Ring.Bytes / 2
		}
		if d.chance(0.3) {
			s.Ring.High = s.Ring.Bytes
		}
	}
}

func (d draw) phases(workload string) []string {
	for _, e := range experiment.Known().Workloads {
		if e.Name == workload {
			return e.Phases
		}
	}
	return nil
}

func (d draw) selection(nodes int) (s experiment.Selection) {
	switch d.IntN(7) {
	case 0:
		s.Every = int64(2 + d.IntN(8))
	case 1:
		s.Nodes = []monitor.Range{{Lo: 0, Hi: int64(d.IntN(nodes))}}
	case 2:
		s.Kinds = []string{trace.Kind(d.IntN(int(trace.Reply) + 1)).String()}
	case 3:
		s.Sizes = []monitor.Range{{Lo: 0, Hi: int64(d.between(4, 4096))}}
	case 4:
		s.Tags = []monitor.Range{{}}
	case 5:
		s.Spans = []monitor.Range{{Lo: 0, Hi: int64(d.between(1, 100))}}
	case 6:
		s.Windows = []monitor.Range{{Lo: 0, Hi: int64(d.between(1e3, 1e8))}}
	}
	return s
}

// changes draws what is changed of the machine and of libraries.
func (d draw) changes(s *experiment.RunSpec, at platform.Place) {
	s.Gang = d.chance(0.1)
	if d.chance(0.25) {
		all := experiment.CPU.All()
		d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		s.Uncontended = slices.Clone(all[:1+d.IntN(4)])
		if slices.Contains(s.Uncontended, experiment.SDMA) && !slices.Contains(s.Uncontended, experiment.Ports) {
			s.Uncontended = append(s.Uncontended, experiment.Ports)
		}
		if !slices.Contains(s.Uncontended, experiment.Ports) && d.IntN(4) == 0 {
			s.FreeAt = []int{d.IntN(2)}
		}
	}
	if network := at.Profile.FabricSpec(s.Nodes); s.Detail != experiment.DetailFast && !slices.Contains(s.Uncontended, experiment.Ports) && d.chance(0.1) {
		if ports := network.Ports(); len(ports) > 0 {
			s.FreePort = ports[d.IntN(len(ports))]
		}
	}
	if programs := s.Programs(); len(programs) > 1 && d.chance(0.2) {
		s.Quick = programs[d.IntN(len(programs))]
	}
	memory := slices.Contains([]string{"fft", "radix", "lu", "ocean", "water"}, s.Workload)
	switch {
	case memory:
		if d.chance(0.3) {
			s.Memory.Homes = pick(d, s.Memory.Homes.All())
		}
		if d.chance(0.3) {
			s.Memory.Service = pick(d, s.Memory.Service.All())
		}
		s.Memory.Check = d.chance(0.3)
		if d.chance(0.2) {
			s.Policies = append(s.Policies, experiment.MigrateHomes)
		}
	case s.Workload == "gauss" || s.Workload == experiment.GOAL:
		if ways := s.Broadcast.All(); d.chance(0.5) {
			s.Broadcast = ways[d.IntN(2)]
			if at.Traits.Multicasts && d.chance(0.5) {
				s.Broadcast = ways[2]
			}
		}
	}
	if at.Layer == "vmmc" && d.chance(0.15) {
		s.Policies = append(s.Policies, experiment.Throttle)
	}
	if len(s.Programs()) > 1 && !s.Gang && d.chance(0.3) {
		s.Policies = append(s.Policies, experiment.Coschedule)
	}
}

// clock draws the clocks.
func (d draw) clock(c *experiment.ClockSpec) {
	if d.chance(0.2) {
		c.Estimator = pick(d, c.Estimator.All())
	}
	if d.chance(0.2) {
		c.Oscillators = pick(d, c.Oscillators.All())
	}
	if d.chance(0.1) {
		c.Round = sim.Duration(d.between(2, 500)) * sim.Millisecond
	}
	c.NoPriority, c.NoInlineChecks = d.chance(0.05), d.chance(0.05)
}
