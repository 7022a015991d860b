package experiment

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// MessagesSpec asks for a program of messages alone: no hosts, no bytes and no programs that
// compute, only ranks and what messages cost.
type MessagesSpec struct {
	Program  MessageProgram `json:"program"`
	Platform string         `json:"platform"`
	Layer    string         `json:"layer"` // "": the platform's own
	Ranks    int            `json:"ranks" range:"2..65536"`
	Rounds   int64          `json:"rounds" range:"1..2147483647"`
	Bytes    int64          `json:"message_size" range:"0..1073741824"`
	Schedule string         `json:"schedule"` // file, of goal; it determines all else
}

// MessageProgram names a program.
type MessageProgram = names.Word[messagePrograms]

type messagePrograms struct{}

func (messagePrograms) Words() names.Words {
	return names.NewWords("program", "pingpong", "alltoall", "barrier", "tree", GOAL)
}

// messageMakers make the programs that need no file.
var messageMakers = map[MessageProgram]func(ranks, rounds, bytes int) fast.Program{
	"pingpong": fast.PingPong, "alltoall": fast.AllToAll, "barrier": fast.Dissemination, "tree": fast.Broadcast,
}

// DefaultMessages returns the specification for a program.
func DefaultMessages(program string) MessagesSpec {
	return MessagesSpec{Program: MessageProgram(program), Platform: DefaultPlatform, Ranks: 8, Rounds: 1000, Bytes: 64}
}

// Validate checks what can be checked without reading files.
func (s MessagesSpec) Validate(known Catalogue) error {
	if err := cmp.Or(s.Program.Check(), known.checkPlace(s.Platform, s.Layer), bounds.Check("", s)); err != nil {
		return err
	}
	switch {
	case s.Program == GOAL && s.Schedule == "":
		return wrong("schedule", "empty", "the file of the schedule that %s replays", GOAL)
	case s.Program != GOAL && s.Schedule != "":
		return wrong("schedule", s.Schedule, "the program %s, not %s", GOAL, s.Program)
	}
	return nil
}

// Messages is a program of messages that has ended.
type Messages struct {
	Program   MessageProgram `json:"program"`
	Platform  string         `json:"platform"`
	Layer     string         `json:"layer"`
	Ranks     int            `json:"ranks"`
	Messages  uint64         `json:"messages"`
	RunTimeUs float64        `json:"run_time_us"` // simulated
	Digest    string         `json:"digest"`      // of all messages in their order
	Costs     string         `json:"costs_digest"`
	Cached    bool           `json:"costs_cached"` // an earlier run measured the costs
	Warnings  []string       `json:"warnings,omitempty"`
}

// RunMessages runs a program of messages. Its memory does not grow with their number, unless
// they wait for receives.
func RunMessages(ctx context.Context, s MessagesSpec, watch Watch) (*Messages, error) {
	p, err := loaded(s, s.Platform)
	if err != nil {
		return nil, err
	}
	at, err := p.At(s.Layer)
	if err != nil {
		return nil, err
	}
	program, note, err := s.program()
	if err != nil {
		return nil, err
	}
	c, err := costsOf(ctx, at, BuildFull, watch)
	if err != nil {
		return nil, err
	}
	e, err := fast.New(c.Params, s.Ranks, program)
	if err != nil {
		return nil, err
	}
	looks := int64(0)
	r, err := e.Run(func() error {
		looks++
		watch.Report(Progress{Stage: s.Program.String(), Done: looks, Unit: "million messages"})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	m := &Messages{
		Program: s.Program, Platform: p.Name, Layer: at.Layer, Ranks: s.Ranks, Messages: r.Messages,
		RunTimeUs: r.Took.Us(), Digest: fmt.Sprintf("%016x", r.Digest), Costs: c.Digest, Cached: c.Cached,
	}
	if note != "" {
		m.Warnings = []string{note}
	}
	return m, nil
}

// program makes the program, with a note of what it leaves out. The ranks of a schedule are its own.
func (s *MessagesSpec) program() (fast.Program, string, error) {
	if s.Program != GOAL {
		return messageMakers[s.Program](s.Ranks, int(s.Rounds), int(s.Bytes)), "", nil
	}
	schedule, err := ScheduleSpec{File: s.Schedule}.read()
	if err != nil {
		return nil, "", err
	}
	s.Ranks = len(schedule.Ranks)
	program, err := fast.NewSchedule(schedule)
	if err != nil {
		return nil, "", wrong("schedule", s.Schedule, "a schedule that can be replayed: %v", err)
	}
	return program, onePlace(schedule), nil
}
