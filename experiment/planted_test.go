package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// sort is a sort of cause that can be planted.
type sort struct {
	name     string
	programs []string
	plant    func(*planting, *rand.Rand)
	// named says what the first finding has to say to name the cause. It is decided before
	// any result is looked at.
	named func(f causal.Finding, node int) bool
}

// planting is a cause of one sort in a run.
type planting struct {
	sort
	spec   RunSpec
	node   int
	what   string
	others platform.Overlay        // of the node
	lossy  float64                 // share of the packets lost on the node's link into the network
	app    func(nodes int) program // instead of the named program
	app0   func(nodes int) program // the same without the cause
}

// at reports whether a finding says that the resource is the node's.
func at(f causal.Finding, node int) bool { return f.At != nil && *f.At == node }

// by reports whether a finding says that the culprit is on the node.
func by(f causal.Finding, node int) bool { return f.Node != nil && *f.Node == node }

var sorts = []sort{
	{
		name: "slow I/O bus of a node", programs: []string{"fft", "lu", "ocean", "random", "radix"},
		plant: func(p *planting, r *rand.Rand) {
			by := 4 + r.IntN(13)
			p.others = overlay(p, fmt.Sprintf("host = {io_bus_mbps = %q}", fmt.Sprintf("/%d", by)))
			p.what = fmt.Sprintf("%d times as slow", by)
		},
		// the bus, or the engine that moves packets over it, of that node
		named: func(f causal.Finding, node int) bool {
			return at(f, node) && (f.Resource == waits.IOBus.String() || f.Resource == waits.HostDMA.String())
		},
	},
	{
		name: "small receive ring of a node", programs: []string{"random", "hotspot", "stream", "prodcons", "queue"},
		// at a node to which many packets are sent, faster than they come to the host
		plant: func(p *planting, r *rand.Rand) {
			room := 1 + r.IntN(2)
			p.spec.Pattern.Bytes, p.spec.Pattern.GapUs = 1<<(10+r.IntN(5)), float64(10+r.IntN(90))
			switch p.spec.Workload {
			case "hotspot", "queue":
				p.node = 0
			case "stream":
				p.node |= 1
			case "prodcons":
				p.node = p.spec.Nodes/2 + p.node/2
			}
			p.others = overlay(p, fmt.Sprintf("ni = {receive_buffers = %d}", room))
			p.what = fmt.Sprintf("%d packets", room)
		},
		// the receive ring of that node
		named: func(f causal.Finding, node int) bool { return at(f, node) && f.Resource == waits.Ring.String() },
	},
	{
		name: "hot home", programs: []string{"fft", "radix", "lu", "ocean", "water"},
		plant: func(p *planting, _ *rand.Rand) {
			p.node, p.spec.Memory.Homes, p.what = 0, "single", "all pages"
		},
		// a resource of that node, or it is the culprit
		named: func(f causal.Finding, node int) bool { return at(f, node) || by(f, node) },
	},
	{
		name: "unfair lock", programs: []string{"radix"}, // replaced by one of the test's own
		plant: func(p *planting, r *rand.Rand) {
			rounds, section := 5+r.IntN(11), sim.Duration(20+r.IntN(80))*sim.Microsecond
			long := section * sim.Duration(10+r.IntN(41))
			p.app = locking(p.node, rounds, section, long)
			p.app0 = locking(p.node, rounds, section, section)
			p.what = fmt.Sprintf("held for %v instead of %v", long, section)
		},
		// waiting for a lock while that node has it
		named: func(f causal.Finding, node int) bool { return f.Cause == "lock convoy" && by(f, node) },
	},
	{
		name: "stalled node", programs: []string{"fft", "lu", "ocean", "radix", "random"},
		plant: func(p *planting, r *rand.Rand) {
			s := fabric.Stall{Node: p.node, At: sim.Time(1+r.IntN(10)) * sim.Time(sim.Millisecond), For: sim.Duration(10+r.IntN(30)) * sim.Millisecond}
			p.spec.Faults.Stalls, p.what = []fabric.Stall{s}, fmt.Sprintf("for %v", s.For)
		},
		// that node takes no packets
		named: func(f causal.Finding, node int) bool { return at(f, node) && f.Resource == waits.Ring.String() },
	},
	{
		name: "lossy link", programs: []string{"fft", "lu", "ocean", "radix", "random"},
		plant: func(p *planting, r *rand.Rand) {
			p.lossy = 0.01 * float64(1+r.IntN(10))
			p.what = fmt.Sprintf("%.0f %% of the packets", 100*p.lossy)
		},
		// timeouts for packets of that node
		named: func(f causal.Finding, node int) bool { return at(f, node) && f.Resource == waits.Timer.String() },
	},
}

func overlay(p *planting, text string) platform.Overlay {
	all, err := platform.ParseOverlays("planted", []byte("planted = {"+text+"}"))
	if err != nil {
		panic(err)
	}
	return all.Of("planted")
}

