package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/fft"
	"github.com/sigview/sigview/workloads/lu"
	"github.com/sigview/sigview/workloads/ocean"
	"github.com/sigview/sigview/workloads/radix"
	"github.com/sigview/sigview/workloads/water"
)

// memoryWorkloads run on shared virtual memory.
var memoryWorkloads = map[string]workload{
	"fft": {
		summary: "six-step FFT of complex points on shared virtual memory",
		detail: "A one-dimensional FFT of size points (2^m, m even; 262144 by default) as a √size by √size\n" +
			"matrix: three staggered transposes with barriers between them, on home-based lazy release\n" +
			"consistency. The number of nodes is a power of two that divides √size. The result is\n" +
			"compared with an independent FFT; a relative error above 1e-9 fails the run.\n",
		size: fft.DefaultPoints, phases: fft.Phases(), memory: each(84),
		make: memory(func(p Problem) (MemoryApp, error) {
			return fft.New(fft.Spec{Points: p.Size, Nodes: p.Nodes, Seed: p.Seed, Homes: p.Homes})
		}),
	},
	"radix": {
		summary: "radix sort of integers on shared virtual memory",
		detail: "Size keys below 524288 (2097152 by default) are sorted by two digits of ten bits. For each digit\n" +
			"every node counts its own keys, a tree over the nodes adds the counts up, and each node then\n" +
			"writes its keys to addresses scattered over the whole destination. It changes many pages,\n" +
			"and sends their differences at the next barrier. Any number of nodes. The run fails unless\n" +
			"the result is in order and has the same keys.\n",
		size: radix.DefaultKeys, phases: radix.Phases(),
		// Each node writes to pages all over the destination.
		memory: func(s RunSpec, nodes int64, _ *comm.Traits) int64 { return s.Size * (20 + 9*nodes/2) },
		make: memory(func(p Problem) (MemoryApp, error) {
			return radix.New(radix.Spec{Keys: p.Size, Nodes: p.Nodes, Seed: p.Seed, Homes: p.Homes})
		}),
	},
	"lu": {
		summary: "LU factorization of a dense matrix in blocks on shared virtual memory",
		detail: "A matrix of size rows (a multiple of 16; 512 by default) in blocks of 16 by 16, dealt to a grid of\n" +
			"nodes. Each step factors a diagonal block, then those beside and below it, then updates the\n" +
			"rest, with barriers between. The nodes' grid is as square as their number allows and has at\n" +
			"most size/16 columns. The factors' product is compared with the matrix; a residual above\n" +
			"1e-12 fails the run.\n",
		size: lu.DefaultOrder, phases: lu.Phases(), memory: squared(24),
		make: memory(func(p Problem) (MemoryApp, error) {
			return lu.New(lu.Spec{Order: p.Size, Nodes: p.Nodes, Seed: p.Seed, Homes: p.Homes})
		}),
	},
	"ocean": {
		summary: "relaxation of a square grid by its nearest neighbours on shared virtual memory",
		detail: "Red and black points of a grid of size by size points (256 by default) are relaxed in turns, in\n" +
			"bands of rows, until no point would change by more than 1e-6. Each half sweep fetches the\n" +
			"rows at the bands' borders; the largest change is found under a lock. Nodes: at most one per\n" +
			"row. Every number has to equal that of a run on one node, bit for bit.\n",
		size: ocean.DefaultPoints, phases: ocean.Phases(), memory: squared(40),
		make: memory(func(p Problem) (MemoryApp, error) {
			return ocean.New(ocean.Spec{Points: p.Size, Nodes: p.Nodes, Seed: p.Seed, Homes: p.Homes})
		}),
	},
	"water": {
		summary: "water molecules with a lock each on shared virtual memory",
		detail: "Size molecules (512 by default) are moved by two small steps: each node computes the forces of its\n" +
			"own molecules and half of all others, and adds each sum under the lock of its molecule.\n" +
			"Nodes: at most one per molecule. Positions, velocities and energies are compared with those of\n" +
			"a sequential simulation; a difference above 1e-9 or a change of momentum fails the run.\n",
		size: water.DefaultMolecules, phases: water.Phases(),
		make: memory(func(p Problem) (MemoryApp, error) {
			return water.New(water.Spec{Molecules: p.Size, Nodes: p.Nodes, Seed: p.Seed, Homes: p.Homes})
		}),
	},
}

// MemoryApp is an application on shared virtual memory.
type MemoryApp interface {
	Layout() *svm.Layout
	Load(*svm.System) error // puts the input into shared memory
	Run(*svm.Thread)        // the program of each node
	// Progress returns how much is done, and of how much; zeros if that is not known.
	Progress() (done, total int64)
	// Verify returns how the result was checked, and what is wrong with it, if anything.
	Verify(*svm.System) (how string, wrong error)
}

// memoryProgram runs an application on shared virtual memory.
type memoryProgram struct {
	app    MemoryApp
	system *svm.System
}

// Problem is the problem that a run gives to an application.
type Problem struct {
	Size, Nodes int
	Seed        uint64
	Homes       svm.Homes // of the data
}

