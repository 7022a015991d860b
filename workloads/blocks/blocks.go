package blocks

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
)

// New returns a program, which Start starts. Errors are *bounds.Error.
func New(spec Spec) (*Blocks, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	return &Blocks{spec: spec}, nil
}

// Spec returns the specification with nothing left open.
func (b *Blocks) Spec() Spec { return b.spec }

// Phases lists the phases of the program.
func Phases() []string { return []string{working} }

// Kinds lists the kinds of its packets: commands, completions, blocks, and that a target is ready for one.
func Kinds() []trace.Kind { return []trace.Kind{trace.Request, trace.Reply, trace.Data, trace.Flag} }

// Progress returns how many commands are done, and of how many.
func (b *Blocks) Progress() (done, total int64) { return int64(b.done), int64(b.spec.Commands) }

// Start begins the program on its nodes, whose packets carry tag. Done, which may be nil, is called
// when it has ended.
func (b *Blocks) Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error {
	if len(nodes) != b.spec.Nodes {
		return fmt.Errorf("blocks: start on %d nodes, want %d", len(nodes), b.spec.Nodes)
	}
	if err := b.Open("blocks", nodes, tag); err != nil {
		return err
	}
	for _, m := range b.Members {
		m.Buffers(commandBytes)
		if m.ID < b.spec.Options.Servers {
			t := &target{Blocks: b, Member: m, remote: deposit.RemoteOf(m.Port)}
			t.device = device{target: t, host: nodes[m.ID].Host, memory: m.Space.Another("device")}
			b.targets = append(b.targets, t)
		} else if err := b.initiator(m); err != nil {
			return err
		}
	}
	b.left = len(b.initiators)
	b.Team.Start(instrument, func(m *team.Member) {
		if m.ID < len(b.targets) {
			b.targets[m.ID].run()
		} else {
			b.initiators[m.ID-len(b.targets)].run()
		}
	}, done)
	return nil
}

// initiator makes the initiator on a node, with a session at each target.
func (b *Blocks) initiator(m *team.Member) error {
	o := &b.spec.Options
	i := &initiator{
		Blocks: b, Member: m, id: len(b.initiators), choice: m.Stream(b.spec.Seed, "commands"),
		under: make([]underway, o.Depth), writes: make([]uint32, o.Blocks), busy: make([]bool, o.Blocks),
	}
	b.initiators = append(b.initiators, i)
	for number := range o.Depth {
		i.free = append(i.free, number)
	}
	area := o.Depth * b.stride()
	i.data = m.Space.Alloc(int64(area))
	own := deposit.Setup{Port: m.Port}
	i.area = own.Export(i.data, area, nil, i.arrived)
	for number, t := range b.targets {
		s := &session{initiator: i, under: make([]underway, o.Depth), written: map[int]bool{}}
		s.stored = t.device.memory.Alloc(int64(o.Blocks) * int64(b.stride()))
		place := len(t.sessions)
		t.sessions = append(t.sessions, s)
		s.data = t.Space.Alloc(int64(area))
		theirs := deposit.Setup{Port: t.Port}
		memory := theirs.Export(s.data, area, nil, func(d deposit.Arrival) { t.arrived(place, d) })
		s.memory = theirs.Import(i.area)
		i.memory = append(i.memory, own.Import(memory))
		if theirs.Err != nil || own.Err != nil {
			return fmt.Errorf("blocks: initiator %d at target %d: %w", i.ID, t.ID, cmp.Or(own.Err, theirs.Err))
		}
		var err error
		if s.commands, err = team.NewLane(m, t.Member, o.Depth, commandBytes, team.ByProgram); err != nil {
			return err
		}
		// A command is answered twice if it writes.
		if s.answers, err = team.NewLane(t.Member, m, 2*o.Depth, answerBytes, team.ByProgram); err != nil {
			return err
		}
		s.commands.Arrived = func() { t.asked.Push(place) }
		s.answers.Arrived = func() { i.answered.Push(number) }
		i.commands, i.answers = append(i.commands, s.commands), append(i.answers, s.answers)
	}
	return nil
}

// Verify returns how the blocks were checked, and what is wrong with them, if anything.
func (b *Blocks) Verify() (how string, wrong error) {
	if done, total := b.Progress(); done != total {
		b.Wrong("%d commands are done, want %d", done, total)
	}
	written := 0
	for _, t := range b.targets {
		for _, s := range t.sessions {
			for block, writes := range s.initiator.writes {
				if block%len(b.targets) != t.ID {
					continue
				}
				kept := s.stored + host.Addr(block*b.stride())
				if s.written[block] != (writes > 0) || writes > 0 && !t.device.memory.Holds(kept, b.contents(s.initiator.id, block, writes)) {
					b.Wrong("target %d: block %d of initiator %d is not what %d writes have left", t.ID, block, s.initiator.ID, writes)
				}
				if s.written[block] {
					written++
				}
			}
		}
	}
	return fmt.Sprintf("each of %d blocks read equals the last one written there, byte for byte, and so do the %d blocks at the end that %d commands have written",
		b.reads, written, b.spec.Commands-b.reads), b.Verdict()
}