// plantedSizes are small.
var plantedSizes = map[string]int64{"fft": 16384, "radix": 40000, "lu": 128, "ocean": 32, "water": 32}

// draw draws a planting of a sort.
func draw(s sort, r *rand.Rand) *planting {
	name := s.programs[r.IntN(len(s.programs))]
	p := &planting{sort: s, spec: DefaultRun(name)}
	p.spec.Platform = []string{"shrimp", "ppro"}[r.IntN(2)]
	p.spec.Nodes = []int{4, 8}[r.IntN(2)]
	p.spec.Size, p.spec.Seed, p.spec.Trace = plantedSizes[name], 1+r.Uint64N(1000), TraceWaits
	if p.spec.Size == 0 {
		p.spec.Pattern.Bytes = 1 << (6 + r.IntN(7))
		p.spec.Pattern.GapUs = float64(50 + r.IntN(450))
		if name == "alltoall" {
			p.spec.Pattern.Count = 10 + r.IntN(20)
		} else {
			p.spec.Pattern.Count = 50 + r.IntN(100)
		}
	}
	p.node = r.IntN(p.spec.Nodes)
	s.plant(p, r)
	return p
}

// run runs the program with or without the planted cause.
func (p *planting) run(t *testing.T, planted bool) *executed {
	t.Helper()
	s := p.spec
	if !planted {
		s.Faults, s.Memory.Homes = FaultSpec{}, ""
	}
	profile, nodes, err := resolve(s, s.Platform, s.Nodes)
	require.NoError(t, err)
	programs, declared, err := newPrograms(s, profile, nodes)
	require.NoError(t, err)
	built, err := clusterSpec(s, profile, nodes, declared)
	require.NoError(t, err)
	if p.app != nil {
		programs[0] = p.app0(nodes)
		if planted {
			programs[0] = p.app(nodes)
		}
	}
	if planted {
		other, err := profile.With(p.others)
		require.NoError(t, err)
		built.Others = map[int]*platform.Profile{p.node: other}
		if p.lossy > 0 {
			programs[0] = &lossyProgram{programs[0], p}
		}
	}
	r, err := performOn(context.Background(), s, profile, built, programs, nil)
	require.NoError(t, err)
	require.NoError(t, r.programs[0].wrong)
	return r
}

// otherSeeds is how many runs of other seeds without a cause the run with it is compared with.
const otherSeeds = 4

// matters reports whether the cause makes the run longer by a twentieth, and by how much.
// The run is compared with the slowest of those without the cause, of the same seed and of
// others, because some programs take twice as long or not by chance. The cause has to cost
// more than anything in the run without it: than the first finding there, and than what is
// saved if a part of the machine makes nobody wait. Otherwise that is rightly the first finding.
func (p *planting) matters(t *testing.T) (with *executed, longer float64, ok bool) {
	with = p.run(t, true)
	first := p.run(t, false)
	slowest := first.took()
	more := func() sim.Duration { return with.took() - slowest }
	enough := func() bool { return 20*more() > slowest }
	q := *p
	q.spec.Trace = ""
	for other := uint64(1); other <= otherSeeds && enough(); other++ {
		q.spec.Seed = p.spec.Seed + 1000*other
		slowest = max(slowest, q.run(t, false).took())
	}
	if !enough() {
		return nil, 0, false
	}
	if f := explain(t, first).Findings(); len(f) > 0 && f[0].CostUs > more().Us() {
		return nil, 0, false
	}
	q.spec.Seed = p.spec.Seed
	for _, free := range parts {
		q.spec.Uncontended = free
		if first.took()-q.run(t, false).took() > more() {
			return nil, 0, false
		}
	}
	return with, float64(more()) / float64(slowest), true
}

// parts are the resources that are freed together, because behind the queue at one of a part
// there is that at another.
var parts = [][]Resource{{Slots}, {HDMA, PCI, MemBus}, {SDMA, Ports}, {LANai}, {CPU}}

// took returns how long the processes of the program ran. A packet may be on its way for longer.
func (r *executed) took() sim.Duration { return r.programs[0].took }

// lossyProgram runs while packets of a node are lost.
type lossyProgram struct {
	program
	*planting
}

func (l *lossyProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	stream := c.Engine.Stream("planted")
	c.Net.DropWhen(func(p *fabric.Packet) bool { return int(p.Src) == l.node && stream.Float64() < l.lossy })
	return l.program.start(c, tag, func() {
		c.Net.DropWhen(func(*fabric.Packet) bool { return false })
		done()
	})
}

// lockApp lets all nodes take turns at a lock, which one of them holds for longer.
type lockApp struct {
	layout        *svm.Layout
	unfair, turns int
	section, long sim.Duration
	sum           svm.Addr
	count         int
}