// AddMemory adds an application on shared virtual memory to the workloads, so that
// specifications can name it. It is called before anything runs. Size is the default size;
// build makes the application for a problem.
func AddMemory(name, summary string, size int64, phases []string, build func(Problem) (MemoryApp, error)) error {
	if _, taken := workloads[name]; taken || name == "" || strings.ContainsAny(name, "+,/ ") {
		return fmt.Errorf("workload %q: the name is taken, or empty, or has one of the characters +,/ and space", name)
	}
	w := workload{summary: summary, detail: summary + "\n", size: size, phases: phases, make: memory(build)}
	memoryWorkloads[name], workloads[name] = w, w
	return nil
}

// memory makes programs of an application.
func memory(build func(Problem) (MemoryApp, error)) func(RunSpec, *platform.Profile, int) (program, error) {
	return func(s RunSpec, p *platform.Profile, nodes int) (program, error) {
		var homes svm.Homes // the owner's block
		if err := s.Memory.Homes.Into(&homes); err != nil {
			return nil, err
		}
		app, err := build(Problem{int(s.Size), nodes, s.Seed, homes})
		if err != nil {
			return nil, err
		}
		system, err := newMemory(app.Layout(), s.Memory, p, slices.Contains(s.Policies, MigrateHomes))
		return &memoryProgram{app, system}, err
	}
}

func newMemory(l *svm.Layout, s MemorySpec, p *platform.Profile, migrate bool) (*svm.System, error) {
	if p.SVM == nil {
		return nil, wrong("platform", p.Name, "one with a section [svm], the costs of shared memory")
	}
	service := p.SVM.Service
	if err := s.Service.Into(&service); err != nil {
		return nil, err
	}
	return svm.NewSystem(svm.Spec{Layout: l, Costs: p.SVM.Costs, Service: service, Migrate: migrate, Check: s.Check})
}

func (m *memoryProgram) progress() (done, total int64) { return m.app.Progress() }

func (m *memoryProgram) kinds() []trace.Kind { return svm.Kinds() }

// sequences: the release of a lock and a barrier send the differences of pages first, and
// credit follows the answer that a request was read for. A layer of short packets cuts
// pages and differences.
func (m *memoryProgram) sequences() []trace.Sequence {
	return []trace.Sequence{
		{Kind: trace.PageReply, After: trace.SameMessage},
		{Kind: trace.Diff, After: trace.SameMessage},
		{Kind: trace.LockRequest, After: trace.Diff},
		{Kind: trace.LockGrant, After: trace.Diff},
		{Kind: trace.BarrierArrive, After: trace.Diff},
		{Kind: trace.BarrierArrive, After: trace.SameMessage},
		{Kind: trace.BarrierArrive, After: trace.LockGrant},
		{Kind: trace.BarrierRelease, After: trace.Diff},
		{Kind: trace.BarrierRelease, After: trace.SameMessage},
		{Kind: trace.Credit, After: trace.PageReply},
	}
}

func (m *memoryProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	if err := c.AttachMemory(m.system, tag, m.app.Layout().Pages(), ringBytes(len(c.Nodes))); err != nil {
		return err
	}
	if err := m.app.Load(m.system); err != nil {
		return err
	}
	return m.system.Start(m.app.Run, done)
}

// ringBytes returns the size of a message ring. All rings together stay within a limit.
// If that allows, a ring holds a few of the longest differences.
func ringBytes(nodes int) int {
	size := 64 << 10
	for int64(nodes*nodes)*int64(size) > 256<<20 && size > 16<<10 {
		size /= 2
	}
	for 2*int64(nodes*nodes)*int64(size) > 2<<30 && size > 1<<10 { // with the senders' copies, beyond 256 nodes
		size /= 2
	}
	return size
}

func (m *memoryProgram) finish() (outcome, error) {
	return finish(m.system, m.app.Layout().Nodes(), func(i int) host.Shares { return m.system.Member(i).Thread().Shares() },
		func() (string, error) { return m.app.Verify(m.system) })
}

// found implements finder.
func (m *memoryProgram) found() (out []trace.OnlineRow) {
	for _, v := range m.system.Migrations() {
		out = append(out, moved(v))
	}
	return out
}

// moved reports pages whose home has moved.
func moved(v svm.Migration) trace.OnlineRow {
	which := fmt.Sprintf("pages %d to %d", v.First, v.Last)
	if v.Pages == 1 {
		which = fmt.Sprintf("page %d", v.First)
	}
	return trace.OnlineRow{
		TimeNs: int64(v.At.Sub(0) / sim.Nanosecond), Node: int64(v.Node), Policy: string(MigrateHomes),
		Finding:  fmt.Sprintf("node %d alone writes %d of the pages homed here, and this node does not use them", v.To, v.Pages),
		Evidence: fmt.Sprintf("%s: written %d times between barriers since this node last used one", which, v.Writes),
		Action:   fmt.Sprintf("Their home is node %d now", v.To),
	}
}
