package experiment

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// program is a workload on a cluster.
type program interface {
	// kinds lists the packet kinds that it sends.
	kinds() []trace.Kind
	// sequences lists the kinds whose packets follow others of their own operation.
	sequences() []trace.Sequence
	// progress returns how much of its work is done, and of how much; total is 0 if that
	// is not known.
	progress() (done, total int64)
	// start begins it on a warm cluster; done is called when it has ended.
	start(c *cluster.Cluster, tag trace.Tag, done func()) error
	// finish returns when it ran, the shares of each node's time, how its result
	// was checked, and what is wrong with the result, if anything.
	finish() (outcome, error)
}

// outcome is a finished program.
type outcome struct {
	took   sim.Duration
	shares []host.Shares
	wrong  error
	how    string
	note   string // of what was asked for and not done; empty if there is nothing
}

// finish returns the outcome of a system of processes, with how its result was checked.
func finish(s interface {
	Err() error
	Elapsed() (sim.Duration, bool)
}, nodes int, shares func(node int) host.Shares, check func() (how string, wrong error)) (outcome, error) {
	if err := s.Err(); err != nil {
		return outcome{wrong: err, how: "the program stopped"}, nil
	}
	took, ended := s.Elapsed()
	if !ended {
		return outcome{}, errors.New("finish before the program has ended")
	}
	o := outcome{took: took}
	for i := range nodes {
		o.shares = append(o.shares, shares(i))
	}
	o.how, o.wrong = check()
	return o, nil
}

// workload makes programs.
type workload struct {
	summary string
	detail  string
	size    int64 // the default, in the workload's unit
	phases  []string
	make    func(s RunSpec, p *platform.Profile, nodes int) (program, error)
	memory  func(s RunSpec, nodes int64, on *comm.Traits) int64 // bytes that its data take beside the nodes; nil: few
}

// workloads are the programs by name, from one table per programming model.
var workloads = joined(memoryWorkloads, messageWorkloads, patternWorkloads, socketWorkloads, jobWorkloads)

// joined merges tables of workloads.
func joined(tables ...map[string]workload) map[string]workload {
	all := map[string]workload{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// newPrograms returns the programs of a specification, and the packet kinds
// that they send.
func newPrograms(s RunSpec, p *platform.Profile, nodes int) (programs []program, declared traffic, err error) {
	for _, name := range s.Programs() {
		w, ok := workloads[name]
		if !ok {
			return nil, declared, &names.Error{What: "workload", Name: name, Known: Names(Known().Workloads)}
		}
		prog, err := w.make(s.alone(name), p, nodes)
		if err != nil {
			return nil, declared, err
		}
		programs = append(programs, prog)
		declared.add(prog)
	}
	return programs, declared, nil
}

// alone returns the specification of one of a run's programs on its own, with its size.
func (s RunSpec) alone(program string) RunSpec {
	s.Workload = program
	s.Size = cmp.Or(s.Size, workloads[program].size)
	return s
}

// traffic says what the histograms have to tell apart: the kinds of packets that the programs send,
// and sequences of packets that follow one another; and whether means suffice.
type traffic struct {
	kinds     []trace.Kind
	sequences []trace.Sequence
	means     bool // no latency bins and pairs, so that sizes are told apart as finely as can be
}

func (t *traffic) add(p program) {
	t.kinds = withKinds(t.kinds, p.kinds())
	for _, q := range p.sequences() {
		if !slices.Contains(t.sequences, q) {
			t.sequences = append(t.sequences, q)
		}
	}
}

// withKinds appends the kinds that a list lacks.
func withKinds(list, more []trace.Kind) []trace.Kind {
	for _, k := range more {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// runsAny reports whether one of the run's programs is in a table.
func (s RunSpec) runsAny(table map[string]workload) bool {
	return slices.ContainsFunc(s.Programs(), func(name string) bool { _, ok := table[name]; return ok })
}

// Without returns the specification without one of its programs, and without what only
// that program uses.
func (s RunSpec) Without(program int) RunSpec {
	s.Workload = strings.Join(slices.Delete(s.Programs(), program, program+1), "+")
	if !s.runsAny(patternWorkloads) {
		s.Pattern = PatternSpec{}
	}
	if !s.runsAny(messageWorkloads) {
		s.Broadcast = ""
	}
	if !s.runsAny(jobWorkloads) {
		s.Job = JobSpec{}
	}
	if !slices.Contains(s.Programs(), GOAL) {
		s.Schedule = ScheduleSpec{}
	}
	several := strings.Contains(s.Workload, "+")
	if !several || !slices.Contains(s.Programs(), s.Quick) {
		s.Quick = ""
	}
	memory := s.runsAny(memoryWorkloads)
	if !memory {
		s.Memory = MemorySpec{}
	}
	s.Policies = slices.DeleteFunc(slices.Clone(s.Policies), func(p Policy) bool {
		return p == MigrateHomes && !memory || p == Coschedule && !several
	})
	s.Phases = slices.DeleteFunc(slices.Clone(s.Phases), func(phase string) bool {
		return !slices.ContainsFunc(s.Programs(), func(name string) bool { return slices.Contains(workloads[name].phases, phase) })
	})
	return s
}