func locking(unfair, turns int, section, long sim.Duration) func(nodes int) program {
	return func(nodes int) program {
		l, err := svm.NewLayout(nodes)
		if err != nil {
			panic(err)
		}
		a := &lockApp{layout: l, unfair: unfair, turns: turns, section: section, long: long}
		if a.sum, err = l.Alloc(svm.PageSize, svm.Blocks); err != nil {
			panic(err)
		}
		p, err := platform.Load(DefaultPlatform)
		if err != nil {
			panic(err)
		}
		system, err := newMemory(l, MemorySpec{}, p, false)
		if err != nil {
			panic(err)
		}
		return &memoryProgram{a, system}
	}
}

func (a *lockApp) Progress() (done, total int64) { return 0, 0 }

func (a *lockApp) Layout() *svm.Layout    { return a.layout }
func (a *lockApp) Load(*svm.System) error { return nil }
func (a *lockApp) Run(t *svm.Thread) {
	t.Barrier(0)
	for range a.turns {
		t.Compute(host.Work{Time: 10 * a.section})
		t.Lock(1)
		a.count++
		if t.Node() == a.unfair {
			t.Compute(host.Work{Time: a.long})
		} else {
			t.Compute(host.Work{Time: a.section})
		}
		t.Unlock(1)
	}
	t.Barrier(0)
}

func (a *lockApp) Verify(*svm.System) (string, error) {
	if a.count != a.turns*a.layout.Nodes() {
		return "", errors.New("turns are missing")
	}
	return "all turns were taken", nil
}

// trialSeed is the seed of the trial: SIGVIEW_TRIAL_SEED or 1.
func trialSeed(t *testing.T) uint64 {
	seed := uint64(1)
	if s := os.Getenv("SIGVIEW_TRIAL_SEED"); s != "" {
		var err error
		seed, err = strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("seed %d", seed)
	return seed
}

// planted draws until a cause of the sort matters, and returns it with the findings of its run.
func planted(t *testing.T, s sort, r *rand.Rand) (*planting, []causal.Finding, float64) {
	for range 200 {
		p := draw(s, r)
		if with, longer, ok := p.matters(t); ok {
			return p, explain(t, with).Findings(), longer
		}
	}
	require.Fail(t, "no planting of this sort matters", s.name)
	return nil, nil, 0
}

func TestPlantedCausesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(trialSeed(t), 0))
	total, named := map[string]int{}, map[string]int{}
	plantings, right := testlong.Pick(len(sorts), 100), 0
	for i := range plantings {
		s := sorts[i%len(sorts)]
		p, findings, longer := planted(t, s, r)
		total[s.name]++
		verdict := "NOT NAMED"
		if len(findings) > 0 && s.named(findings[0], p.node) {
			named[s.name]++
			right++
			verdict = "named"
		}
		t.Logf("%s: %s on node %d (%s), %s on %d of %s, seed %d, %.0f %% longer", verdict, s.name, p.node, p.what, p.spec.Workload, p.spec.Nodes, p.spec.Platform, p.spec.Seed, 100*longer)
		for _, f := range findings[:min(3, len(findings))] {
			t.Logf("    %.0f %% %s, %s, at %s by %s; path %.0f replay %.0f", 100*f.Share, f.Cause, f.Resource, number(f.At), number(f.Node), f.OnPathUs, f.ReplayUs)
		}
	}
	for _, s := range sorts {
		t.Logf("%s: %d of %d", s.name, named[s.name], total[s.name])
	}
	require.GreaterOrEqual(t, right, plantings-max(1, plantings/20))
}

func number(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// TestQuietRunsHaveNoFinding runs ping-pongs: one message in flight between two nodes.
func TestQuietRunsHaveNoFinding(t *testing.T) {
	r := rand.New(rand.NewPCG(trialSeed(t), 1))
	runs, found := 100, 0
	for range runs {
		place := places[r.IntN(len(places))]
		s := DefaultRun("pingpong")
		s.Platform, s.Layer = place[0], place[1]
		s.Nodes, s.Seed, s.Trace = 2, 1+r.Uint64N(1000), TraceWaits
		s.Pattern.Bytes = 4 << r.IntN(12)
		s.Pattern.Count = 20 + r.IntN(100)
		s.Pattern.GapUs = []float64{0, 0, 20, 200}[r.IntN(4)]
		_, e := explained(t, s)
		if f := e.Findings(); len(f) > 0 {
			found++
			t.Logf("%s on %s, %d B, gap %v, seed %d: %s, %s, %.1f %%", s.Layer, s.Platform, s.Pattern.Bytes, s.Pattern.GapUs, s.Seed, f[0].Cause, f[0].Resource, 100*f[0].Share)
		}
	}
	t.Logf("%d of %d runs have a finding", found, runs)
	require.LessOrEqual(t, 20*found, runs)
}

// places are all platforms with their layers that carry patterns.
var places = func() (out [][2]string) {
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		if err != nil {
			panic(err)
		}
		for _, layer := range p.LayerNames() {
			at, err := p.At(layer)
			if err != nil {
				panic(err)
			}
			if deposit.Carries(at.Traits, 1) == nil {
				out = append(out, [2]string{name, layer})
			}
		}
	}
	return out
}()
