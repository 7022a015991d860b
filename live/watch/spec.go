package watch

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sigview/sigview/internal/bounds"
)

// Spec says what to watch. Without processes, programs, control groups and ports it is all TCP and UDP of this host. A message is
// watched if either of its ends is a process or program that is asked for, and has a port that is.
type Spec struct {
	Programs []string      `json:"programs,omitempty"` // names of processes; the kernel keeps the first 15 bytes
	PIDs     []int         `json:"pids,omitempty"`     // processes, with the children that they start
	Ports    []int         `json:"ports,omitempty"`
	Cgroups  []string      `json:"cgroups,omitempty"` // directories of control groups: their processes and those of groups below, also later ones
	For      time.Duration `json:"for_ns,omitempty"`  // 0: until the context or the command ends
	Command  []string      `json:"command,omitempty"`
	Every    int           `json:"sample_every"`    // one message in so many that are followed is a row of the table of packets
	Silent   bool          `json:"-"`               // what the command says is not shown, and it reads nothing
	Agent    string        `json:"agent,omitempty"` // the other host that is watched too
	Other    Other         `json:"-"`               // its watch
	with     *pairing
	Budget   int `json:"budget"` // messages a second that are followed at most, on average, with breaks; 0: all
}

// Default watches everything. What it follows costs less than 1 % of a processor; it keeps one message in 16.
func Default() Spec { return Spec{Every: 16, Budget: 5_000} }

// mostNames is how many programs and ports may be asked for.
const mostNames = 64

// nameBytes is how much the kernel keeps of the name of a process.
const nameBytes = 15

// Validate returns an error that names the first field out of range.
func (s Spec) Validate() error {
	switch {
	case s.Every < 1:
		return bounds.Wrong("--sample-every", s.Every, "at least 1")
	case s.Budget < 0:
		return bounds.Wrong("--budget", s.Budget, "messages a second, or 0 for all")
	case s.For < 0:
		return bounds.Wrong("--for", s.For, "a time to come")
	case len(s.Programs) > mostNames:
		return bounds.Wrong("PROGRAM", len(s.Programs), "at most %d names", mostNames)
	case len(s.Cgroups) > mostNames:
		return bounds.Wrong("--cgroup", len(s.Cgroups), "at most %d groups", mostNames)
	case len(s.Ports) > mostNames:
		return bounds.Wrong("--port", len(s.Ports), "at most %d ports", mostNames)
	}
	for _, n := range s.Programs {
		if n == "" {
			return bounds.Wrong("PROGRAM", `""`, "the name of a program")
		}
	}
	for _, p := range s.PIDs {
		if p < 1 {
			return bounds.Wrong("--pid", p, "a process")
		}
	}
	for _, p := range s.Ports {
		if p < 1 || p > 65535 {
			return bounds.Wrong("--port", p, "1 to 65535")
		}
	}
	return nil
}

// words says what is watched.
func (s Spec) words() string {
	var out []string
	if n := len(s.Command); n > 0 {
		out = append(out, s.Command[0])
	}
	out = append(out, s.Programs...)
	for _, g := range s.Cgroups {
		out = append(out, "control group "+g)
	}
	for _, p := range s.PIDs {
		out = append(out, fmt.Sprintf("process %d", p))
	}
	text := cmp.Or(strings.Join(out, ", "), "any program")
	for i, p := range s.Ports {
		text += fmt.Sprintf("%s %d", [...]string{" on port", ","}[min(i, 1)], p)
	}
	return text
}

// Joins is of how many blocks of a flow one is joined, if another host is watched too. What is followed within a budget is all joined.
func (s Spec) Joins() int {
	if s.Budget > 0 {
		return 1
	}
	return s.Every
}
