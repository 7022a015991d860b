package blocks

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// run executes commands until no initiator is left.
func (t *target) run() {
	t.Tell.Phase(working)
	for t.left > 0 {
		switch {
		case t.device.done.Len() > 0:
			t.complete(t.device.done.Pop())
		case t.filled.Len() > 0:
			t.store(t.filled.Pop())
		case t.asked.Len() > 0:
			t.take(t.asked.Pop())
		default:
			t.Wait("a command, a block or the device")
		}
	}
	t.Tell.Phase("")
}

// at returns the memory of a command's block.
func (t *target) at(j job) host.Addr {
	return t.sessions[j.session].data + host.Addr(j.number*t.stride())
}

// arrived counts the bytes of blocks to be written.
func (t *target) arrived(session int, d deposit.Arrival) {
	j := job{session, d.Offset / t.stride()}
	u := &t.sessions[session].under[j.number]
	if u.come += d.Bytes; u.come == t.spec.Options.Bytes {
		t.filled.Push(j)
	}
	t.Wake.Fire()
}

// take parses a session's oldest command and begins to execute it.
func (t *target) take(session int) {
	s := t.sessions[session]
	at, _ := s.commands.Front()
	t.Read(commandBytes)
	var b [commandBytes]byte
	t.Space.ReadAt(at, b[:])
	c := parse(b[:])
	s.commands.Free()
	t.Tell.Step(c.span, trace.StepHandler)
	t.X.Compute(handle)
	if c.number >= len(s.under) || c.block >= t.spec.Options.Blocks {
		t.Fail(fmt.Errorf("target %d: command %d of initiator %d for block %d", t.ID, c.number, s.initiator.ID, c.block))
	}
	s.under[c.number] = underway{command: c}
	j := job{session, c.number}
	switch {
	case !c.write:
		t.Tell.Step(c.span, stepDevice)
		t.device.start(j)
	case t.remote == nil:
		t.Tell.Step(c.span, stepReady)
		t.answer(s, reply{c.number, true}, c.span, trace.Flag)
	default:
		t.Tell.Step(c.span, stepReady)
		from := s.initiator.data + host.Addr(c.number*t.stride())
		if err := t.remote.Read(t.X, s.initiator.ID, from, t.at(j), t.spec.Options.Bytes); err != nil {
			t.Fail(fmt.Errorf("target %d at %v: %w", t.ID, t.X.Now(), err))
		}
		t.store(j)
	}
}

// store writes a block that has come to the device.
func (t *target) store(j job) {
	t.Tell.Step(t.sessions[j.session].under[j.number].span, stepDevice)
	t.X.Compute(answer)
	t.device.start(j)
}

// complete ends a command whose block the device has moved.
func (t *target) complete(j job) {
	s := t.sessions[j.session]
	c := s.under[j.number].command
	t.X.Compute(answer)
	kept := s.stored + host.Addr(c.block*t.stride())
	if c.write {
		t.device.memory.CopyFrom(t.Space, t.at(j), kept, t.spec.Options.Bytes)
		s.written[c.block] = true
		t.Tell.Step(c.span, trace.StepReply)
	} else {
		if s.written[c.block] {
			t.Space.CopyFrom(t.device.memory, kept, t.at(j), t.spec.Options.Bytes)
		} else {
			t.Space.Make(t.at(j), t.contents(s.initiator.id, c.block, 0))
		}
		t.Tell.Step(c.span, stepData)
		t.Send(t.at(j), s.memory, j.number*t.stride(), t.spec.Options.Bytes, trace.Meta{Kind: trace.Data, Span: c.span})
	}
	t.answer(s, reply{number: j.number}, c.span, trace.Reply)
}

func (t *target) answer(s *session, r reply, span trace.Span, kind trace.Kind) {
	at := t.Buffer()
	var b [answerBytes]byte
	r.put(b[:])
	t.Space.WriteAt(at, b[:])
	s.answers.Send(at, answerBytes, trace.Meta{Kind: kind, Span: span})
}
