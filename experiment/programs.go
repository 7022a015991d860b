package experiment

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/fft"
)

// program is a workload on a cluster.
type program interface {
	// kinds lists the packet kinds that it sends.
	kinds() []trace.Kind
	// start begins it on a warm cluster; done is called when it has ended.
	start(c *cluster.Cluster, tag trace.Tag, done func()) error
	// finish returns when it ran, where the time of each node went, and what
	// is wrong with its result, if anything, beside how that was checked.
	finish() (outcome, error)
}

// outcome is a finished program.
type outcome struct {
	took   sim.Duration
	shares []host.Shares
	wrong  error
	how    string
}

// workload makes programs.
type workload struct {
	summary string
	detail  string
	size    int64 // by default, in the workload's unit
	make    func(s RunSpec, p *platform.Profile, nodes int) (program, error)
}

var workloads = map[string]workload{
	"fft": {
		summary: "six-step FFT of complex points on shared virtual memory",
		detail: "A one-dimensional FFT of size points (2^m, m even; 262144 by default) as a √size by √size\n" +
			"matrix: three staggered transposes with barriers between them, on home-based lazy release\n" +
			"consistency. The number of nodes is a power of two that divides √size. The result is\n" +
			"compared with an independent FFT; a relative error above 1e-9 fails the run.\n",
		size: fft.DefaultPoints,
		make: newFFT,
	},
}

// newPrograms returns the programs of a specification, and the packet kinds
// that they send.
func newPrograms(s RunSpec, p *platform.Profile, nodes int) ([]program, []trace.Kind, error) {
	var programs []program
	var kinds []trace.Kind
	for _, name := range s.Programs() {
		w, ok := workloads[name]
		if !ok {
			return nil, nil, &names.Error{What: "workload", Name: name, Known: Names(Known().Workloads)}
		}
		one := s
		one.Workload = name
		if one.Size == 0 {
			one.Size = w.size
		}
		prog, err := w.make(one, p, nodes)
		if err != nil {
			return nil, nil, err
		}
		programs = append(programs, prog)
		for _, k := range prog.kinds() {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return programs, kinds, nil
}

// memoryApp is an application on shared virtual memory.
type memoryApp interface {
	Layout() *svm.Layout
	Load(*svm.System) error // puts the input into shared memory
	Run(*svm.Thread)        // the program of each node
}

// memoryProgram runs an application on shared virtual memory.
type memoryProgram struct {
	app    memoryApp
	system *svm.System
	// check says how the result was checked and what is wrong with it, if anything.
	check func(*svm.System) (how string, wrong error)
}

func newMemoryProgram(app memoryApp, s MemorySpec, p *platform.Profile, check func(*svm.System) (string, error)) (program, error) {
	system, err := newMemory(app.Layout(), s, p)
	if err != nil {
		return nil, err
	}
	return &memoryProgram{app, system, check}, nil
}

func newFFT(s RunSpec, p *platform.Profile, nodes int) (program, error) {
	homes, err := parseHomes(s.Memory.Homes)
	if err != nil {
		return nil, err
	}
	f, err := fft.New(fft.Spec{Points: int(s.Size), Nodes: nodes, Seed: s.Seed, Homes: homes})
	if err != nil {
		return nil, &SizeError{err}
	}
	return newMemoryProgram(f, s.Memory, p, func(m *svm.System) (string, error) {
		relative, wrong := f.Verify(m)
		return fmt.Sprintf("relative error %.2g against an independent FFT, at most %g allowed", relative, fft.Tolerance), wrong
	})
}

// SizeError is a size or a number of nodes that a workload cannot have.
type SizeError struct{ Err error }

func (e *SizeError) Error() string { return e.Err.Error() }

// Unwrap returns the workload's own error.
func (e *SizeError) Unwrap() error { return e.Err }

// Usage marks the error as a mistake in how the program was called.
func (e *SizeError) Usage() bool { return true }

// parseHomes returns a home policy; none named means the owner's block.
func parseHomes(name string) (svm.Homes, error) {
	if name == "" {
		return svm.Blocks, nil
	}
	for _, h := range []svm.Homes{svm.Blocks, svm.RoundRobin, svm.FirstTouch} {
		if h.String() == name || h == svm.Blocks && name == "block" {
			return h, nil
		}
	}
	return 0, fmt.Errorf("homes %q, want one of %v", name, HomePolicies())
}

func newMemory(l *svm.Layout, s MemorySpec, p *platform.Profile) (*svm.System, error) {
	name := s.Service
	if name == "" {
		name = p.SVM.Service
	}
	service, err := svm.ParseService(name)
	if err != nil {
		return nil, err
	}
	return svm.NewSystem(svm.Spec{Layout: l, Costs: p.MemoryCosts(), Service: service, Check: s.Check})
}

// memoryKinds are the packets of shared virtual memory.
func memoryKinds() []trace.Kind {
	return []trace.Kind{
		trace.PageRequest, trace.PageReply, trace.Diff, trace.LockRequest, trace.LockForward, trace.LockGrant,
		trace.BarrierArrive, trace.BarrierRelease, trace.Flag,
	}
}

func (m *memoryProgram) kinds() []trace.Kind { return memoryKinds() }

func (m *memoryProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	if err := c.AttachMemory(m.system, tag, m.app.Layout().Pages(), ringBytes(len(c.Nodes))); err != nil {
		return err
	}
	if err := m.app.Load(m.system); err != nil {
		return err
	}
	return m.system.Start(m.app.Run, done)
}

// ringBytes is the size of a message ring: what all rings take together stays
// bounded, and a ring holds at least a few of the longest differences.
func ringBytes(nodes int) int {
	size := 64 << 10
	for nodes*nodes*size > 256<<20 && size > 16<<10 {
		size /= 2
	}
	return size
}

func (m *memoryProgram) finish() (outcome, error) {
	if err := m.system.Err(); err != nil {
		return outcome{wrong: err, how: "the protocol stopped"}, nil
	}
	took, ended := m.system.Elapsed()
	if !ended {
		return outcome{}, fmt.Errorf("finish before the program has ended")
	}
	o := outcome{took: took}
	for i := range m.app.Layout().Nodes() {
		o.shares = append(o.shares, m.system.Member(i).Thread().Shares())
	}
	o.how, o.wrong = m.check(m.system)
	return o, nil
}
