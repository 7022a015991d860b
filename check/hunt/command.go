package hunt

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
)

// Command returns the arguments of sigview that make the run of a case. What no flag can say
// is in the second result.
func (c *Case) Command() (args, unsaid []string) {
	s, d := &c.Spec, experiment.DefaultRun(c.Spec.Workload)
	args = []string{"run", s.Workload}
	flag := func(given bool, name string, value any) {
		if given {
			args = append(args, "--"+name, fmt.Sprint(value))
		}
	}
	on := func(given bool, name string) {
		if given {
			args = append(args, "--"+name)
		}
	}
	flag(true, "platform", s.Platform)
	flag(s.Layer != "", "layer", s.Layer)
	flag(s.Nodes > 0, "nodes", s.Nodes)
	flag(s.Size > 0, "size", s.Size)
	flag(true, "seed", s.Seed)
	flag(s.Detail != "", "detail", s.Detail)
	on(s.Gang, "gang")
	flag(len(s.Uncontended) > 0, "uncontended", listed(s.Uncontended))
	flag(len(s.Policies) > 0, "policy", listed(s.Policies))
	flag(s.Build != d.Build, "monitor", s.Build)
	if s.Trace != "" {
		args = append(args, "--trace="+string(s.Trace))
	}
	flag(s.Only.Any(), "trace-only", s.Only)
	flag(s.Ring.Bytes > 0, "trace-ring", s.Ring.Bytes)
	flag(s.Bins > 0, "bins", span(s.Bins))
	on(s.Variance, "variance")
	flag(len(s.Phases) > 0, "phases", strings.Join(s.Phases, ","))
	flag(s.Memory.Homes != "", "homes", s.Memory.Homes)
	flag(s.Memory.Service != "", "service", s.Memory.Service)
	on(s.Memory.Check, "check-slices")
	flag(s.Broadcast != "", "broadcast", s.Broadcast)
	flag(c.Schedule != "", "schedule", scheduleFile)
	flag(s.Pattern.Bytes > 0, "message-size", s.Pattern.Bytes)
	flag(s.Pattern.Count > 0, "count", s.Pattern.Count)
	flag(s.Pattern.GapUs > 0, "gap", fmt.Sprint(s.Pattern.GapUs, "us"))
	flag(s.Pattern.Skew > 0, "skew", s.Pattern.Skew)
	flag(s.Pattern.Senders > 0, "senders", s.Pattern.Senders)
	flag(s.Pattern.Burst > 0, "burst", s.Pattern.Burst)
	job(s.Job, flag)
	flag(s.Clock.Oscillators != d.Clock.Oscillators, "clock-oscillators", s.Clock.Oscillators)
	flag(s.Clock.Estimator != d.Clock.Estimator, "clock-estimator", s.Clock.Estimator)
	flag(s.Clock.Round > 0, "clock-round", span(s.Clock.Round))
	on(s.Clock.NoPriority, "no-clock-priority")
	on(s.Clock.NoInlineChecks, "no-inline-checks")
	flag(s.Faults.ErrorPerByte > 0, "fault-bit-error", strconv.FormatFloat(s.Faults.ErrorPerByte, 'g', -1, 64))
	flag(s.Faults.BurstBytes > 0, "fault-burst", s.Faults.BurstBytes)
	flag(s.Faults.DropAck > 0, "fault-drop-ack", strconv.FormatFloat(s.Faults.DropAck, 'g', -1, 64))
	times(s.Faults.Stalls, "fault-stall", flag)
	times(s.Faults.Outages, "fault-outage", flag)
	times(s.Faults.Storms, "fault-storm", flag)
	for _, x := range s.Faults.Drops {
		unsaid = append(unsaid, fmt.Sprintf("%d packets of kind %v are lost from number %d on", max(1, x.Count), x.Kind, x.Nth))
	}
	for _, x := range s.Faults.Breaks {
		unsaid = append(unsaid, fmt.Sprintf("the link between nodes %d and %d is dead from %s on", x.From, x.To, span(sim.Duration(x.At))))
	}
	return args, unsaid
}

// times says the times of nodes in which there is a fault.
func times(all []experiment.Stall, name string, flag func(given bool, name string, value any)) {
	for _, x := range all {
		flag(true, name, fmt.Sprintf("%d:%s:%s", x.Node, span(sim.Duration(x.At)), span(x.For)))
	}
}

// job says the options of a job of data centres.
func job(j experiment.JobSpec, flag func(given bool, name string, value any)) {
	flag(j.Algorithm != "", "algorithm", j.Algorithm)
	flag(j.Steps > 0, "steps", j.Steps)
	flag(j.ChunkBytes > 0, "chunk", j.ChunkBytes)
	flag(j.Servers > 0, "servers", j.Servers)
	flag(j.Items > 0, "items", j.Items)
	flag(j.ItemBytes > 0, "item-size", j.ItemBytes)
	flag(j.Reads > 0, "reads", j.Reads)
	flag(j.Writes > 0, "writes", j.Writes)
	flag(j.Atomics > 0, "atomics", j.Atomics)
	flag(j.Zipf > 0, "zipf", j.Zipf)
	flag(j.Depth > 0, "depth", j.Depth)
}

func listed[T ~string](words []T) string {
	var out []string
	for _, w := range words {
		out = append(out, string(w))
	}
	return strings.Join(out, ",")
}

// span writes a duration of whole nanoseconds as flags take it.
func span(d sim.Duration) string { return time.Duration(d / sim.Nanosecond).String() }
