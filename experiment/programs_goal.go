package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace/goal"
	"github.com/sigview/sigview/workloads/replay"
)

// read reads the schedule. Errors name the file and the line.
func (s ScheduleSpec) read() (*goal.Schedule, error) {
	data, err := s.data()
	if err != nil {
		return nil, err
	}
	if sum := sumOf(data); s.SHA256 != "" && sum != s.SHA256 {
		return nil, wrong("schedule.file", s.File, "the file with SHA-256 %.12s…, as the specification has it; it has %.12s…", s.SHA256, sum)
	}
	text, err := inputfile.Plain(data)
	var schedule *goal.Schedule
	if err == nil {
		schedule, err = goal.Read(bytes.NewReader(text))
	}
	if err != nil {
		return nil, wrong("schedule.file", s.File, "a GOAL schedule: %v", err)
	}
	return schedule, nil
}

// data reads the file. Errors name it.
func (s ScheduleSpec) data() ([]byte, error) {
	data, err := inputfile.Read(s.File, inputfile.Data)
	if err != nil {
		return nil, wrong("schedule.file", s.File, "a file with a GOAL schedule: %v", inputfile.Cause(err))
	}
	return data, nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Pinned returns the specification with the checksum of its schedule, if it has one, so that
// equal specifications mean equal runs.
func (s RunSpec) Pinned() (RunSpec, error) {
	if s.Schedule.File == "" || s.Schedule.SHA256 != "" {
		return s, nil
	}
	data, err := s.Schedule.data()
	if err != nil {
		return s, err
	}
	s.Schedule.SHA256 = sumOf(data)
	return s, nil
}

// onePlace says how many operations name a CPU or a NIC that a node does not have; it is empty for none.
func onePlace(s *goal.Schedule) string {
	n := s.Elsewhere()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the schedule name a CPU or a NIC above 0: a rank has one of each here, so that they follow each other", analysis.Plural(n, "operation"))
}

// ranks returns the number of nodes for a schedule: one for each of its ranks.
func (s ScheduleSpec) ranks() (int, error) {
	schedule, err := s.read()
	if err != nil {
		return 0, err
	}
	return max(MinNodes, len(schedule.Ranks)), nil
}

// newReplay makes the program of a schedule. Its node count is that of the run.
func newReplay(s RunSpec, p *platform.Profile, nodes int) (program, error) {
	switch {
	case p.NX == nil:
		return nil, wrong("platform", p.Name, "one with a section [nx], the costs of message passing")
	case s.Size != 0:
		return nil, wrong("size", s.Size, "none for a schedule, which says what is sent")
	}
	schedule, err := s.Schedule.read()
	if err != nil {
		return nil, err
	}
	if n := len(schedule.Ranks); n > nodes {
		return nil, wrong("nodes", nodes, "%d or more: the schedule has %d ranks", n, n)
	}
	r, err := replay.New(schedule, nodes)
	if err != nil {
		return nil, wrong("schedule.file", s.Schedule.File, "a schedule that can be replayed: %v", err)
	}
	m := &messageProgram{spec: nx.Spec{EagerBytes: r.EagerBytes()}, run: r.Run, far: r.Progress, note: onePlace(schedule)}
	if err := s.Broadcast.Into(&m.spec.Broadcast); err != nil {
		return nil, err
	}
	m.check = func() (string, error) {
		n, wrong := r.Received()
		return fmt.Sprintf("all %d messages of the schedule arrived once, at the right receive", n), wrong
	}
	return m, nil
}
