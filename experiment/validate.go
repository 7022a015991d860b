package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/workloads/patterns"
)

// checkFreeAt checks the nodes at which resources are free.
func (s RunSpec) checkFreeAt() error {
	nodes := cmp.Or(s.Nodes, MaxNodes)
	for _, n := range s.FreeAt {
		if n < 0 || n >= nodes {
			return wrong("free_at", n, "a node, 0 to %d", nodes-1)
		}
	}
	switch {
	case len(s.FreeAt) > 0 && len(s.Uncontended) == 0:
		return wrong("free_at", s.FreeAt, "resources that are uncontended there")
	case len(s.FreeAt) > 0 && (slices.Contains(s.Uncontended, Ports) || slices.Contains(s.Uncontended, SDMA)):
		return wrong("free_at", s.FreeAt, "resources of nodes: %s and %s are free in the whole network", Ports, SDMA)
	}
	return nil
}

// Validate checks everything that can be checked without building the cluster.
// A size that a workload cannot divide among the nodes is an error of the run.
// Errors are *FieldError or *names.Error.
func (s RunSpec) Validate(known Catalogue) error {
	programs := s.Programs()
	for _, name := range programs {
		if err := known.check(name, s.Platform, s.Layer); err != nil {
			return err
		}
	}
	err := cmp.Or(
		bounds.Check("", s),
		once("uncontended", "resource", s.Uncontended),
		once("policies", "policy", s.Policies),
		s.checkFreeAt(),
		known.checkPhases(programs, s.Phases),
		s.Faults.Validate("faults", cmp.Or(s.Nodes, MaxNodes)),
		s.Only.Check(cmp.Or(s.Nodes, MaxNodes), len(programs)),
		s.checkCosts(),
	)
	freeSenders := slices.Contains(s.Uncontended, SDMA)
	switch {
	case err != nil:
		return err
	case len(programs) > MaxPrograms:
		return wrong("workload", s.Workload, "at most %d programs at once", MaxPrograms)
	case s.FreePort != "" && slices.Contains(s.Uncontended, Ports):
		return wrong("free_port", s.FreePort, "none: all ports are uncontended")
	case s.Quick != "" && len(programs) == 1:
		return wrong("quick", s.Quick, "none: %s runs alone", s.Workload)
	case s.Quick != "" && !slices.Contains(programs, s.Quick):
		return &names.Error{What: "program of this run", Name: s.Quick, Known: programs, Nearest: names.Nearest(s.Quick, programs)}
	case s.Size > 0 && len(programs) > 1:
		return wrong("size", s.Size, "no size for several programs at once: each has its own unit")
	case s.Variance && s.Build == BuildOff:
		return wrong("variance", s.Variance, "a monitor build other than off")
	case len(s.Phases) > 0 && s.Build == BuildOff:
		return wrong("phases", strings.Join(s.Phases, ","), "a monitor build other than off")
	case s.Trace != "" && s.Build != BuildFull:
		return wrong("trace", s.Trace, "the monitor build full beside it, not %s", s.Build)
	case s.Bins > 0 && s.Build != BuildFull:
		return wrong("bins", s.Bins, "the monitor build full beside it, not %s", s.Build)
	case s.Ring != monitor.Ring{} && !s.Drains():
		return wrong("trace_ring", fmt.Sprintf("given for a trace of %q", s.Trace), "packets traced beside it")
	case s.Only.Any() && !s.Drains():
		return wrong("trace_only", s.Only, "packets traced beside it")
	case s.Pattern != (PatternSpec{}) && !s.runsAny(patternWorkloads):
		p := s.Pattern
		field, value := given(map[string]any{"message_bytes": p.Bytes, "count": p.Count, "gap_us": p.GapUs, "skew": p.Skew, "senders": p.Senders, "burst": p.Burst})
		return wrong("pattern."+field, value, "a synthetic pattern, not %s: %v", s.Workload, patterns.Shapes())
	case s.Job != (JobSpec{}) && !s.runsAny(jobWorkloads):
		return s.Job.refused(s.Workload)
	case s.Memory != (MemorySpec{}) && !s.runsAny(memoryWorkloads):
		field, value := given(map[string]any{"homes": s.Memory.Homes, "service": s.Memory.Service, "check": s.Memory.Check})
		return wrong("memory."+field, value, "a program on shared memory, not %s", s.Workload)
	case s.Broadcast != "" && !s.runsAny(messageWorkloads):
		return wrong("broadcast", s.Broadcast, "a program that passes messages, not %s", s.Workload)
	case s.Schedule == ScheduleSpec{} && slices.Contains(programs, GOAL):
		return wrong("schedule.file", "empty", "the file of the schedule that %s replays", GOAL)
	case s.Schedule != ScheduleSpec{} && !slices.Contains(programs, GOAL):
		return wrong("schedule.file", s.Schedule.File, "the workload %s, not %s", GOAL, s.Workload)
	case slices.Contains(s.Policies, MigrateHomes) && !s.runsAny(memoryWorkloads):
		return wrong("policies", MigrateHomes, "a program on shared memory, not %s", s.Workload)
	case slices.Contains(s.Policies, Coschedule) && (len(programs) == 1 || s.Gang || s.runsAny(socketWorkloads)):
		return wrong("policies", Coschedule, "several programs at once with a process on each node (no sockets), and no gang beside it")
	case freeSenders && !slices.Contains(s.Uncontended, Ports):
		return wrong("uncontended", SDMA, "ports beside sdma: the engine feeds one link")
	case freeSenders && s.Faults.Any(): // no protocol could tell overtaking from loss
		return wrong("uncontended", SDMA, "no faults beside sdma: packets overtake one another")
	}
	return nil
}

// checkCosts returns an error for what needs the full model of all messages.
func (s RunSpec) checkCosts() error {
	full := fmt.Sprintf("nothing beside --detail %v, in which messages have no interface or network", s.Detail)
	switch {
	case !s.Detail.costs():
		return nil
	case s.Detail.sampled() && len(s.Programs()) > 1:
		return wrong("detail", s.Detail, "%s or %s for several programs at once: a sample is of the messages of one", DetailFull, DetailFast)
	case s.Trace != "":
		return wrong("trace", s.Trace, "%s", full)
	case s.Variance && !s.Detail.sampled():
		return wrong("variance", s.Variance, "%s", full)
	case s.Bins > 0:
		return wrong("bins", s.Bins, "%s", full)
	case len(s.Phases) > 0:
		return wrong("phases", s.Phases, "%s", full)
	case len(s.Uncontended) > 0:
		return wrong("uncontended", s.Uncontended, "%s", full)
	case s.FreePort != "":
		return wrong("free_port", s.FreePort, "%s", full)
	case len(s.Policies) > 0:
		return wrong("policies", s.Policies, "%s", full)
	case s.Faults.Any():
		return wrong("faults", "given", "%s", full)
	}
	return nil
}

// given returns the first field, by its name, that is not the zero of its type.
func given(fields map[string]any) (name string, value any) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if v := reflect.ValueOf(fields[name]); !v.IsZero() {
			return name, fields[name]
		}
	}
	return "", nil
}

// once refuses a value that is given twice.
func once[V comparable](field, what string, given []V) error {
	for i, v := range given {
		if slices.Contains(given[:i], v) {
			return wrong(field, v, "each %s once", what)
		}
	}
	return nil
}
