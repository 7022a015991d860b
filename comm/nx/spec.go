package nx

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Broadcast is a way to send a message to all other nodes.
type Broadcast uint8

// Broadcasts.
const (
	Separate Broadcast = iota // one send after the other
	Tree                      // from node to node
	Firmware                  // one request, fetched once and injected for every receiver
	broadcasts
)

var broadcastNames = names.NewEnum[Broadcast]("broadcast", "separate", "tree", "firmware")

// Words returns the names.
func (Broadcast) Words() names.Words { return broadcastNames.Words() }

// String returns the name.
func (b Broadcast) String() string { return broadcastNames.Name(b) }

// UnmarshalText reads a way by its name.
func (b *Broadcast) UnmarshalText(name []byte) error { return broadcastNames.Set(b, name) }

// Costs are the library's CPU times, without copies, requests to the interface
// and cache misses on entries.
type Costs struct {
	Call   sim.Duration `toml:"call_us" range:"0..1000"`   // one call of the library: checks and queue searches
	Record sim.Duration `toml:"record_us" range:"0..1000"` // processing an entry: matching, counters
}

// Spec describes the processes of one program.
type Spec struct {
	Tag           trace.Tag // of the packets
	Broadcast     Broadcast `range:"0..2"`
	Entries       int       `range:"4..64"`               // entries of a ring; 0: 32
	Slots         int       `range:"2..64"`               // slots of a sender at each receiver; 0: 4
	EagerBytes    int       `range:"4096..16777216"`      // size of a slot, whole pages; 0: 16 KB
	RedirectBytes int       `range:"1..1073741824"`       // shortest receive that is redirected; 0: 512
	HeapBytes     int64     `range:"4096..1099511627776"` // address space of the heap; 0: 4 GB
	Costs         Costs
}

const (
	defaultHeap = 1 << 32 // address space; memory is allocated on use
	minNodes    = 2
	maxNodes    = 1 << 15
)

func (s *Spec) setDefaults() {
	s.Entries = cmp.Or(s.Entries, 32)
	s.Slots = cmp.Or(s.Slots, 4)
	s.EagerBytes = cmp.Or(s.EagerBytes, 16<<10)
	s.RedirectBytes = cmp.Or(s.RedirectBytes, 512)
	s.HeapBytes = cmp.Or(s.HeapBytes, defaultHeap)
}

func (s *Spec) validate() error {
	if err := bounds.Check("nx", s); err != nil {
		return err
	}
	if s.EagerBytes%host.PageBytes != 0 {
		return bounds.Wrong("nx.EagerBytes", s.EagerBytes, "whole pages of %d bytes", host.PageBytes)
	}
	return nil
}

// maxType is the largest type of a message.
const maxType = 999_999_999

const pageBytes = host.PageBytes
