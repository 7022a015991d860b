package hunt

import (
	"slices"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
)

// Shrink makes a case simpler, one field after another, as long as it fails.
func Shrink(c Case, fails func(Case) bool) Case {
	for changed := true; changed; {
		changed = false
		for _, simpler := range simplifications {
			for {
				next := c
				next.Spec.Uncontended = slices.Clone(c.Spec.Uncontended)
				next.Spec.Policies = slices.Clone(c.Spec.Policies)
				f := &next.Spec.Faults
				f.Stalls, f.Outages, f.Storms = slices.Clone(f.Stalls), slices.Clone(f.Outages), slices.Clone(f.Storms)
				f.Drops, f.Breaks = slices.Clone(f.Drops), slices.Clone(f.Breaks)
				if !simpler(&next) || !fails(next) {
					break
				}
				c, changed = next, true
			}
		}
	}
	return c
}

// simplifications change a case, and report whether they did. Repeated, each comes to an end.
var simplifications = slices.Concat([]func(*Case) bool{
	func(c *Case) bool { return reset(&c.Spec.Faults, experiment.FaultSpec{}, !c.Spec.Faults.Any()) },
	func(c *Case) bool { return zero(&c.Spec.Faults.ErrorPerByte) },
	func(c *Case) bool { return zero(&c.Spec.Faults.BurstBytes) },
	func(c *Case) bool { return zero(&c.Spec.Faults.DropAck) },
	func(c *Case) bool { return zero(&c.Spec.Trace) },
	func(c *Case) bool { return reset(&c.Spec.Only, experiment.Selection{}, !c.Spec.Only.Any()) },
	func(c *Case) bool { return zero(&c.Spec.Ring) },
	func(c *Case) bool { return zero(&c.Spec.Bins) },
	func(c *Case) bool { return zero(&c.Spec.Variance) },
	func(c *Case) bool { return reset(&c.Spec.Phases, nil, len(c.Spec.Phases) == 0) },
	func(c *Case) bool { return reset(&c.Spec.Build, monitor.Off, c.Spec.Build == monitor.Off) },
	func(c *Case) bool {
		return reset(&c.Spec.Build, monitor.Full, c.Spec.Build == monitor.Full || c.Spec.Build == monitor.Off)
	},
	func(c *Case) bool { return zero(&c.Spec.Gang) },
	func(c *Case) bool { return zero(&c.Spec.Quick) },
	func(c *Case) bool { return zero(&c.Spec.FreePort) },
	func(c *Case) bool { return zero(&c.Spec.Detail) },
	func(c *Case) bool { return zero(&c.Spec.Broadcast) },
	func(c *Case) bool { return zero(&c.Spec.Memory) },
	func(c *Case) bool { return zero(&c.Spec.Job) },
	func(c *Case) bool {
		d := experiment.DefaultRun("").Clock
		return reset(&c.Spec.Clock, d, c.Spec.Clock == d)
	},
	func(c *Case) bool { return zero(&c.Spec.Pattern.GapUs) },
	func(c *Case) bool { return zero(&c.Spec.Pattern.Skew) },
	func(c *Case) bool { return zero(&c.Spec.Pattern.Senders) },
	func(c *Case) bool { return zero(&c.Spec.Pattern.Burst) },
	func(c *Case) bool { return reset(&c.Spec.Seed, 1, c.Spec.Seed == 1) },
	func(c *Case) bool { return fewer(&c.Spec.Nodes, 2) },
	func(c *Case) bool { return fewer(&c.Spec.Pattern.Count, 1) },
	func(c *Case) bool { return less(&c.Spec.Nodes, 2) },
	func(c *Case) bool { return less(&c.Spec.Pattern.Count, 1) },
	func(c *Case) bool { return fewer(&c.Spec.Size, 1) },
	shorter,
},
	dropped(func(s *experiment.RunSpec) *[]experiment.Resource { return &s.Uncontended }),
	dropped(func(s *experiment.RunSpec) *[]int { return &s.FreeAt }),
	dropped(func(s *experiment.RunSpec) *[]experiment.Policy { return &s.Policies }),
	dropped(func(s *experiment.RunSpec) *[]experiment.Stall { return &s.Faults.Stalls }),
	dropped(func(s *experiment.RunSpec) *[]experiment.Stall { return &s.Faults.Outages }),
	dropped(func(s *experiment.RunSpec) *[]experiment.Stall { return &s.Faults.Storms }),
	dropped(func(s *experiment.RunSpec) *[]fabric.Drop { return &s.Faults.Drops }),
	dropped(func(s *experiment.RunSpec) *[]fabric.Break { return &s.Faults.Breaks }),
	programs(),
)

// reset sets a field, unless it is so already.
func reset[T any](field *T, to T, already bool) bool {
	if !already {
		*field = to
	}
	return !already
}

func zero[T comparable](field *T) bool {
	var z T
	return reset(field, z, *field == z)
}

// fewer halves a number that is at least least; 0 stays.
func fewer[T int | int64](n *T, least T) bool {
	if *n == 0 || *n <= least {
		return false
	}
	*n = max(*n/2, least)
	return true
}

// less takes one from it.
func less[T int | int64](n *T, least T) bool {
	if *n <= least {
		return false
	}
	*n--
	return true
}

// shorter halves the messages of a pattern.
func shorter(c *Case) bool {
	b := &c.Spec.Pattern.Bytes
	if *b <= 16 {
		return false
	}
	*b = max(*b/8*4, 16)
	return true
}

// dropped takes one element out of a list, the first, the second and so on.
func dropped[T any](list func(*experiment.RunSpec) *[]T) (out []func(*Case) bool) {
	for i := range 5 {
		out = append(out, func(c *Case) bool {
			l := list(&c.Spec)
			if i >= len(*l) {
				return false
			}
			*l = slices.Delete(*l, i, i+1)
			return true
		})
	}
	return out
}

// programs takes one of several programs away.
func programs() (out []func(*Case) bool) {
	for i := range experiment.MaxPrograms {
		out = append(out, func(c *Case) bool {
			n := len(c.Spec.Programs())
			if n < 2 || i >= n {
				return false
			}
			c.Spec = c.Spec.Without(i)
			return true
		})
	}
	return out
}
