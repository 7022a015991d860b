package blocks

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// run is the program of an initiator: its share of the commands.
func (i *initiator) run() {
	i.Tell.Phase(working)
	n := i.spec.Commands / len(i.initiators)
	if i.id < i.spec.Commands%len(i.initiators) {
		n++
	}
	for issued, done := 0, 0; done < n; {
		switch {
		case i.answered.Len() > 0:
			i.hear(i.answered.Pop())
		case i.over.Len() > 0:
			i.finish(i.over.Pop())
			done++
		case issued < n && len(i.free) > 0:
			i.X.Compute(host.Work{Time: i.spec.Options.compute()})
			i.issue()
			issued++
		default:
			i.Wait("a completion")
		}
	}
	i.Tell.Phase("")
	if i.left--; i.left == 0 {
		for _, t := range i.targets {
			t.Wake.Fire()
		}
	}
}

// at returns the memory of a command's block.
func (i *initiator) at(number int) host.Addr { return i.data + host.Addr(number*i.stride()) }

// issue sends a command.
func (i *initiator) issue() {
	o := &i.spec.Options
	number := i.free[len(i.free)-1]
	i.free = i.free[:len(i.free)-1]
	block := i.choice.Below(o.Blocks)
	for i.busy[block] {
		block = (block + 1) % o.Blocks
	}
	i.busy[block] = true
	c := command{write: i.choice.Below(o.Reads+o.Writes) >= o.Reads, number: number, block: block, span: i.Numbers.Next()}
	i.under[number] = underway{command: c}
	i.X.Compute(issue)
	operation := opRead
	if c.write {
		operation = opWrite
		i.X.MemWrite(o.Bytes)
		i.Space.Make(i.at(number), i.contents(i.id, block, i.writes[block]+1))
	}
	at := i.Buffer()
	var b [commandBytes]byte
	c.put(b[:])
	i.Space.WriteAt(at, b[:])
	i.Tell.Begin(c.span, operation, trace.StepRequest, 0)
	i.commands[block%len(i.targets)].Send(at, commandBytes, trace.Meta{Kind: trace.Request, Span: c.span})
}

// hear handles a target's oldest completion or readiness.
func (i *initiator) hear(target int) {
	at, _ := i.answers[target].Front()
	i.Read(answerBytes)
	var b [answerBytes]byte
	i.Space.ReadAt(at, b[:])
	r := parseReply(b[:])
	i.answers[target].Free()
	if r.number >= len(i.under) || i.under[r.number].span == 0 {
		i.Fail(fmt.Errorf("initiator %d: an answer of target %d to command %d, which there is not", i.ID, target, r.number))
	}
	u := &i.under[r.number]
	if r.ready {
		i.Send(i.at(r.number), i.memory[target], r.number*i.stride(), i.spec.Options.Bytes, trace.Meta{Kind: trace.Data, Span: u.span})
		return
	}
	u.done = true
	i.end(r.number)
}

// arrived counts the bytes of blocks that are read. They may come after the completion, if packets overtake
// one another.
func (i *initiator) arrived(d deposit.Arrival) {
	number := d.Offset / i.stride()
	i.under[number].come += d.Bytes
	i.end(number)
	i.Wake.Fire()
}

// end notes that a command is done once its completion and its block are there.
func (i *initiator) end(number int) {
	if u := &i.under[number]; u.done && (u.write || u.come == i.spec.Options.Bytes) {
		i.over.Push(number)
	}
}

// finish handles a completion and compares the block that was read.
func (i *initiator) finish(number int) {
	u := i.under[number]
	i.X.Compute(settle)
	if u.write {
		i.writes[u.block]++
	} else {
		i.Read(i.spec.Options.Bytes)
		if !i.Space.Holds(i.at(number), i.contents(i.id, u.block, i.writes[u.block])) {
			i.Wrong("initiator %d: block %d is not what %d writes have left", i.ID, u.block, i.writes[u.block])
		}
		i.reads++
	}
	i.Tell.End(u.span)
	i.busy[u.block] = false
	i.under[number] = underway{}
	i.free = append(i.free, number)
	i.Blocks.done++
}
