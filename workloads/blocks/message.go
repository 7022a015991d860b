package blocks

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/trace"
)

// Sizes of capsules.
const (
	commandBytes = 64
	answerBytes  = 16
)

// command asks a target to read or write a block. Its number is its place among the commands of
// its initiator, and that of its bytes in the memory of both.
type command struct {
	write  bool
	number int
	block  int
	span   trace.Span
}

func (c command) put(b []byte) {
	clear(b[:commandBytes])
	if c.write {
		b[0] = 1
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(c.number))
	binary.LittleEndian.PutUint32(b[4:], uint32(c.span))
	binary.LittleEndian.PutUint64(b[40:], uint64(c.block))
}

func parse(b []byte) command {
	return command{
		write: b[0] == 1, number: int(binary.LittleEndian.Uint16(b[2:])),
		span: trace.Span(binary.LittleEndian.Uint32(b[4:])), block: int(binary.LittleEndian.Uint64(b[40:])),
	}
}

// reply is what a target answers to a command of that number.
type reply struct {
	number int
	ready  bool // for the block to be written; else the command is done
}

func (r reply) put(b []byte) {
	clear(b[:answerBytes])
	if r.ready {
		b[0] = 1
	}
	binary.LittleEndian.PutUint16(b[12:], uint16(r.number))
}

func parseReply(b []byte) reply {
	return reply{ready: b[0] == 1, number: int(binary.LittleEndian.Uint16(b[12:]))}
}

// contents are the bytes of an initiator's block that has been written so many times.
func (b *Blocks) contents(initiator, block int, writes uint32) content.Part {
	key := sim.Mix(uint64(initiator)<<32|uint64(writes)) + uint64(block)
	return content.Part{Source: content.Words(key), Bytes: b.spec.Options.Bytes}
}
