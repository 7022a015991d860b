package sockets

import (
	"errors"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Spec describes the sockets of one program.
type Spec struct {
	Tag       trace.Tag // program that the packets belong to
	RingBytes int       `range:"pow2 16384..16777216"` // of the ring of data, per direction
	Entries   int       `range:"pow2 8..64"`           // of the ring of entries
	// CopyBytes is the longest write that is copied before it is sent; longer
	// ones are fetched from the writer's own buffer.
	CopyBytes int `range:"0.."`
	// RedirectBytes is the least room in a reader's buffer for which it is
	// posted to an interface that redirects. 0: never, everything is copied.
	RedirectBytes int `range:"0.."`
	// Blocking makes waiting programs yield their CPU until an interrupt wakes
	// them. Otherwise they spin.
	Blocking bool
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("sockets", s); err != nil {
		return err
	}
	if s.CopyBytes > s.RingBytes/4 {
		return bounds.Wrong("sockets.CopyBytes", s.CopyBytes, "0 to a quarter of RingBytes")
	}
	return nil
}

// Errors of connections. The end of a stream is io.EOF.
var (
	ErrRefused = errors.New("sockets: connection refused: the port is not open")
	ErrClosed  = errors.New("sockets: connection is closed on this side")
	ErrReset   = errors.New("sockets: the other side has closed and reads no more")
	ErrDamaged = errors.New("sockets: connection broken: an entry arrived damaged")
	ErrBusy    = errors.New("sockets: another process is in the same half of the connection")
)

// Costs of the library's steps in instructions, which the profile converts to
// time. They are assumed: no instruction counts of the library are published. A
// call checks its arguments, finds and locks the connection and updates its
// state: about 150 instructions.
var (
	callWork   = host.Work{Ints: 90, Loads: 40, Stores: 20}
	entryWork  = host.Work{Ints: 25, Loads: 12, Stores: 8} // make or process one entry
	postWork   = host.Work{Ints: 20, Loads: 6, Stores: 6}  // describe a buffer to the interface
	dialWork   = host.Work{Ints: 600, Loads: 250, Stores: 150}
	systemWork = host.Work{Ints: 900, Loads: 400, Stores: 200} // one system call that pins or maps
	pinWork    = host.Work{Ints: 150, Loads: 80, Stores: 40}   // per page of such a call
)
