package stamps

import (
	"errors"
	"os"
	"time"

	"github.com/sigview/sigview/internal/names"
)

// Protocol is the transport of messages.
type Protocol = names.Word[protocols]

type protocols struct{}

// Words implements names.Enumeration.
func (protocols) Words() names.Words { return names.NewWords("protocol", UDP, TCP) }

// The protocols.
const (
	UDP = "udp"
	TCP = "tcp"
)

// Connection is a connected socket of package net.
type Connection interface {
	File() (*os.File, error)
	Close() error
}

// Card is what a network card does for stamps.
type Card string

// The states of a card.
const (
	NoCard  Card = ""    // it stamps no messages, or nobody knows
	CardOff Card = "off" // it can, but has not been told to, which takes privileges
	CardOn  Card = "on"  // it stamps all messages
)

// Options say how a socket works. The zero value stamps nothing and waits in the kernel.
type Options struct {
	Sending    bool   // stamp messages that are sent
	Arriving   bool   // stamp messages that arrive
	Card       bool   // with stamps of the card too
	Spin       bool   // wait in a loop, not in the kernel
	Congestion string // congestion control of TCP; "": the system's own
	BufferKB   int    // of the kernel for each direction; 0: the system's own
}

// Sent is when a message was sent. 0: there is no such stamp.
type Sent struct {
	Seq   uint32 // as it was given to Send
	Sched int64  // it enters the queueing discipline
	Hand  int64  // the driver takes it
	Card  int64  // the card sends it, by the card's clock
}

// Arrival is when a message, or a part of one, arrived. 0: there is no such stamp.
type Arrival struct {
	Bytes  int
	Kernel int64 // the kernel has its last packet
	Card   int64 // the card has received it, by the card's clock
	User   int64 // the program has it
}

// TCPState is what the kernel says of a TCP connection.
type TCPState struct {
	Congestion  string `json:"congestion_control"`
	RoundNs     int64  `json:"round_trip_ns"` // smoothed
	VariationNs int64  `json:"variation_ns"`  // of the round trip
	LeastNs     int64  `json:"least_round_trip_ns"`
	Again       int64  `json:"segments_sent_again"`
}

// ErrNothing is the result of Receive if nothing has come for a while.
var ErrNothing = errors.New("stamps: nothing has come")

// Now returns the time of the clock of all stamps but a card's.
func Now() int64 { return time.Now().UnixNano() }
