package waits

import (
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// ID numbers the actors of a log from 1. Zero is none.
type ID uint32

// Actor is who uses resources and waits for them.
type Actor struct {
	Type Type
	Tag  trace.Tag
	Kind trace.Kind // of a packet
	Span trace.Span // operation that a packet belongs to; 0: none
	Node int32      // of a packet: the sender
	Peer int32      // of a packet: the receiver; otherwise -1
	Size int32      // of a packet: payload in bytes
	// Number is the one that the sender's monitor gave a packet; -1: none.
	Number int64
	Name   string // of a process or a task
	// Cause is the actor that began this one: the process that sent a packet, the
	// packet that an acknowledgement answers.
	Cause      ID
	Begin, End int64 // ps
}

// Type is the type of an actor.
type Type uint8

// Types of actors.
const (
	Packet  Type = iota // carries a host request
	Control             // a packet that an interface makes by itself: acknowledgement, clock
	Process             // a process of a program
	Handler             // a process that serves the requests of others, one after another
	Task                // work of an interface processor that is for no packet: binning, timers
	Job                 // work of a device of the host, or of a card that tells its host something
)

var types = names.NewEnum[Type]("actor type", "packet", "control", "process", "handler", "task", "job")

func (t Type) String() string { return types.Name(t) }

// IsPacket reports whether actors of the type are packets.
func (t Type) IsPacket() bool { return t <= Control }

// ParseType returns the type of that name, the inverse of String.
func ParseType(name string) (Type, error) { return types.Parse(name) }
